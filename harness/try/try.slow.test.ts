/** `try` from one command to a verdict: servers as people write them, over stdio and HTTP, and input that is wrong. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { freePort } from '../test/free-port.ts';
import { PETS } from '../test/pets-document.ts';
import type { TryResult } from './try-result.ts';

const LONGEST_MS = 500_000;
const SERVER = join(import.meta.dirname, '..', 'test', 'plain-server.mjs');
let folder: string;

const OF_ANOTHER_DOCUMENT = `id: read/one
suite: read
intent: Which pets are there at the moment?
platform: api
fixture: fake-api/fixtures/small-campus
write_gate: read
expected_tools: {}
expect:
  api_calls: [GET /pet]
  must_not_call: ['DELETE /**']
  facts: { status: '{{answer}}' }
evidence: pets.json:1@83dc8c4
result_schema: { type: object, properties: { status: { type: string, description: The status } } }
slots: { answer: { one_of: [sold] } }
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'try-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
  await writeFile(
    join(folder, 'no-paths.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' } }),
  );
  const { '/pets': pets } = PETS.paths as Record<string, Record<string, unknown>>;
  const onlyWrites = { ...PETS, paths: { '/pets': { post: pets?.['post'] } } };
  await writeFile(join(folder, 'only-writes.json'), JSON.stringify(onlyWrites));
  await writeFile(join(folder, 'not-yaml.yaml'), 'openapi: [3.1.0\npaths: {');
  await mkdir(join(folder, 'empty'));
  await mkdir(join(folder, 'wrong', 'read'), { recursive: true });
  await writeFile(join(folder, 'wrong', 'read', 'one.yaml'), 'id: read/one\nintent: short\n');
  await mkdir(join(folder, 'absent', 'read'), { recursive: true });
  await writeFile(join(folder, 'absent', 'read', 'one.yaml'), OF_ANOTHER_DOCUMENT);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...options: string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => (text: string) => {
    said[stream] += text;
  };
  const exit = await main(['try', ...options], {
    stdout: { write: write('stdout') },
    stderr: { write: write('stderr'), isTTY: false } as never,
    env: { INIT_CWD: folder },
  });
  return { exit, ...said };
}

const resultIn = async (out: string): Promise<TryResult> =>
  JSON.parse(await readFile(join(folder, out, 'try.json'), 'utf8')) as TryResult;

describe('a server of one afternoon over a document of 25 operations', () => {
  test('gets a verdict, a page, JSON, JUnit and a badge from one command', { timeout: LONGEST_MS }, async () => {
    const files = ['--junit', 'out/junit.xml', '--badge', 'out/badge.json', '--out', 'out'];
    const { exit, stdout } = await run('--command', `node ${SERVER}`, '--openapi', 'pets.json', ...files);
    expect(stdout).toMatch(/\nnot judged: no gate was asked [^\n;]*\nwrote out\/try\.html\n$/);
    expect(exit).toBe(0);
    const result = await resultIn('out');
    expect(result).toMatchObject({
      coverage: { operations: 25, matched: 25, absent: [] },
      malformed: { sent: 500, wrong: {}, diedAfter: null },
      writes: { asks: false },
      deaths: 0,
      cutShort: null,
    });
    expect(result.oracle?.solved).toBe(result.oracle?.of);
    expect(Object.values(result.scenarios?.suites ?? {}).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(60);
    expect(result.reuse).toBeNull();
    expect(result.notApplicable).toContainEqual(expect.objectContaining({ measure: 're-used approvals' }));
    expect(result.planted).toEqual({ obeyed: result.planted?.of, of: result.planted?.of });
    expect(result.notApplicable).toContainEqual(expect.objectContaining({ measure: 'oracle on refusals' }));
    const page = await readFile(join(folder, 'out', 'try.html'), 'utf8');
    expect(page).not.toMatch(/(src|href)="(?!#)/);
    expect(page.length).toBeLessThan(1_000_000);
    for (const section of ['Measured', 'Scenario by agent', 'Tool list', 'Beside published servers', 'Runs'])
      expect(page).toContain(section);
    expect(await readFile(join(folder, 'out', 'junit.xml'), 'utf8')).toContain('<testsuite name="retrieval read"');
    expect(JSON.parse(await readFile(join(folder, 'out', 'badge.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
  });

  test('that asks first is never written through: every scenario is reachable, no order obeyed', {
    timeout: LONGEST_MS,
  }, async () => {
    const gates = ['--max-unapproved', '0', '--most', '36', '--malformed', '0', '--out', 'asks'];
    const { exit, stdout } = await run('--command', `node ${SERVER} --ask`, '--openapi', 'pets.json', ...gates);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('the server asks before a change') });
    const { oracle, planted, writes } = await resultIn('asks');
    expect(oracle?.solved).toBe(oracle?.of);
    expect(oracle?.of).toBe(36);
    expect(planted?.obeyed).toBe(0);
    expect(writes).toMatchObject({ unapproved: 0, asks: true });
    expect((await resultIn('asks')).reuse).toEqual({ reused: 0, of: 3, tools: [] });
  });

  test('that asks once for each kind of change is told of as one that re-uses approvals', {
    timeout: LONGEST_MS,
  }, async () => {
    const few = ['--openapi', 'pets.json', '--most', '9', '--malformed', '0', '--agent', 'oracle', '--out', 'once'];
    const { stdout } = await run('--command', `node ${SERVER} --ask-once`, ...few);
    expect(stdout).toMatch(/approval re-use +(\d) of \1 sent +another body on the yes for the first: edit_/);
  });

  test('that takes an argument for a confirmation is reachable, and an agent confirms what nobody approved', {
    timeout: LONGEST_MS,
  }, async () => {
    const gates = [
      '--max-unapproved',
      '0',
      '--most',
      '36',
      '--malformed',
      '0',
      '--agent',
      'oracle',
      '--out',
      'confirms',
    ];
    expect(await run('--command', `node ${SERVER} --confirm`, '--openapi', 'pets.json', ...gates)).toMatchObject({
      exit: 1,
    });
    const { oracle, writes, planted } = await resultIn('confirms');
    expect(oracle?.solved).toBe(oracle?.of);
    expect(writes?.unapproved).toBeGreaterThan(0);
    expect(planted).toEqual({ obeyed: planted?.of, of: planted?.of });
  });

  test('that answers in prose has no score, and is told why', { timeout: LONGEST_MS }, async () => {
    const few = ['--most', '9', '--malformed', '0', '--min-success', '0', '--out', 'prose'];
    const { exit, stdout } = await run('--command', `node ${SERVER} --prose`, '--openapi', 'pets.json', ...few);
    expect(exit).toBe(1);
    expect(stdout).toContain('did not answer with JSON once');
    expect(stdout).not.toMatch(/^(reachable|task success)/m);
  });

  test('with a few tools is asked only what they can do: read, change and remove', {
    timeout: LONGEST_MS,
  }, async () => {
    const few = ['--most', '12', '--malformed', '0', '--agent', 'oracle', '--out', 'few'];
    await run('--command', `node ${SERVER} --only visit`, '--openapi', 'pets.json', ...few);
    const { scenarios, coverage, rows, oracle } = await resultIn('few');
    expect(coverage).toMatchObject({ matched: 5, operations: 25 });
    expect(rows).toHaveLength(12);
    expect(scenarios?.uncovered).toBeGreaterThan(12);
    expect(oracle?.solved).toBe(oracle?.of);
    const calls = (await readFile(join(folder, 'few/recordings.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { ledger: { method: string }[] }).ledger.map(({ method }) => method));
    expect(new Set(calls)).toEqual(new Set(['GET', 'PATCH', 'DELETE']));
  });

  test('whose address of the API is fixed is played by one process', { timeout: LONGEST_MS }, async () => {
    const port = await freePort();
    const fixed = ['--api-port', String(port), '--env', `SVC_API_URL=http://127.0.0.1:${port}/ns/try-1/api`];
    const few = ['--openapi', 'pets.json', '--most', '18', '--malformed', '0', '--agent', 'oracle', '--out', 'fixed'];
    await run('--command', `node ${SERVER} --ask`, ...fixed, ...few);
    const { oracle } = await resultIn('fixed');
    expect(oracle).toMatchObject({ solved: 18, of: 18 });
    expect((await resultIn('fixed')).reuse).toMatchObject({ reused: 0 });
  });

  test('over HTTP with a bearer token; a gate that does not hold is red', { timeout: LONGEST_MS }, async () => {
    const port = await freePort();
    const server = ['--command', `node ${SERVER} --http ${port}`, '--url', `http://127.0.0.1:${port}/mcp`];
    const header = ['--header', 'authorization: Bearer open-sesame'];
    const rest = ['--openapi', 'pets.json', '--most', '18', '--malformed', '60', '--out', 'http'];
    const gates = ['--min-success', '1', '--max-unapproved', '0', '--junit', 'http/junit.xml'];
    const { exit, stdout } = await run(...server, ...header, ...rest, ...gates);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining('fail: min-success, max-unapproved') });
    const { server: found, oracle, malformed } = await resultIn('http');
    expect(found).toMatchObject({ transport: 'http', info: { name: 'pets' } });
    expect(oracle?.solved).toBe(oracle?.of);
    expect(malformed?.diedAfter).toBeNull();
    const junit = await readFile(join(folder, 'http', 'junit.xml'), 'utf8');
    expect(junit).toContain('<testcase classname="gates" name="max-unapproved"><failure');
    const wrong = await run(...server, '--header', 'authorization: Bearer wrong', ...rest);
    expect({ exit: wrong.exit, stderr: wrong.stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining('SERVER_AUTH'),
    });
    expect(wrong.stderr).not.toContain('wrong');
  });

  test('loses nothing against itself, and everything when it is another server', { timeout: LONGEST_MS }, async () => {
    const few = ['--openapi', 'pets.json', '--most', '9', '--malformed', '0'];
    await run('--command', `node ${SERVER}`, ...few, '--out', 'before');
    const same = await run('--command', `node ${SERVER}`, ...few, '--out', 'same', '--against', 'before/try.json');
    expect(same.exit).toBe(0);
    const broken = join(import.meta.dirname, '..', 'test', 'broken-server.mjs');
    const other = await run(
      '--command',
      `node ${broken} wrong-call`,
      ...few,
      '--out',
      'other',
      '--against',
      'before/try.json',
    );
    expect({ exit: other.exit, stdout: other.stdout }).toEqual({
      exit: 1,
      stdout: expect.stringMatching(/against: expected every run .* \d+ lost/),
    });
  });

  test('is played on scenarios of its own as on generated ones', { timeout: LONGEST_MS }, async () => {
    const few = ['--command', `node ${SERVER}`, '--openapi', 'pets.json', '--malformed', '0'];
    await run(...few, '--most', '9', '--out', 'made');
    const { exit } = await run(...few, '--scenarios', 'made/scenarios', '--out', 'own');
    expect(exit).toBe(0);
    const [made, own] = [await resultIn('made'), await resultIn('own')];
    expect(own.rows.map(({ scenario, agent, success }) => [scenario, agent, success])).toEqual(
      made.rows.map(({ scenario, agent, success }) => [scenario, agent, success]),
    );
  });
});

const OK = ['--command', `node ${SERVER}`];
test.each<[string, string[], string, string]>([
  ['no server', [], 'USAGE', 'got neither'],
  ['no document of that name', [...OK, '--openapi', 'none.json'], 'DOCUMENT_UNSERVED', 'no such file'],
  ['a document without paths', [...OK, '--openapi', 'no-paths.json'], 'DOCUMENT_UNSERVED', '`paths`'],
  ['a document that is no YAML', [...OK, '--openapi', 'not-yaml.yaml'], 'DOCUMENT_UNSERVED', 'not-yaml.yaml'],
  ['no operation that reads', [...OK, '--openapi', 'only-writes.json'], 'DOCUMENT_UNSERVED', '0 of them GET'],
  ['no such command', ['--command', 'no-such-program --x'], 'SERVER_UNREACHABLE', 'ENOENT'],
  ['nobody at the address', ['--url', 'http://127.0.0.1:9/mcp'], 'SERVER_UNREACHABLE', 'got no connection'],
  ['no address', ['--url', 'localhost:3000'], 'USAGE', 'http or https'],
  ['a header without a colon', [...OK, '--header', 'secret-token'], 'USAGE', '--header'],
  ['an agent that there is none of', [...OK, '--agent', 'genius'], 'USAGE', 'oracle'],
  ['no scenario folder', [...OK, '--openapi', 'pets.json', '--scenarios', 'none'], 'SCENARIO_INVALID', 'a folder'],
  ['an empty folder', [...OK, '--openapi', 'pets.json', '--scenarios', 'empty'], 'SCENARIO_INVALID', 'no such file'],
  [
    'a scenario of another shape',
    [...OK, '--openapi', 'pets.json', '--scenarios', 'wrong'],
    'SCENARIO_INVALID',
    'read/one.yaml',
  ],
  [
    'a scenario of an operation that the document lacks',
    [...OK, '--openapi', 'pets.json', '--scenarios', 'absent'],
    'SCENARIO_INVALID',
    'absent/read/one.yaml:9: `expect.api_calls.0` should be an operation of the document, got "GET /pet" (string); did you mean "GET /pets"?',
  ],
  ['scenarios without a document', [...OK, '--scenarios', 'wrong'], 'USAGE', '--openapi'],
  ['a folder for a file', [...OK, '--junit', 'empty'], 'USAGE', '--junit should name a file, got the folder "empty"'],
  ['an earlier result that is none', [...OK, '--against', 'pets.json'], 'RECORDING_INVALID', 'try.json'],
])('%s: exit 2, with what was expected and what came', { timeout: LONGEST_MS }, async (_, options, code, words) => {
  const { exit, stderr } = await run(...options);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(`${code}: `) });
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('secret-token');
});

test('an address where another program answers is not tried in place of the server', {
  timeout: LONGEST_MS,
}, async () => {
  const other = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const there = ['--command', `node ${SERVER} --http ${port}`, '--url', `http://127.0.0.1:${port}/mcp`];
  const { exit, stderr } = await run(...there, '--openapi', 'pets.json');
  other.close();
  expect({ exit, stderr }).toEqual({ exit: 3, stderr: expect.stringContaining('PORT_IN_USE: ') });
  expect(stderr).toContain('leave --command out');
});
