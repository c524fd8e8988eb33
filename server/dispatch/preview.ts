/** What a write would do, shown before it is done: to the caller as a dry run, to the person as a question. */
import { type ErrorCode, RouterError } from '../errors.ts';
import { redact, redactText } from '../telemetry/redact.ts';
import type { AdmittedCall } from './call.ts';
import { type Impact, impactOf } from './impact.ts';
import { type ObjectSources, objectRead } from './object-read.ts';

const BODY_SHOWN = 1_000;
const QUERY_SHOWN = 300;

/** The request as anybody may see it: exact, but for its secrets. */
export function shownRequest({ tool, request }: AdmittedCall): Record<string, unknown> {
  return {
    method: request.method,
    path: request.path,
    ...(request.query ? { query: request.query } : {}),
    ...(request.body === undefined ? {} : { body: redact(request.body, new Set(tool.secrets)) }),
  };
}

/** The last two lines are fixed, so that a program standing in for the person need not read prose. */
export function questionFor(admitted: AdmittedCall): string {
  const { tool, request } = admitted;
  const { body } = shownRequest(admitted);
  const lines = [
    `Send this ${tool.capability} request to ${tool.platform}? ${tool.line}`,
    `On: ${oneLine(request.object)}`,
    ...(request.query ? [`Query: ${redactText(request.query).slice(0, QUERY_SHOWN)}`] : []),
    ...(body === undefined ? [] : [`Body: ${JSON.stringify(body).slice(0, BODY_SHOWN)}`]),
    `object: ${request.method} ${request.path}`,
    `operation: ${tool.method} ${tool.path}`,
  ];
  return lines.join('\n');
}

const NO_COMPARISON: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_TOO_LARGE',
  'UPSTREAM_REDIRECTED',
  'UPSTREAM_MALFORMED',
]);

/**
 * One read of the object, where the document offers it; `seen` is told what is there, undefined for nothing. A preview
 * never fails for want of a comparison.
 */
export async function readImpact(
  admitted: AdmittedCall,
  sources: ObjectSources,
  seen: (object: unknown) => void = () => {},
): Promise<Impact | undefined> {
  const { tool, request } = admitted;
  const read = objectRead(admitted, sources);
  if (read === 'no reader')
    return tool.method === 'POST' && request.body !== undefined
      ? impactOf(tool, 'the request alone', undefined, request.body)
      : undefined;
  if (read === 'not readable') return undefined;
  const { source } = read;
  try {
    const { status, body } = await read.send();
    if (status === 404 || (status >= 200 && status < 300)) seen(status === 404 ? undefined : body);
    if (status === 404) return impactOf(tool, source, undefined, request.body);
    if (status >= 200 && status < 300) return impactOf(tool, source, body, request.body);
    return { source, warning: `unknown: the platform answered ${status}` };
  } catch (error) {
    // Missing credentials or an unreachable platform would stop the apply as well: better said now.
    // A read that answers slowly, hugely or elsewhere (a download) says nothing about the write.
    if (!(error instanceof RouterError && NO_COMPARISON.has(error.code))) throw error;
    return { source, warning: `unknown: ${redactText(error.message)}` };
  }
}

/** A name from a caller must not be able to write lines of its own into the question. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
