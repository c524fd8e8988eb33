/** How the router reaches and guards one platform: `server/platforms/<id>.yaml`, read and checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { LineCounter, parseDocument } from 'yaml';
import { RouterError } from '../errors.ts';
import { firstProblem, schemaCheck } from './schema-check.ts';

const Capability = Type.Enum(['read', 'diagnostic', 'write', 'destructive']);

const PlatformFile = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9]{1,20}$' }),
    title: Type.String({ minLength: 1 }),
    /**
     * toolset: on by default; product: asked for by SVC_MCP_PRODUCTS and covered by SVC_MCP_PRODUCT_ACCESS; user: added by
     * svc-mcp-catalog, served as long as its file is there.
     */
    kind: Type.Enum(['toolset', 'product', 'user']),
    /** Words by which people mean this platform in a question. */
    words: Type.Array(Type.String()),
    /** Where the OpenAPI documents are: a file or a folder, relative to the package. */
    documents: Type.String({ minLength: 1 }),
    /** Backend name shown for the tools of a document; the first matching prefix wins. */
    backends: Type.Record(Type.String(), Type.String()),
    auth: Type.Object(
      {
        strategy: Type.Enum(['oauth2-client-credentials']),
        token_path: Type.String({ pattern: '^/' }),
        /** Section of the credentials file. */
        section: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
        /** Environment variables that override a field of that section. */
        variables: Type.Record(Type.String(), Type.String({ pattern: '^[A-Z][A-Z0-9_]+$' })),
      },
      { additionalProperties: false },
    ),
    /** Write gate; null for a platform that has no writes. `default` is used when nothing else decides. */
    gate: Type.Union([
      Type.Object(
        {
          variable: Type.String({ pattern: '^SVC_MCP_[A-Z0-9_]+_WRITES$' }),
          default: Type.Enum(['off', 'product-access']),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    rate: Type.Object({ burst: Type.Integer({ minimum: 1, maximum: 100 }) }, { additionalProperties: false }),
    /** Capability by hand where method and words are wrong, keyed `METHOD /path`; each says why. */
    overrides: Type.Record(
      Type.String({ pattern: '^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /' }),
      Type.Object({ capability: Capability, why: Type.String({ minLength: 10 }) }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);

export type PlatformDefinition = Static<typeof PlatformFile>;

const check = schemaCheck(PlatformFile);

/** Every platform file of a folder, sorted by id. */
export function readPlatformFiles(folder: string): PlatformDefinition[] {
  if (!existsSync(folder)) throw new RouterError('PLATFORM_FILE_INVALID', `no platform folder at ${folder}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readPlatformFile(join(folder, name)));
}

export function readPlatformFile(path: string): PlatformDefinition {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines });
  const broken = document.errors[0];
  if (broken)
    throw new RouterError(
      'PLATFORM_FILE_INVALID',
      `${path}:${broken.linePos?.[0].line ?? 1}: not YAML (${broken.code})`,
    );
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!check(value)) {
    const problem = firstProblem(check);
    throw new RouterError(
      'PLATFORM_FILE_INVALID',
      `${path}: \`${problem.pointer || '/'}\` ${problem.expected}, got ${problem.got}`,
    );
  }
  if (value.id !== basename(path, '.yaml')) {
    throw new RouterError(
      'PLATFORM_FILE_INVALID',
      `${path}: \`/id\` should equal the file name, got ${JSON.stringify(value.id)}`,
    );
  }
  return value;
}
