/** The content of a request body in the media types that documents declare. Parts of a form are texts until the schema says otherwise. */
import { parse } from 'yaml';
import { flat, propertiesOf } from '../openapi/flattened-schema.ts';
import { type OpenApiDocument, type Schema, typesOf } from '../openapi/openapi-document.ts';
import { byName, isObject, own, sha256 } from '../state/json-value.ts';
import { isJson } from './media-type.ts';

export interface SentBody {
  document: OpenApiDocument;
  schema: Schema | null;
  media: string;
  /** With its parameters: a form in parts has its boundary there. */
  contentType: string;
  bytes: Buffer;
}

export type ParsedBody = { ok: true; value: unknown } | { ok: false; problem: string };

export function parsedBody(sent: SentBody): ParsedBody {
  try {
    return { ok: true, value: contentOf(sent) };
  } catch (cause) {
    const { message } = cause as Error;
    const problem = isJson(sent.media)
      ? `expected JSON, got text that fails at ${/position \d+/.exec(message)?.[0] ?? 'an unknown position'}`
      : `expected ${sent.media}, got text that fails: ${message.split('\n')[0]?.slice(0, 120)}`;
    return { ok: false, problem };
  }
}

function contentOf({ document, schema, media, contentType, bytes }: SentBody): unknown {
  if (media === 'multipart/form-data') return formOf(document, schema, partsOf(contentType, bytes));
  const text = bytes.toString('utf8');
  if (isJson(media)) return JSON.parse(text);
  if (media === 'application/x-www-form-urlencoded')
    return isText(document, schema) ? text : formOf(document, schema, new URLSearchParams(text));
  if (media.includes('yaml')) return parse(text, { maxAliasCount: 1000 });
  return media.startsWith('text/') ? text : bytes.toString('latin1');
}

/** A document may state a whole form as one text. */
function isText(document: OpenApiDocument, schema: Schema | null): boolean {
  const types = schema === null ? [] : typesOf(flat(document, schema));
  return types.length > 0 && types.every((type) => type === 'string');
}

type Fields = Record<string, unknown>;

function formOf(document: OpenApiDocument, schema: Schema | null, pairs: Iterable<readonly [string, string]>): unknown {
  return typed(document, schema, nested(pairs, schema === null ? byName<Schema>() : propertiesOf(document, schema)));
}

/** `a[b][]=1` is `{a: {b: ["1"]}}`, unless a field is declared under that very name. */
function nested(pairs: Iterable<readonly [string, string]>, declared: Record<string, Schema>): Fields {
  const root: Fields = byName();
  for (const [name, value] of pairs) {
    const steps = name.split(/\[|\]\[|\]/).filter((step, at) => at === 0 || step !== '');
    const [first = '', ...inner] = own(declared, name) === undefined ? steps : [name];
    let holder = root;
    let key = first;
    for (const step of inner) {
      const next = isObject(holder[key]) ? (holder[key] as Fields) : byName<unknown>();
      holder[key] = next;
      holder = next;
      key = step;
    }
    const before = holder[key];
    holder[key] = before === undefined ? (name.endsWith('[]') ? [value] : value) : [before, value].flat();
  }
  return root;
}

/** Files are kept as their digest: what counts is that the same bytes came. */
function partsOf(contentType: string, bytes: Buffer): [string, string][] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error('no boundary in the content-type');
  return bytes
    .toString('latin1')
    .split(`--${boundary}`)
    .flatMap((part): [string, string][] => {
      const cut = part.indexOf('\r\n\r\n');
      const head = part.slice(0, Math.max(0, cut));
      const name = /name="([^"]*)"/i.exec(head)?.[1];
      if (name === undefined) return [];
      const content = Buffer.from(part.slice(cut + 4).replace(/\r\n$/, ''), 'latin1');
      return [[name, /filename=/i.test(head) ? sha256(content) : content.toString('utf8')]];
    });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function typed(document: OpenApiDocument, schema: Schema | null, value: unknown): unknown {
  const at = schema === null ? {} : flat(document, schema);
  if (isObject(value)) return typedFields(document, at, value);
  const branches = [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])].map((branch) => flat(document, branch));
  const types = new Set(branches.flatMap(typesOf));
  // A part of a form that is an object or a list of them may come as JSON.
  if (typeof value === 'string' && /^\s*[[{]/.test(value) && (types.has('object') || types.has('array'))) {
    const parsed = parsedJson(value);
    if (parsed !== undefined) return types.has('object') ? parsed : [parsed].flat();
  }
  if (types.has('array')) return [value].flat().map((entry) => typed(document, at.items ?? null, entry));
  return typeof value === 'string' ? typedText(types, value) : value;
}

function typedFields(document: OpenApiDocument, at: Schema, value: Fields): Fields {
  const properties = propertiesOf(document, at);
  const other = isObject(at.additionalProperties) ? (at.additionalProperties as Schema) : null;
  const entries = Object.entries(value).map(([name, entry]) => {
    return [name, typed(document, own(properties, name) ?? other, entry)] as const;
  });
  return Object.fromEntries(entries);
}

function typedText(types: ReadonlySet<string>, text: string): unknown {
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
