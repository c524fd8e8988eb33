/** What a write would do, shown before it is done: to the caller as a dry run, to the person as a question. */
import { redact, redactText } from '../telemetry/redact.ts';
import type { AdmittedCall } from './call.ts';

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

/** A name from a caller must not be able to write lines of its own into the question. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
