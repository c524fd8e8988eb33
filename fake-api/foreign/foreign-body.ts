/** The body of a call in the media types documents declare. Parts of a form are texts until the schema says otherwise. */

import { parse } from 'yaml';
import { type OpenApiDocument, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { isObject, sha256 } from '../engine/state/json-value.ts';
import { isJson, preferred } from './declared-outcomes.ts';
import { flat } from './flattened-schema.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import { checkOf } from './schema-checks.ts';

export interface ForeignBody {
  kind: 'body';
  value: unknown;
  /** Set for a patch that lists steps instead of fields. */
  steps: boolean;
  schema: Schema | null;
}

export interface BodyProblem {
  kind: 'problem';
  status: number;
  message: string;
}

export function readForeignBody(
  operation: ForeignOperation,
  contentType: string | undefined,
  bytes: Buffer | null,
): ForeignBody | BodyProblem {
  const { body } = operation;
  if (bytes === null || bytes.length === 0) return body?.required === true ? missingBody(body.content) : withoutBody();
  if (body === null) {
    if (bytes.toString('utf8').trim() === '{}') return withoutBody();
    return problem(400, `request body: expected none for this operation, got ${bytes.length} bytes`);
  }
  const declared = Object.keys(body.content);
  const sent = mediaTypeOf(contentType);
  const accepted = sent === '' ? preferred(declared) : declaredFor(declared, sent);
  if (accepted === null && declared.length > 0) return unsupportedMedia(declared, sent);
  const schema = accepted === null ? null : (body.content[accepted]?.schema ?? null);
  const media = sent === '' ? (accepted ?? '') : sent;
  return readContent(operation.document, schema, media, contentType, bytes);
}

/** The media type without its parameters. */
function mediaTypeOf(contentType: string | undefined): string {
  return (contentType?.split(';')[0] ?? '').trim().toLowerCase();
}

function withoutBody(): ForeignBody {
  return { kind: 'body', value: undefined, steps: false, schema: null };
}

function problem(status: number, message: string): BodyProblem {
  return { kind: 'problem', status, message };
}

function missingBody(content: Record<string, unknown>): BodyProblem {
  return problem(400, `request body: expected ${Object.keys(content).join(' or ') || 'one'}, got nothing`);
}

function unsupportedMedia(declared: readonly string[], sent: string): BodyProblem {
  const got = sent === '' ? 'none' : `"${sent}"`;
  return problem(415, `content-type: expected ${declared.join(' or ')}, got ${got}`);
}

function readContent(
  document: OpenApiDocument,
  schema: Schema | null,
  media: string,
  contentType: string | undefined,
  bytes: Buffer,
): ForeignBody | BodyProblem {
  let value: unknown;
  try {
    value = parsed(media, contentType ?? '', bytes, document, schema);
  } catch (cause) {
    const reason = (cause as Error).message.split('\n')[0]?.slice(0, 120);
    return problem(400, `request body: expected ${media}, got a text that fails: ${reason}`);
  }
  const found = schema === null ? null : checkOf(document, schema, 'request')(value);
  if (found !== null)
    return problem(400, `request body at ${found.pointer || '/'}: expected ${found.expected}, got ${found.got}`);
  return { kind: 'body', value, steps: media === 'application/json-patch+json' && Array.isArray(value), schema };
}

function declaredFor(declared: string[], sent: string): string | null {
  const same = declared.find((entry) => mediaTypeOf(entry) === sent);
  if (same !== undefined) return same;
  const wild = declared.find((entry) => {
    const bare = mediaTypeOf(entry);
    return bare === '*/*' || (bare.endsWith('/*') && sent.startsWith(bare.slice(0, -1)));
  });
  return wild ?? (isJson(sent) ? (declared.find(isJson) ?? null) : null);
}

function parsed(
  media: string,
  contentType: string,
  bytes: Buffer,
  document: OpenApiDocument,
  schema: Schema | null,
): unknown {
  if (isJson(media)) return JSON.parse(bytes.toString('utf8'));
  if (media === 'application/x-www-form-urlencoded')
    return typedForm(document, schema, nested(new URLSearchParams(bytes.toString('utf8'))));
  if (media === 'multipart/form-data') return typedForm(document, schema, parts(contentType, bytes));
  if (/yaml/.test(media)) return parse(bytes.toString('utf8'), { maxAliasCount: 1000 });
  return /^text\//.test(media) ? bytes.toString('utf8') : bytes.toString('latin1');
}

/** `a[b][]=1` is `{a: {b: ["1"]}}`. */
function nested(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of pairs) {
    const [first = '', ...inner] = name.split(/\[|\]\[|\]/).filter((step, at) => at === 0 || step !== '');
    const isList = name.endsWith('[]');
    let holder = root;
    let key = first;
    for (const step of inner) {
      const next = isObject(holder[key])
        ? (holder[key] as Record<string, unknown>)
        : (Object.create(null) as Record<string, unknown>);
      holder[key] = next;
      holder = next;
      key = step;
    }
    const before = holder[key];
    holder[key] = before === undefined ? (isList ? [value] : value) : [before, value].flat();
  }
  return root;
}

/** Files are kept as their digest: what counts is that the same bytes came. */
function parts(contentType: string, bytes: Buffer): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error('no boundary in the content-type');
  const found: [string, string][] = [];
  for (const part of bytes.toString('latin1').split(`--${boundary}`)) {
    const cut = part.indexOf('\r\n\r\n');
    const head = cut < 0 ? '' : part.slice(0, cut);
    const name = /name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    const content = part.slice(cut + 4).replace(/\r\n$/, '');
    const isFile = /filename=/i.test(head);
    found.push([
      name,
      isFile ? sha256(Buffer.from(content, 'latin1')) : Buffer.from(content, 'latin1').toString('utf8'),
    ]);
  }
  return nested(found);
}

function typedForm(document: OpenApiDocument, schema: Schema | null, value: unknown): unknown {
  const at = schema === null ? {} : flat(document, schema);
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name,
        typedForm(
          document,
          at.properties?.[name] ?? (isObject(at.additionalProperties) ? (at.additionalProperties as Schema) : null),
          entry,
        ),
      ]),
    );
  }
  const types = typesOf(at);
  if (types.includes('array')) return [value].flat().map((entry) => typedForm(document, at.items ?? null, entry));
  if (typeof value !== 'string') return value;
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
