/** What a preview shows of the request and of the change: to the caller as fields, to the person as lines. */
import { quoted } from '../telemetry/invisible.ts';
import type { ExactRequest } from './exact-request.ts';
import type { Impact } from './impact.ts';
import type { BuiltRequest } from './request.ts';

/** The request as it will be sent, for the caller who asked for it. Its own values are shown as they are sent. */
export function shownRequest({ described }: ExactRequest, request: BuiltRequest): Record<string, unknown> {
  return {
    method: request.method,
    path: request.path,
    ...(request.query ? { query: request.query } : {}),
    ...(request.body === undefined ? {} : { body: request.body }),
    host: described.account.origin,
    account: described.account.section,
  };
}

const NAMES = { would_add: 'adds', would_change: 'changes', would_remove: 'removes' } as const;

/** One line for each thing that changes, every value quoted, so that nothing in a value looks like a line of its own. */
export function previewNotes(impact: Impact | undefined): string[] {
  if (impact === undefined) return [];
  const changes = (['would_change', 'would_add', 'would_remove'] as const).flatMap((kind) =>
    (impact[kind] ?? []).map(({ field, from, to }) => {
      const values = [from, to].filter((value) => value !== undefined).map((value) => quoted2(value));
      return `${NAMES[kind]} ${quoted(field)}: ${values.join(' → ')}`;
    }),
  );
  return [
    `Compared with: ${impact.source}`,
    ...changes,
    ...(impact.unchanged ? ['Changes nothing that the read shows'] : []),
    ...(impact.warning ? [`Note: ${quoted(impact.warning)}`] : []),
  ];
}

const quoted2 = (value: unknown): string => (typeof value === 'string' ? quoted(value) : quoted(JSON.stringify(value)));
