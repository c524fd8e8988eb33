/** Checked arguments → the exact request a platform gets, the same for the preview and for the send. */
import { overridingName } from '../catalog/method-override.ts';
import { percentDecoded, pointerPart } from '../catalog/platform-document.ts';
import type { Tool, ToolBody, ToolParameter } from '../catalog/tool.ts';
import { ROWS } from '../outbound/body.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';
import type { Payload } from './payload.ts';
import {
  cookieParts,
  emptyField,
  formText,
  headerText,
  losesEmpty,
  pathText,
  queryParts,
} from './serialise-parameter.ts';
import { type Encoded, type ShownFile, uploadPayload } from './upload-request.ts';

export interface BuiltRequest {
  method: string;
  /** Concrete path, every value percent-encoded. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: unknown;
  /** The body as it is sent; undefined where the request has none. */
  payload?: Payload;
  /** Files that the body holds. */
  files?: ShownFile[];
  /** The one thing this request is about, as a person would name it. */
  object: string;
}

/** What the operation asks for beside the caller's values: credentials, and the media types of its answer. */
export const wantsOf = ({ security, accept, redirects }: Tool): Pick<Tool, 'security' | 'accept' | 'redirects'> => ({
  ...(security ? { security } : {}),
  ...(accept ? { accept } : {}),
  ...(redirects ? { redirects } : {}),
});

export type Building =
  | { ok: true; request: BuiltRequest }
  | { ok: false; pointer: string; expected: string; got: string };

/** An encoder leaves dots alone, and a path of dots names another resource; to a server that takes blanks off, nothing names the list. */
const NO_SEGMENT: ReadonlySet<string> = new Set(['', '.', '..']);
/** The same with what a style or the template writes beside the value, a server takes off, or a zero byte ends. */
const DOTS = /^\s*\.{1,2}\s*([;\0].*)?$/s;

/** `uploads` is the folder of files to send; undefined where the operator named none. */
export function buildRequest(tool: Tool, values: Readonly<Record<string, unknown>>, uploads?: string): Building {
  const parts: RequestParts = { path: tool.path, query: [], headers: {}, cookies: [], keys: [] };
  for (const parameter of tool.parameters) {
    const value = values[parameter.argument];
    const mayVanish = tool.capability === 'read' && !parameter.required;
    const problem = value === undefined ? undefined : addParameter(parts, parameter, value, mayVanish);
    if (problem !== undefined) return { ok: false, pointer: `/${parameter.argument}`, ...problem };
  }
  const { path, query, keys } = parts;
  const headers = parts.cookies.length === 0 ? parts.headers : { ...parts.headers, cookie: parts.cookies.join('; ') };
  const body = values['body'];
  const encoded = body === undefined || !tool.body ? {} : encodeBody(body, tool.body, tool.capability, uploads);
  if ('expected' in encoded) return { ok: false, ...encoded };
  const { names = [], ...sent } = encoded;
  const overriding = overridingName(namesSent({ query, headers, body, payload: sent.payload, names }));
  if (overriding !== undefined)
    return {
      ok: false,
      pointer: '',
      expected: 'should hold nothing that makes the request another one than its method and path say',
      got: JSON.stringify(overriding.slice(0, 60)),
    };
  return {
    ok: true,
    request: {
      method: tool.method,
      path,
      query: query.join('&'),
      headers,
      body,
      ...sent,
      object: keys.join('/') || bodyKey(tool, body) || path,
    },
  };
}

interface RequestParts {
  path: string;
  query: string[];
  headers: Record<string, string>;
  cookies: string[];
  /** Values of path parameters, as a person would name them. */
  keys: string[];
}

type Problem = Pick<Extract<Building, { ok: false }>, 'expected' | 'got'>;

/** `mayVanish`: a read without its optional filter is what an empty one asks for. */
function addParameter(
  parts: RequestParts,
  parameter: ToolParameter,
  value: unknown,
  mayVanish: boolean,
): Problem | undefined {
  if (parameter.in === 'path') return addSegment(parts, parameter, value);
  if (!mayVanish && losesEmpty(parameter, value)) return emptyProblem(value);
  if (parameter.in === 'query') return addPairs(parts, queryParts(parameter, value));
  if (parameter.in === 'cookie') parts.cookies.push(...cookieParts(parameter, value));
  else return addHeader(parts, parameter, value);
  return undefined;
}

/** An object that is exploded gives its query names of its own; sent twice, a name asks for what neither argument says. */
function addPairs(parts: RequestParts, pairs: readonly string[]): Problem | undefined {
  const before = new Set(parts.query.map(keyOfPair));
  const taken = pairs.map(keyOfPair).find((name) => before.has(name));
  if (taken !== undefined)
    return {
      expected: `should have no query parameter ${JSON.stringify(taken.slice(0, 60))} beside that of another argument: name it in one of them`,
      got: 'it in both',
    };
  parts.query.push(...pairs);
  return undefined;
}

