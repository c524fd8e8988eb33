/** Checked arguments → the exact request a platform gets, the same for the preview and for the send. */
import { overridingName } from '../catalog/method-override.ts';
import type { Tool, ToolParameter } from '../catalog/tool.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';

/** A body as it goes on the wire. */
export interface Payload {
  contentType: string;
  /** The very characters that are sent, encoded as UTF-8. JSON holds no invisible character: each is a `\\uXXXX` escape. */
  text: string;
}

export interface BuiltRequest {
  method: string;
  /** Concrete path, every value percent-encoded. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: unknown;
  /** The body as it is sent; undefined where the request has none. */
  payload?: Payload;
  /** The one thing this request is about, as a person would name it. */
  object: string;
}

export type Building =
  | { ok: true; request: BuiltRequest }
  | { ok: false; pointer: string; expected: string; got: string };

/** An encoder leaves dots alone, and a path of dots names another resource. */
const NO_SEGMENT: ReadonlySet<string> = new Set(['', '.', '..']);

export function buildRequest(tool: Tool, values: Readonly<Record<string, unknown>>): Building {
  let path = tool.path;
  const query: string[] = [];
  const headers: Record<string, string> = {};
  const keys: string[] = [];
  for (const parameter of tool.parameters) {
    const value = values[parameter.argument];
    if (value === undefined) continue;
    if (parameter.in === 'path') {
      const text = joined(value);
      if (NO_SEGMENT.has(text)) {
        return {
          ok: false,
          pointer: `/${parameter.argument}`,
          expected: 'should be a name that can stand in a path',
          got: JSON.stringify(text),
        };
      }
      keys.push(text);
      path = path.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(text));
    } else if (parameter.in === 'query') query.push(...queryParts(parameter, value));
    else headers[parameter.name.toLowerCase()] = joined(value).replace(/[\r\n\0]/g, ' ');
  }
  const body = values['body'];
  const overriding = overridingName(namesSent(query, headers, body));
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
      ...(body === undefined || !tool.body ? {} : { payload: encodeBody(body, tool.body.contentType) }),
      object: keys.join('/') || bodyKey(tool, body) || path,
    },
  };
}

/** By what a server tells what a request asks for: its query, its headers and the top level of its body. */
function* namesSent(query: readonly string[], headers: object, body: unknown): Generator<string> {
  for (const part of query) yield decodeURIComponent(part.split('=', 1)[0] ?? '');
  yield* Object.keys(headers);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) yield* Object.keys(body);
}

function encodeBody(body: unknown, contentType: string): Payload {
  if (/x-www-form-urlencoded/i.test(contentType) && typeof body === 'object' && body !== null) {
    const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, joined(value)]);
    return { contentType, text: new URLSearchParams(pairs).toString() };
  }
  if (typeof body === 'string' && /^text\//i.test(contentType)) return { contentType, text: body };
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
  return '';
}

const queryPair = (key: string, text: string) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;

/** The percent-encoded separator of list values in this style; a comma in every other style. */
const SEPARATORS = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
]);

function queryParts(parameter: ToolParameter, value: unknown): string[] {
  const { name, style } = parameter;
  if (style === 'json') return [queryPair(name, JSON.stringify(value))];
  if (Array.isArray(value)) return listParts(parameter, value);
  if (typeof value === 'object' && value !== null) return objectParts(parameter, Object.entries(value));
  return [queryPair(name, joined(value))];
}

function listParts({ name, style, explode }: ToolParameter, list: readonly unknown[]): string[] {
  if (explode && style === 'form') return list.map((entry) => queryPair(name, joined(entry)));
  const values = list.map((entry) => encodeURIComponent(joined(entry)));
  return [`${encodeURIComponent(name)}=${values.join(SEPARATORS.get(style) ?? ',')}`];
}

function objectParts({ name, style, explode }: ToolParameter, entries: readonly [string, unknown][]): string[] {
  if (style === 'deepObject') return entries.map(([key, inner]) => queryPair(`${name}[${key}]`, joined(inner)));
  if (explode) return entries.map(([key, inner]) => queryPair(key, joined(inner)));
  return [queryPair(name, entries.flat().map(joined).join(','))];
}

function joined(value: unknown): string {
  if (Array.isArray(value)) return value.map(joined).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
