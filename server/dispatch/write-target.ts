/** The object that a write is about, read before anything is sent: at the preview, and again before the sending. */
import { waitingListOf } from '../catalog/preview-reads.ts';
import type { Tool } from '../catalog/tool.ts';
import { type ErrorCode, RouterError } from '../errors.ts';
import { redact, redactText } from '../telemetry/redact.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { innerRefusal } from './inner-outcome.ts';
import { type ObjectSources, objectRead } from './object-read.ts';

/**
 * `source` is the read as a person would write it, `GET /path`. `waits`: the changes that a commit of the object takes. `secrets`: names
 * of the fields that the document of the read declares as secrets.
 */
export type TargetRead =
  | {
      kind: 'found';
      source: string;
      object: unknown;
      etag: string | undefined;
      waits?: unknown;
      secrets?: readonly string[];
    }
  | { kind: 'missing'; source: string }
  | { kind: 'unknown'; source?: string; why: string }
  | { kind: 'none' };

/** A read that answers slowly, hugely or elsewhere (a download) says nothing about the write. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_TOO_LARGE',
  'UPSTREAM_REDIRECTED',
  'UPSTREAM_MALFORMED',
]);

/**
 * Reads the target once. `none`: the catalogue has no read of it. `missing`: the platform answered 404. `unknown`: it
 * answered something else, or nothing that tells about the object.
 *
 * @param until ends the read, as a time of `performance.now()`; without it the platform's usual deadline holds
 * @throws RouterError where the write itself would fail as well: missing credentials, an unreachable platform
 */
export async function readTarget(admitted: AdmittedCall, sources: ObjectSources, until?: number): Promise<TargetRead> {
  const read = objectRead(admitted, sources, targetToolOf(admitted.tool));
  if (read === 'no reader') return { kind: 'none' };
  if (read === 'not readable') return { kind: 'unknown', why: 'the read of the object needs other arguments' };
  const { source, reader } = read;
  try {
    const { status, body, headers } = await read.send(until);
    if (status === 404) return { kind: 'missing', source };
    if (status < 200 || status >= 300) return { kind: 'unknown', source, why: `the platform answered ${status}` };
    if (body === undefined) return { kind: 'unknown', source, why: 'the platform answered nothing' };
    if (innerRefusal(reader.innerOutcome, body))
      return { kind: 'unknown', source, why: 'the platform refused inside its answer' };
    const etag = headers.get('etag') ?? undefined;
    const secrets = reader.answerSecrets ? { secrets: reader.answerSecrets } : {};
    return { kind: 'found', source, object: body, etag, ...secrets, ...(await waitingAt(admitted, sources, until)) };
  } catch (error) {
    if (!(error instanceof RouterError && SAYS_NOTHING.has(error.code))) throw error;
    return { kind: 'unknown', source, why: redactText(error.message) };
  }
}

/** The object as it may be shown: without what the documents of its read and of the write declare as secrets. */
export function shownObject({ secrets }: Tool, read: Extract<TargetRead, { kind: 'found' }>): unknown {
  return redact(read.object, new Set([...secrets, ...(read.secrets ?? [])]));
}

/** Nothing where the list of what waits is the target itself, or cannot be read. */
async function waitingAt(
  admitted: AdmittedCall,
  sources: ObjectSources,
  until: number | undefined,
): Promise<{ waits?: unknown }> {
  const list = waitingListOf(admitted.tool);
  if (list === undefined || list === targetToolOf(admitted.tool)) return {};
  const read = objectRead(admitted, sources, list);
  if (typeof read === 'string') return {};
  try {
    const { status, body } = await read.send(until);
    return status >= 200 && status < 300 ? { waits: body } : {};
  } catch (error) {
    if (!(error instanceof RouterError && SAYS_NOTHING.has(error.code))) throw error;
    return {};
  }
}

/** Name of the tool that shows the target of a write: the GET on its path, else that of the object it acts on. */
export function targetToolOf({ reader, target }: Tool): string | undefined {
  return reader ?? target;
}

/** Whether the read shows what the write replaces or changes, and not the object above it. */
export function showsWritten({ reader }: Tool): boolean {
  return reader !== undefined;
}
