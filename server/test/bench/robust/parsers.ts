/**
 * R3: all other parsers of foreign input, with a hundred thousand damaged texts each: exports of the legacy
 * controller, accounts, platform files, `.env`, cached logins, fewer OpenAPI documents, and spec indexes, which only a
 * disk fault damages. Each text is accepted or refused with a code of ours; no other error is thrown, and none takes a
 * second.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawExport } from '../../migration/generated-exports.ts';
import { ROOT } from '../../support/child-process.ts';
import { Random } from './random.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';

const TEXTS = 100_000;
/** A document costs a hundred times what a setting does. */
const DOCUMENTS_ONE_IN = 100;
const SPEC_INDEXES_ONE_IN = 100;
const MOST_MS = 1_000;

/** Put into a text at any place. */
const FRAGMENTS = [
  '\u0000',
  '\ufeff',
  '\ud800',
  '\r\n',
  '\t',
  '{',
  '}',
  ']',
  '"',
  "'",
  ': ',
  '- ',
  '__proto__',
  'constructor',
  'null',
  '1e400',
  '-0',
  '!!binary ',
  '!!js/function ',
  '&a [*a]',
  '*nowhere',
  '<<: *a\n',
  '? ',
  '|\n',
  '%YAML 9.9\n---\n',
  '---\n',
  '\\ud800',
  ['$', '{HOME}'].join(''),
  '='.repeat(300),
  '['.repeat(2_000),
  '{"a":'.repeat(1_000),
  `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${Array(9).fill(`*${'abcdefghi'[n]}`).join(',')}]`).join('\n')}\n`,
] as const;

interface Parser {
  name: string;
  seeds: readonly string[];
  read: (text: string) => unknown;
  oneIn: number;
}

/** A text is put into the file first, because that is what a reader takes. */
const readFromFile =
  (path: string, read: (path: string) => unknown, encoding: BufferEncoding = 'utf8') =>
  (text: string) => {
    writeFileSync(path, text, { mode: 0o600, encoding });
    return read(path);
  };

const shippedPlatformFiles = (): string[] =>
  ['mgmt', 'sensors', 'legacy'].map((id) => readFileSync(join(ROOT, `server/platforms/${id}.yaml`), 'utf8'));

async function parsers(root: string, folder: string): Promise<Parser[]> {
  const from = async (path: string) => (await import(join(root, 'server', path))) as unknown;
  const random = new Random(3);
  const draws = [1, 2, 3].map((size) => JSON.stringify(drawExport((limit) => random.below(limit), size).value));
  const inFile = (name: string, read: (path: string) => unknown, encoding?: BufferEncoding) =>
    readFromFile(join(folder, name), read, encoding);
  const { readExportText } = (await from('migration/read-export.ts')) as { readExportText: (text: string) => unknown };
  const { CredentialsStore } = (await from('config/credentials.ts')) as {
    CredentialsStore: new (
      path: string,
      overrides: object,
    ) => { state: () => unknown; account: (platform: object) => unknown };
  };
  const { readPlatformFile } = (await from('config/platform-file.ts')) as {
    readPlatformFile: (path: string) => unknown;
  };
  const { readDotEnv } = (await from('config/dot-env.ts')) as { readDotEnv: (path: string) => unknown };
  const { TokenCache } = (await from('outbound/token-cache.ts')) as {
    TokenCache: new (folder: string, problem: () => void) => { read: (file: string) => unknown };
  };
  const { importDocument } = (await from('import/import-document.ts')) as {
    importDocument: (path: string) => Promise<unknown>;
  };
  const { buildSpecIndex } = (await from('spec-index/build-spec-index.ts')) as {
    buildSpecIndex: (file: string, documents: object[]) => unknown;
  };
  const { SpecIndex } = (await from('spec-index/look-up.ts')) as {
    SpecIndex: new (
      file: string,
    ) => Disposable & { counts: () => unknown; lookUp: (asked: { query: string; limit: number }) => unknown };
  };
  const built = join(folder, 'built.sqlite');
  buildSpecIndex(built, [{ platform: 'shop', document: { id: 'shop', file: 'shop.yaml', content: SHOP } }]);
  /** Each way of asking reads other pages of the file: names, beginnings of names, words. */
  const lookedUp = (path: string) => {
    using index = new SpecIndex(path);
    index.counts();
    for (const query of ['getOrder', 'GET /orders/{id}', 'ord', 'order next']) index.lookUp({ query, limit: 5 });
  };
  const mgmt = readPlatformFile(join(ROOT, 'server/platforms/mgmt.yaml')) as object;
  const cache = new TokenCache(folder, () => {});
  const account = (path: string) => {
    const store = new CredentialsStore(path, {});
    store.state();
    return store.account(mgmt);
  };
  return [
    { name: 'exports', seeds: draws, read: readExportText, oneIn: 1 },
    {
      name: 'accounts',
      seeds: [readFileSync(join(ROOT, 'secrets/credentials.yaml.example'), 'utf8'), ACCOUNTS],
      read: inFile('credentials.yaml', account),
      oneIn: 1,
    },
    { name: 'platformFiles', seeds: shippedPlatformFiles(), read: inFile('mgmt.yaml', readPlatformFile), oneIn: 1 },
    {
      name: 'dotEnv',
      seeds: [readFileSync(join(ROOT, '.env.example'), 'utf8').slice(0, 4_000)],
      read: inFile('.env', readDotEnv),
      oneIn: 1,
    },
    {
      name: 'cachedLogins',
      seeds: ['{"token":"abc","expiresAt":1790000000000,"csrf":"x"}'],
      read: inFile('login.json', (path) => cache.read(path)),
      oneIn: 1,
    },
    {
      name: 'documents',
      seeds: [JSON.stringify(SHOP)],
      read: inFile('shop.yaml', importDocument),
      oneIn: DOCUMENTS_ONE_IN,
    },
    {
      name: 'specIndexes',
      seeds: [readFileSync(built, 'latin1')],
      read: inFile('spec-index.sqlite', lookedUp, 'latin1'),
      oneIn: SPEC_INDEXES_ONE_IN,
    },
  ];
}

const ACCOUNTS = `mgmt:
  base_url: https://mgmt.example.test
  client_id: one
  client_secret: 'two'
