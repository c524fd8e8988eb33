/** SECURITY.md promises; every section of its audits names tests that exist. Claims that only the sources can show are tested here. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, isTestSupport, root, sourceFiles } from './source-imports.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const page = text('SECURITY.md');

/** Sections of the third level below a heading, each with its own heading and text. */
function sectionsBelow(heading: string): { title: string; body: string }[] {
  const below = page.split(`## ${heading}`)[1]?.split('\n## ')[0] ?? '';
  return below
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return { title: section.slice(0, end), body: section.slice(end + 1) };
    });
}

interface Proof {
  file: string;
  title: string;
}

/** Lines of the form - `file` › title. */
const proofsIn = (body: string): Proof[] =>
  [...body.matchAll(/^- `([\w./-]+\.test\.ts)` › (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title }));

const isTitled = (source: string, title: string) =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));

const TOP_TEN = Array.from({ length: 10 }, (_, at) => `MCP${String(at + 1).padStart(2, '0')}`);

describe.each([
  ['The OWASP MCP Top 10', 10],
  ['The MCP security best practices', 10],
])('%s', (heading, least) => {
  const sections = sectionsBelow(heading);

  test('every section names a test, and every test is there', () => {
    expect(sections.length).toBeGreaterThanOrEqual(least);
    for (const { title: what, body } of sections) {
      const proofs = proofsIn(body);
      expect(proofs.length, what).toBeGreaterThan(0);
      for (const { file, title } of proofs) {
        expect(existsSync(join(root, file)), `${what}: ${file}`).toBe(true);
        expect(isTitled(text(file), title), `${what}: ${file} › ${title}`).toBe(true);
      }
    }
  });
});

test('no risk of the Top 10 is missing', () => {
  expect(sectionsBelow('The OWASP MCP Top 10').map(({ title }) => title.slice(0, 5))).toEqual(TOP_TEN);
});

test('the threat model has a section for each of the five', () => {
  expect(sectionsBelow('Threat model').map(({ title }) => title)).toEqual([
    'The client and its model',
    'The network',
    'The platform behind it',
    'The operator',
    'The supply chain',
  ]);
});

test('a title that is gone would be noticed', () => {
  expect(proofsIn('- `a.test.ts` › one; two\n- text\n- `b.test.ts` › three')).toEqual([
    { file: 'a.test.ts', title: 'one; two' },
    { file: 'b.test.ts', title: 'three' },
  ]);
  expect(isTitled("test('one', () => {})", 'one')).toBe(true);
  expect(isTitled("test('another one', () => {})", 'one')).toBe(false);
});

