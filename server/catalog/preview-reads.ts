/** Reads that a document names for the preview of an operation: what hangs on the object. Only reads, bounded, checked by class. */
import { isObject } from './platform-document.ts';
import type { PreviewRead, Tool } from './tool.ts';

const MOST = 2;
const LONGEST_TEXT = 60;

/** As a document states one, before the operation it names is a tool. */
export interface StatedPreviewRead {
  operation: string;
  arguments: Record<string, string>;
  tells: PreviewRead['tells'];
  how?: string;
  when?: 'switched-off';
}

/** What `x-svc-preview-reads` states; entries of another form are left out. */
export function readPreviewReads(stated: unknown): StatedPreviewRead[] {
  if (!Array.isArray(stated)) return [];
  return stated.filter(isObject).flatMap(({ operation, arguments: args, tells, how, when }) => {
    if (typeof operation !== 'string' || !isObject(args) || !isTold(tells)) return [];
    const texts = Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return [
      {
        operation,
        arguments: Object.fromEntries(texts),
        tells,
        ...(typeof how === 'string' ? { how: how.slice(0, LONGEST_TEXT) } : {}),
        ...(when === 'switched-off' ? { when } : {}),
      },
    ];
  });
}

const isTold = (tells: unknown): tells is PreviewRead['tells'] =>
  tells === 'count' || tells === 'references' || tells === 'changes';

/** The tool that lists the changes which a commit takes; undefined for a tool that is no such commit. */
export const waitingListOf = ({ previewReads }: Pick<Tool, 'previewReads'>): string | undefined =>
  previewReads?.find(({ tells }) => tells === 'changes')?.tool;

/** Those that name a plain read of the same platform. Nothing that a document says makes another call part of a preview. */
export function linkPreviewReads(
  stated: readonly StatedPreviewRead[],
  named: (operation: string) => Tool | null | undefined,
): Pick<Tool, 'previewReads'> {
  const previewReads = stated.flatMap(({ operation, ...read }) => {
    const tool = named(operation);
    return tool?.method === 'GET' && tool.capability === 'read' ? [{ tool: tool.name, ...read }] : [];
  });
  return previewReads.length > 0 ? { previewReads: previewReads.slice(0, MOST) } : {};
}
