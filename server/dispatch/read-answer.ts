/**
 * Reads a platform's answer: a page of the result without secrets, or the platform's reason for a refusal. It depends
 * only on its arguments, so a worker thread can run it as well as the main thread.
 */
import type { Tool } from '../catalog/tool.ts';
import { visible } from '../telemetry/invisible.ts';
import { redact } from '../telemetry/redact.ts';
import { type FailedParts, failedParts, innerRefusal } from './inner-outcome.ts';
import { type Bounds, shape } from './shape.ts';

/** How to read one answer. Every field can be copied to another thread. */
export interface AnswerReading {
  tool: Pick<Tool, 'capability' | 'list' | 'parameters' | 'innerOutcome' | 'poll' | 'answerSecrets' | 'redirects'>;
  /** Arguments of the call. */
  values: Readonly<Record<string, unknown>>;
  status: number;
  location: string | null;
  /** Value of the header that holds the total of a list. */
  totalHeader: string | null;
  /** A header names a next page of the list. */
  linksToNext?: boolean;
  bounds: Bounds;
  /** Where in this page to go on. */
  from: number;
}

export type ReadAnswer =
  | {
      kind: 'page';
      /** JSON of the result, where it was made anyway. */
      text?: string;
      result: unknown;
      nextOffset?: number;
      poll?: { tool: string; arguments: Record<string, unknown> };
      /** Of the whole answer, also of what the page leaves out. */
      failedParts?: FailedParts;
    }
  /** The status says it, or a code inside a success: `code`. */
  | { kind: 'refused'; code?: string; message?: string; data?: unknown };

const DATA_SHOWN_BYTES = 4_000;
const MESSAGE_SHOWN = 300;
const CODE_SHOWN = 60;

export function readAnswer(reading: AnswerReading, body: unknown, scrub: (text: string) => string): ReadAnswer {
  const { tool, values, status, bounds, from } = reading;
  const answer = visible(redact(body, new Set(tool.answerSecrets)));
  const end = tool.redirects || status === 304 ? 400 : 300;
  if (status < 200 || status >= end) return { kind: 'refused', ...said(sentenceOf(answer), answer, scrub) };
  const inner = innerRefusal(tool.innerOutcome, answer);
  if (inner) {
    const code = scrub(inner.code).slice(0, CODE_SHOWN);
    return { kind: 'refused', code, ...said(inner.message, answer, scrub) };
  }
  const resumable = tool.capability === 'read';
  const { result, text, nextOffset } = shape({
    tool,
    answer,
    values,
    bounds,
    from,
    resumable,
    totalHeader: reading.totalHeader,
    ...(reading.linksToNext ? { linksToNext: true } : {}),
    scrub,
  });
  const poll = tool.poll && pollOf(tool.poll, reading, body);
  const parts = tool.capability === 'read' ? undefined : failedParts(status, answer);
  return {
    kind: 'page',
    result,
    ...(text === undefined ? {} : { text }),
    ...(nextOffset === undefined ? {} : { nextOffset }),
    ...(poll ? { poll } : {}),
    ...(parts ? { failedParts: parts } : {}),
  };
}

/** What the platform says, each part in a field of its own and bounded. */
function said(
  message: string,
  data: unknown,
  scrub: (text: string) => string,
): Pick<Extract<ReadAnswer, { kind: 'refused' }>, 'message' | 'data'> {
  return {
    ...(message === '' ? {} : { message: scrub(message).slice(0, MESSAGE_SHOWN) }),
    ...(data === undefined ? {} : { data: cut(data, scrub) }),
  };
}

function sentenceOf(data: unknown): string {
  if (typeof data === 'string') return data.replace(/\s+/g, ' ');
  if (typeof data !== 'object' || data === null) return '';
  for (const name of ['message', 'detail', 'error_description', 'title', 'error', 'description']) {
    const value = (data as Record<string, unknown>)[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function cut(data: unknown, scrub: (text: string) => string): unknown {
  const text = JSON.stringify(data);
  return text.length > DATA_SHOWN_BYTES ? `${scrub(text).slice(0, DATA_SHOWN_BYTES)}…` : data;
}

/** The longest place that is looked at; that of a job is a URL. */
const PLACE_LENGTH = 2_048;
/** Fields of an answer that are looked at for the place of a job. */
const PLACES = 200;

/** The call that reads how a started job ended: its path filled from the location the platform gave, or by name. */
function pollOf(
  poll: NonNullable<Tool['poll']>,
  { values, location }: AnswerReading,
  answer: unknown,
): { tool: string; arguments: Record<string, unknown> } {
  const body = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const names = [...poll.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
  for (const place of [location, ...Object.values(body).slice(0, PLACES)]) {
    const found = typeof place === 'string' && place.length <= PLACE_LENGTH ? filledAs(poll.path, place) : undefined;
    if (found) return { tool: poll.tool, arguments: found };
  }
  return { tool: poll.tool, arguments: valuesByName(names, body, values) };
}

/** Path parameters by the fields of an answer and the arguments of the call that are named alike; the last may be the answer's `id`. */
function valuesByName(
  names: readonly string[],
  body: Readonly<Record<string, unknown>>,
  values: AnswerReading['values'],
): Record<string, unknown> {
  const plain = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase();
  const known: Record<string, unknown> = { ...body, ...values };
  // The first of several fields that differ only in their letters' case.
  const byPlainName = new Map(
    Object.keys(known)
      .reverse()
      .map((name) => [plain(name), name]),
  );
  const args: Record<string, unknown> = {};
  for (const name of names) {
    const key = byPlainName.get(plain(name)) ?? (names.at(-1) === name && 'id' in body ? 'id' : undefined);
    if (key !== undefined) args[name] = key === 'id' ? body['id'] : known[key];
  }
  return args;
}

/**
 * Values of a path template in a place that ends with it: `/jobs/{id}` in `https://host/v1/jobs/7?x=1`. By segments and
 * without a regular expression, because the template may be a user's document and the place is the platform's.
 */
function filledAs(template: string, place: string): Record<string, string> | undefined {
  const wanted = template.split('/').slice(1);
  const given = (place.split('?', 1)[0] as string).split('/').slice(-wanted.length);
  if (given.length < wanted.length) return undefined;
  const values: Record<string, string> = {};
  const fits = wanted.every((segment, at) => fillSegment(segment, given[at] as string, values));
  return fits ? values : undefined;
}

function fillSegment(template: string, given: string, values: Record<string, string>): boolean {
  const [before = '', ...parts] = template.split('{');
  if (!given.startsWith(before)) return false;
  let at = before.length;
  for (const [index, part] of parts.entries()) {
    const [name, after] = [part.slice(0, part.indexOf('}')), part.slice(part.indexOf('}') + 1)];
    const last = index === parts.length - 1;
    const end = last ? given.length - after.length : after === '' ? at + 1 : given.indexOf(after, at + 1);
    if (end <= at || !given.startsWith(after, end)) return false;
    const value = decoded(given.slice(at, end));
    if (value === undefined) return false;
    values[name] = value;
    at = end + after.length;
  }
  return at === given.length;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
