/**
 * Removes what a subject prints around a platform's answer, and gives lists one form, whatever their envelope calls
 * the entries.
 */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import type { Json } from '../retrieval/operation.ts';

/** What a text says of a call that went wrong. The same words tell of clients, logins and interfaces that an answer is about. */
const FAILURES = [
  /\berror\b(?!\s+(?:rates?|counts?|counters?|ratios?|logs?|levels?|budgets?|percentages?|thresholds?|statistics|events?)\b)(?!\s*[:=]\s*(?:0|none|null|false)\b)/i,
  /\bfailed\b(?=\s*(?:$|[:.,;!)(\n-])|\s+(?:to|with|because|due|after|for|on|at|in|while|when|validation|\w+ing)\b)/i,
  /\b(?:unknown tool|not found|invalid)\b/i,
  /\b(?:status|http)(?:\/[\d.]+)?(?:\s+(?:code|error|response|is|was|of)){0,2}\W{0,3}[45]\d\d\b/i,
];
/** `no error`, `0 failed`, `without any invalid`. */
const DENIED = /\b(?:no|zero|0|none|without)\s+(?:\w+\s+)?(?:error|failed|invalid)\b/gi;

/** `field` is where the subject puts the platform's answer, beside how the call went. */
export function answerOf(answer: ToolAnswer, field?: string): ToolAnswer {
  const text = answer.texts.join('\n');
  const rows = rowsOf(answer.texts);
  const { before, json } = rows === undefined ? jsonIn(text) : { before: '', json: rows };
  const failed = answer.isError || tellsFailure(before) || isProblem(json) || (field !== undefined && wentWrong(json));
  const own = field === undefined ? json : ((json as Json | undefined)?.[field] ?? json);
  return { isError: failed, texts: answer.texts, json: failed ? json : listed(own) };
}

function tellsFailure(text: string): boolean {
  const rest = text.replaceAll(DENIED, '');
  return FAILURES.some((one) => one.test(rest));
}

/** Of a list of which each object is a block of its own, as some libraries send it: the objects begin with the same field. */
function rowsOf(texts: readonly string[]): Json[] | undefined {
  if (texts.length < 2 || !texts.every((text) => text.trimStart().startsWith('{'))) return undefined;
  const rows = texts.map((text) => jsonIn(text)).filter(({ before, json }) => before === '' && json !== undefined);
  const [name] = Object.keys((rows[0]?.json ?? {}) as Json);
  const isAlike = ({ json }: { json: unknown }) => name !== undefined && Object.keys(json as Json)[0] === name;
  return rows.length === texts.length && rows.every(isAlike) ? rows.map(({ json }) => json as Json) : undefined;
}

function wentWrong(json: unknown): boolean {
  const { ok, status_code } = (json ?? {}) as Json;
  return ok === false || Number(status_code) >= 400;
}

/** More places than a text of a server has where its JSON could begin. */
const MOST_STARTS = 50;
const FENCE = '```';

/** The JSON in a text, and what stands before it. It ends the text, or stands in a Markdown fence or between sentences. */
export function jsonIn(text: string): { before: string; json: unknown } {
  const trimmed = text.trim();
  for (const [start, end] of [...toTheEnd(trimmed), ...fenced(trimmed), ...amongProse(trimmed)]) {
    try {
      return { before: trimmed.slice(0, start), json: JSON.parse(trimmed.slice(start, end)) };
    } catch {
      // the JSON may begin further down
    }
  }
  return { before: trimmed, json: undefined };
}

type Range = readonly [start: number, end: number];

function toTheEnd(text: string): Range[] {
  const lines = text.matchAll(/\n[^\S\n]*(?=[[{])/g).take(MOST_STARTS);
  return [0, ...lines.map(({ index, 0: gap }) => index + gap.length)].map((start) => [start, text.length]);
}

function fenced(text: string): Range[] {
  const opening = text.indexOf(FENCE);
  const start = opening < 0 ? -1 : text.indexOf('\n', opening);
  const end = start < 0 ? -1 : text.indexOf(FENCE, start);
  return start < 0 ? [] : [[start, end < 0 ? text.length : end]];
}

/** From the first brace, or the first bracket that a value of a list follows, to the last. */
function amongProse(text: string): Range[] {
  const start = text.search(/\{|\[(?=["{[\d])/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  return start < 0 || end <= start ? [] : [[start, end]];
}

/** RFC 9457, or an object that has only an error to tell. */
function isProblem(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const { status, title, error, errors } = json as Json;
  if (typeof status === 'number' && status >= 400 && typeof title === 'string') return true;
  return [error, errors].some(isStated) && Object.keys(json).length <= 4;
}

/** An envelope may have the field of an error also where there is none. */
const isStated = (error: unknown): boolean =>
  ![undefined, null, false, ''].includes(error as null) && !(Array.isArray(error) && error.length === 0);

/** With `items` beside whatever the platform called its entries. */
function listed(json: unknown): unknown {
  if (Array.isArray(json)) return { items: json };
  if (typeof json !== 'object' || json === null || 'items' in json) return json;
  const items = entriesOf(json as Json);
  return items === undefined ? json : { ...json, items };
}

/** The only array of an envelope; of an envelope in an envelope too. */
function entriesOf(envelope: Json): unknown[] | undefined {
  const arrays = Object.values(envelope).filter((value): value is unknown[] => Array.isArray(value));
  if (arrays.length === 1) return arrays[0];
  const inner = Object.values(envelope).filter((value) => typeof value === 'object' && value !== null);
  return arrays.length === 0 && inner.length === 1 ? entriesOf(inner[0] as Json) : undefined;
}