const emptyProblem = (value: unknown): Problem => ({
  expected: 'should hold at least one entry, and no empty list or object: an empty one cannot be sent',
  got: JSON.stringify(value).slice(0, 200),
});

/** A quote in a key that the template quotes is written twice (OData 4.01 URL Conventions, 2), or it would end the key. */
function addSegment(parts: RequestParts, parameter: ToolParameter, value: unknown): Problem | undefined {
  const text = nameOf(value);
  const written = pathText(parameter, value);
  const path = parts.path
    .replaceAll(`'{${parameter.name}}'`, () => `'${written.replaceAll("'", "''")}'`)
    .replaceAll(`{${parameter.name}}`, () => written);
  if (NO_SEGMENT.has(text.trim()) || written === '' || climbs(path))
    return { expected: 'should be a name that can stand in a path', got: JSON.stringify(text) };
  parts.keys.push(text);
  parts.path = path;
  return undefined;
}

/** A proxy may decode a path before it resolves its dot segments, so that `a/..%2Fb` climbs as `a/../b` does; some decode twice. */
export const MOST_DECODINGS = 3;

function climbs(path: string): boolean {
  let text = path;
  for (let times = 0; times <= MOST_DECODINGS; times++) {
    // Some servers bring a path to its compatibility form.
    if (
      text
        .normalize('NFKC')
        .split(/[/\\]/)
        .some((segment) => DOTS.test(segment))
    )
      return true;
    text = percentDecoded(text);
  }
  return false;
}

function addHeader(parts: RequestParts, parameter: ToolParameter, value: unknown): Problem | undefined {
  const text = headerText(parameter, value).replace(/[\r\n\0]/g, ' ');
  if (!HEADER_TEXT.test(text))
    return { expected: 'should hold only characters that a header can carry', got: JSON.stringify(text.slice(0, 60)) };
  parts.headers[parameter.name.toLowerCase()] = text;
  return undefined;
}

/** No control characters (RFC 9110, 5.5). The runtime sends headers as bytes of one character each (Fetch standard, 2.2.2). */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(nameOf).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

interface SentParts {
  query: readonly string[];
  headers: object;
  body: unknown;
  payload: Payload | undefined;
  /** Of the parts of a body with files. */
  names: readonly string[];
}

/** By what a server tells what a request asks for: its query, its headers and the top level of its body. */
function* namesSent({ query, headers, body, payload, names }: SentParts): Generator<string> {
  yield* query.map(keyOfPair);
  yield* Object.keys(headers);
  yield* names;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) yield* Object.keys(body);
  // A field that is exploded gives its form names of its own.
  if (payload && FORM.test(payload.contentType))
    yield* payload.text.replaceAll('+', ' ').split('&').flatMap(namesOfPair);
}

/** The name of a pair of a query, a form or the cookies, decoded. */
export const keyOfPair = (pair: string): string => percentDecoded(pair.split('=', 1)[0] ?? '');

/** Some servers end a pair at a semicolon as well (HTML 4.01, B.2.2), which may stand in a form that is text. */
const namesOfPair = (pair: string): string[] => pair.split(';').map(keyOfPair);

const FORM = /x-www-form-urlencoded/i;
/** In any other type, and where several values stand one after the other, the caller's text is sent as it is. */
const isJson = (type: string): boolean => /json\b/i.test(type) && !ROWS.test(type);

type EncodedBody = Encoded | { payload?: Payload; names?: undefined };

function encodeBody(
  body: unknown,
  sent: ToolBody,
  capability: Tool['capability'],
  uploads: string | undefined,
): EncodedBody {
  const isForm = sent.files !== undefined || FORM.test(sent.contentType);
  const empty =
    isForm && typeof body === 'object' && body !== null && capability !== 'read'
      ? emptyField(body, sent.encoding)
      : undefined;
  if (empty) return { pointer: `/body/${pointerPart(empty[0])}`, ...emptyProblem(empty[1]) };
  return sent.file || sent.files ? uploadPayload(body, sent, uploads) : { payload: textPayload(body, sent) };
}

function textPayload(body: unknown, { contentType, encoding }: ToolBody): Payload {
  if (FORM.test(contentType) && typeof body === 'object' && body !== null)
    return { contentType, text: formText(body, encoding) };
  if (typeof body === 'string' && !isJson(contentType)) return { contentType, text: body };
  return { contentType, text: escapeInvisible(JSON.stringify(body)) };
}

function bodyKey(tool: Tool, body: unknown): string {
  if (Array.isArray(body)) return `${body.length} item${body.length === 1 ? '' : 's'}`;
  if (typeof body !== 'object' || body === null) return '';
  const fields = body as Record<string, unknown>;
  for (const name of [tool.resource?.key, 'name', 'id']) {
    const value = name ? fields[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  // A body that only wraps the thing: `{ template: { name } }`.
  const [wrapped, ...others] = Object.values(fields);
  return others.length === 0 && !Array.isArray(wrapped) ? bodyKey(tool, wrapped) : '';
}