nac: { base_url: 'https://nac.example.test', username: "a", password: b }
`;

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example.test' }],
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: { type: 'object', properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Order' } } },
    },
  },
};

function spoilt(seed: string, random: Random): string {
  let text = seed;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(text.length + 1);
    const way = random.below(5);
    if (way === 0) text = text.slice(0, at);
    else if (way === 1) text = text.slice(0, at) + random.of(FRAGMENTS) + text.slice(at);
    else if (way === 2) text = text.slice(0, at) + String.fromCharCode(random.below(0x10000)) + text.slice(at + 1);
    else if (way === 3) text = text.slice(0, at) + text.slice(at + random.below(40));
    else text = text.slice(0, at) + text.slice(Math.max(0, at - random.below(200)));
  }
  return text;
}

/** Errors of ours carry a code, in capitals, and what to do. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && /^[A-Z_]{4,}$/.test(String((error as { code?: unknown }).code)) && 'remedy' in error;

const stackOf = (error: unknown) => (error instanceof Error ? error.stack?.slice(0, 300) : error);

async function run({ root, scale, timed }: RobustContext): Promise<Finding> {
  const failures = new Failures();
  const figures: Record<string, number> = {};
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-parsers-'));
  let longest = 0;
  try {
    for (const { name, seeds, read, oneIn } of await parsers(root, folder)) {
      const random = new Random(20261122);
      const texts = Math.ceil((TEXTS * scale) / oneIn);
      let refused = 0;
      for (let at = 0; at < texts; at++) {
        const text = spoilt(random.of(seeds), random);
        const began = performance.now();
        try {
          await read(text);
        } catch (error) {
          refused += 1;
          if (!isOurs(error)) failures.add(`${name}, text ${at}: ${stackOf(error)}`);
        }
        longest = Math.max(longest, performance.now() - began);
      }
      figures[name] = texts;
      figures[`${name}Refused`] = refused;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (timed && longest > MOST_MS) failures.add(`one text took ${Math.round(longest)} ms`);
  return { figures: { ...figures, unplanned: failures.count, longestMs: round(longest) }, failures: failures.all() };
}

export const PARSERS_CHECK: RobustCheck = { id: 'R3', title: 'everything else that is read', run };
