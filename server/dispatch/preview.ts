/** What a write would do, shown before it is done: to the caller as a dry run, to the person as a question. */
import type { Catalog } from '../catalog/store.ts';
import { type ErrorCode, RouterError } from '../errors.ts';
import type { OutboundClient } from '../outbound/client.ts';
import { redact, redactText } from '../telemetry/redact.ts';
import type { AdmittedCall } from './call.ts';
import { type Impact, impactOf } from './impact.ts';
import { buildRequest } from './request.ts';
import type { Validators } from './validate.ts';

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

export interface ImpactSources {
  catalog: Catalog;
  validators: Validators;
  outbound: OutboundClient;
}

const NO_COMPARISON: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_TOO_LARGE',
  'UPSTREAM_REDIRECTED',
]);

/** One read of the object, where the document offers it. A preview never fails for want of a comparison. */
export async function readImpact(
  { call, tool, platform, values, request }: AdmittedCall,
  sources: ImpactSources,
): Promise<Impact | undefined> {
  const reader = tool.reader ? sources.catalog.tool(tool.reader) : undefined;
  if (!reader)
    return tool.method === 'POST' && request.body !== undefined
      ? impactOf(tool, 'the request alone', undefined, request.body)
      : undefined;
  const known = reader.parameters.filter(({ argument }) => values[argument] !== undefined);
  const readable = Object.fromEntries(known.map(({ argument }) => [argument, values[argument]]));
  if (sources.validators.problems(reader, readable).length > 0) return undefined;
  const read = buildRequest(reader, readable);
  if (!read.ok) return undefined;
  const { path, query, headers } = read.request;
  const source = `GET ${path}`;
  try {
    const { status, body } = await sources.outbound.send({
      platform,
      capability: 'read',
      method: 'GET',
      path,
      query,
      headers,
      ...(call.signal ? { signal: call.signal } : {}),
    });
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
