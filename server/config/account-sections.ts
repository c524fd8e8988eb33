/** The sections of the credentials file as they are written there. Neither a value nor a line of them ever enters a message. */
import { readFileSync, statSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { yaml } from '../lazy-import.ts';
import { Type } from './schema.ts';
import { schemaCheck } from './schema-check.ts';

export type Fields = Record<string, string>;

const Section = Type.Object(
  {
    base_url: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
    api_token: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    workspace_id: Type.Optional(Type.String()),
    token_url: Type.Optional(Type.String()),
    /** A certificate for the TLS handshake and its key, as paths from the folder of this file. */
    client_cert_path: Type.Optional(Type.String()),
    client_key_path: Type.Optional(Type.String()),
    /** Where a person signs in; the setup uses it, the router does not. */
    authorization_url: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type AccountField = keyof typeof Section.properties;
export const FIELDS = Object.keys(Section.properties) as AccountField[];
const checkFile = schemaCheck(
  Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Section, { additionalProperties: false }),
);

/** Throws CREDENTIALS_INVALID. A pipe gives its text once, and the next look at it would wait for ever. */
export function readSections(path: string): Record<string, Fields> {
  const info = statSync(path);
  if (!info.isFile() && !info.isDirectory()) {
    throw new RouterError('CREDENTIALS_INVALID', `${path}: should be a file, got a pipe or a device`, {
      remedy: 'name a file; for `sops exec-file` that is --no-fifo',
    });
  }
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  // Silent: the parser's warnings go to stderr past every mask, and quote what they warn of.
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines, logLevel: 'silent' });
  const broken = document.errors[0];
  // The parser's own message quotes the line, which may hold a secret: only its code and place are used.
  if (broken)
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `${path}:${broken.linePos?.[0].line ?? 1}: should be YAML, got a syntax error (${broken.code})`,
    );
  const value = withoutAliases(() => document.toJS({ maxAliasCount: 10 }) as unknown, path) ?? {};
  if (checkFile(value)) return value as Record<string, Fields>;
  const error = checkFile.last()[0];
  const [, section, field] = (error?.instancePath ?? '').split('/');
  const where = [section, field].filter(Boolean).join('.') || 'the file';
  const unknown = error?.keyword === 'additionalProperties' || error?.keyword === 'propertyNames';
  throw new RouterError(
    'CREDENTIALS_INVALID',
    unknown
      ? `${path}: \`${where}\` should hold only ${FIELDS.join(', ')}`
      : `${path}: \`${where}\` should be ${field ? 'text' : 'a section of fields'}, got ${typeOf(at(value, section, field))}`,
  );
}

/** An alias of nothing, or of very much, is only found when the value is made. */
function withoutAliases(make: () => unknown, path: string): unknown {
  try {
    return make();
  } catch {
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `${path}: should be YAML without aliases, got one that cannot be followed`,
    );
  }
}

function at(value: unknown, ...keys: (string | undefined)[]): unknown {
  let found = value;
  for (const key of keys) if (key !== undefined) found = (found as Record<string, unknown> | null)?.[key];
  return found;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