/** What answers calls; commands, setup, doctor, benches and tests are started by a person. */
const ANSWERING = sourceFiles('server').filter((file) => !isTestSupport(file) && !/\/(cli|doctor|setup)\//.test(file));

/** The one program that is started: this router's own file, under this runtime, to read a long answer of a platform. */
const READER = 'server/dispatch/large-answers.ts';

test('no part of the router that answers calls starts a program other than its own reader, or evaluates text', () => {
  expect(ANSWERING.length).toBeGreaterThan(100);
  const starting = ANSWERING.flatMap(importsOf).filter(
    ({ specifier, typeOnly }) => !typeOnly && /^node:(child_process|vm|repl|cluster)$/.test(specifier),
  );
  expect(starting.map(({ file }) => file)).toEqual([READER]);
  const [first, second, ...more] = text(READER).split(/\b(?:spawn|exec|execFile|fork)(?:Sync)?\(/);
  expect([first === undefined, second === undefined, more]).toEqual([false, false, []]);
  // The runtime by its full path, a file of ours, nothing of a caller's, no shell, none of the router's environment.
  expect(second).toMatch(
    /^\s*process\.execPath,\s*\[`--max-old-space-size=\$\{limits\.heapMb\}`, fileURLToPath\(import\.meta\.url\)\],/,
  );
  expect(second?.slice(0, second.indexOf(');'))).not.toContain('shell');
  expect(second).toMatch(/env: cache === undefined \? \{\} : \{ NODE_COMPILE_CACHE: cache \} \},\s*\);/);
  expect(ANSWERING.filter((file) => /(?<![\w.])eval\(|new Function\(/.test(text(file)))).toEqual([]);
});

/** A comparison with `===` of what may be a secret, neither side of which is written out; it ends at the first difference. */
const COMPARED =
  /[\w.?#]*(?:token|secret|password|bearer|signature|mac)\)? (?:===|!==) (?!undefined|null|true|false|['"`\d])[\w.?#`$]+|[\w.?#]+ (?:===|!==) [\w.?#]*(?:token|secret|password|bearer|signature|mac)\b(?! ===)/gi;

/** None of them compares what a caller sent with what it should have sent: our own logins, our own locks, two answers of a person. */
const HARMLESS: readonly string[] = [
  'server/tools/local/platform/check-credentials.ts: clientId === clientSecret',
  'server/files/file-lock.ts: ?.token !== dead?.token',
  'server/files/file-lock.ts: ?.token === holder.token',
  'server/outbound/logins.ts: ?.token === held.token',
  'server/outbound/logins.ts: stored.token === held?.token',
  'server/outbound/token-cache.ts: stored?.token === token',
];

const comparedIn = (source: string) => [...source.matchAll(COMPARED)].map(([found]) => found);

test('no secret is compared with ===, which ends at the first difference', () => {
  const found = ANSWERING.flatMap((file) => comparedIn(text(file)).map((comparison) => `${file}: ${comparison}`));
  expect([...new Set(found)].sort()).toEqual([...HARMLESS].sort());
  expect(comparedIn('if (given === bearerToken) return;')).toEqual(['given === bearerToken']);
  expect(comparedIn('if (mac !== want) return;')).toEqual(['mac !== want']);
  expect(comparedIn("if (token === undefined || password === '') return;")).toEqual([]);
});

test('the router serves no route of an authorisation server and sends nobody anywhere', () => {
  const http = sourceFiles('server/http').filter((file) => !file.endsWith('.test.ts'));
  const sources = http.map(text).join('\n');
  const routes = [...sources.matchAll(/'(\/[\w.-]*)'/g)].map(([, path]) => path);
  expect([...new Set(routes)].filter((path) => path !== '/').sort()).toEqual([
    '/healthz',
    '/livez',
    '/mcp',
    '/metrics',
    '/readyz',
  ]);
  expect(sources).not.toMatch(/\.redirect\(|well-known|['"]location['"]/i);
});

/** What real secrets look like, by who hands them out. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{100}/,
  'a cloud key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a token of a code host': /\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_\w{60}/,
  'a token of a chat': /\bxox[abpr]-[A-Za-z0-9-]{20}/,
  'a token of a registry': /\bnpm_[A-Za-z0-9]{36}\b/,
  'a key of a model': /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32}/,
};

function secretsIn(content: string): string[] {
  return Object.entries(SECRETS).flatMap(([name, form]) => (form.test(content) ? [name] : []));
}

test('no file of the repository holds what looks like a real secret', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split(
    '\0',
  );
  const readable = tracked.filter(
    (file) =>
      /\.(ts|mjs|js|json|ya?ml|md|sh|txt|example|conf|toml)$|^\.|\/run$/.test(file) && existsSync(join(root, file)),
  );
  expect(readable.length).toBeGreaterThan(500);
  const found = readable
    .filter((file) => file !== 'server/test/docs/security.test.ts')
    .flatMap((file) => secretsIn(text(file)).map((what) => `${file}: ${what}`));
  expect(found).toEqual([]);
});

test.each([
  ['a cloud key', 'AKIA'.concat('ABCDEFGHIJKLMNOP')],
  ['a token of a code host', 'ghp_'.concat('a'.repeat(36))],
  ['a token of a registry', 'npm_'.concat('a'.repeat(36))],
  ['a private key', '-----BEGIN PRIVATE KEY-----\n'.concat('A'.repeat(120))],
])('%s would be noticed', (what, secret) => expect(secretsIn(`x = ${secret}`)).toEqual([what]));
