/** Servers in front of the real fake: counted, killed and taken up again, joined, asked by a model, and one of another kind than ours. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { playScripts } from '../llm/testing/script.ts';
import { SCRIPTS } from '../llm/testing/scripted-runs.ts';
import { STUB_KEY, startStubEndpoint } from '../llm/testing/stub-endpoint.ts';
import { loadAgents } from '../sandbox/agent-process.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { parseSubject } from '../subject/subject.ts';
import { measureCell } from './cell.ts';
import { openCell } from './compare-journal.ts';
import type { Comparison } from './server-comparison.ts';

const root = join(import.meta.dirname, '..', '..');
const out = await mkdtemp(join(tmpdir(), 'harness-compare-'));
afterAll(() => rm(out, { recursive: true, force: true }));

interface Ended {
  exit: number;
  said: string;
  text: string;
  comparison: Comparison;
}

async function run(argv: string[], env: Record<string, string> = {}): Promise<Ended> {
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  const asked = ['compare', '--yes', '--sizes', 'one', '--seed', '77', '--no-timings', '--out', out, ...argv];
  const exit = await main(asked, { stdout: stream, stderr: stream, env });
  const text = await readFile(join(out, 'comparison.json'), 'utf8').catch(() => '{}');
  return { exit, said, text, comparison: JSON.parse(text) as Comparison };
}

async function compare(...argv: string[]): Promise<Ended> {
  const ended = await run(['--filter', 'alerts/take', ...argv]);
  expect(ended.exit, ended.said).toBe(0);
  return ended;
}

const of = (comparison: Comparison, subject: string) => ({
  cell: comparison.cells.find((cell) => cell.subject === subject),
  score: comparison.scores.find((score) => score.subject === subject && score.suite === 'all'),
});

test('a killed run continues to the same bytes, and so do a new run and a merge of stored results', async () => {
  const subjects = ['--subjects', 'router,office-suite'];
  const whole = await compare(...subjects, '--fresh');
  expect(of(whole.comparison, 'router')).toMatchObject({
    cell: { oracle: { solved: 1, of: 1, comparable: true }, tools: 3 },
    score: { success: 1, selection: 1, unsafe: 0 },
  });
  expect(of(whole.comparison, 'office-suite').cell?.absent).toContain('no OpenAPI document');
  expect(whole.comparison.fixtures).toMatchObject([{ digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }]);

  // As a kill leaves it: the last line torn, the cell not finished.
  const [file = '', finished = ''] = await journalOf('router');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, `${lines[0]}\n${lines[1]?.slice(0, 40)}`);
  await rm(finished);
  const refused = await run(['--filter', 'alerts/take', ...subjects, '--merge']);
  expect(refused).toMatchObject({
    exit: 2,
    said: expect.stringContaining('MERGE_REFUSED: router at one should be in'),
  });
  expect((await compare(...subjects)).text).toBe(whole.text);
  const joined = await compare(...subjects, '--merge');
  expect(joined.text).toBe(whole.text);
  expect(joined.said, 'measures nothing').not.toMatch(/ s: /);
});

test('a model takes part if an endpoint is configured, and the page names it', async () => {
  await using stub = await startStubEndpoint({ answer: playScripts(SCRIPTS) });
  const endpoint = {
    SVC_LLM_BASE_URL: stub.baseUrl,
    SVC_LLM_API_KEY: STUB_KEY,
    SVC_LLM_MODEL: 'scripted',
    SVC_LLM_HERMETIC: '1',
    SVC_LLM_SEED: 'run',
  };
  const asked = ['--filter', 'wlan-change/hide-network', '--subjects', 'router', '--runs', '2', '--fresh'];
  const { exit, said, comparison } = await run(asked, endpoint);
  expect(exit, said).toBe(0);
  expect(comparison.agents).toEqual(['oracle', 'retrieval', 'gullible', 'llm']);
  expect(comparison.answered).toMatchObject({ as: ['scripted-2026-01-01'], fingerprints: ['fp_stub'] });
  expect(stub.requests.map(({ seed }) => seed)).toEqual(expect.arrayContaining([77, 78]));
  expect(comparison.scores.find(({ agent, suite }) => agent === 'llm' && suite === 'all')).toMatchObject({
    scenarios: 1,
    runs: 2,
    success: 1,
  });
  const page = await readFile(join(out, 'comparison.md'), 'utf8');
  expect(page).toContain('the agent llm asks the model scripted');
  expect(page).toContain('worked by llm');
  const elsewhere = await run(asked, { ...endpoint, SVC_LLM_BASE_URL: 'http://192.0.2.1/v1' });
  expect(elsewhere).toMatchObject({ exit: 2, said: expect.stringContaining('ENDPOINT_INVALID') });
});

test('a server with one tool per operation answers a question in the merged world', async () => {
  const subject = parseSubject(
    [
      'name: plain',
      'about: one tool per operation',
      'source: { working_tree: harness/test }',
      'world: merged',
      'command: [node, harness/test/openapi-server.mjs, "{document}", "{api}"]',
      'transports: [stdio]',
      'env: {}',
      'transport_env: {}',
      'gate_env: { closed: {}, open: {} }',
      'confirmation: none',
      'surface: {}',
    ].join('\n'),
    'plain',
  );
  const scenarios = (await loadScenarios(root)).filter(({ id }) => id === 'alerts/worst-now');
  const agents = (await loadAgents()).filter(({ id }) => id === 'oracle' || id === 'retrieval');
  const journal = await openCell(join(out, 'plain'), 'plain', 'one');
  const { signal } = new AbortController();
  const given = { root, subject, size: 'one' as const, scenarios, agents, seed: 77, runs: 1, signal };
  const cell = await measureCell({ ...given, timed: false, minutes: 20 }, journal);
  expect(cell).toMatchObject({ tools: expect.any(Number), operations: { of: cell?.tools, absent: [] } });
  expect(journal.rows.map(({ agent, status, calls }) => ({ agent, status, calls }))).toContainEqual({
    agent: 'oracle',
    status: 'passed',
    calls: 1,
  });
});

/** Rows and finished cell of the comparison that was written last. */
async function journalOf(subject: string): Promise<string[]> {
  const folder = join(root, 'var', 'compare');
  const names = await readdir(folder, { recursive: true });
  const lines = names.filter((name) => new RegExp(`one\\.${subject}-[0-9a-f]{8}\\.jsonl$`).test(name));
  const found = await Promise.all(lines.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  const { name = '' } = found.sort((a, b) => b.at - a.at)[0] ?? {};
  return [join(folder, name), join(folder, name.replace('.jsonl', '.json'))];
}
