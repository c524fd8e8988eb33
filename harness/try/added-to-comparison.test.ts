/** A try of a server beside a published comparison: it gets the numbers that the comparison gives the same runs. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import type { Row } from '../compare/row.ts';
import type { Comparison } from '../compare/server-comparison.ts';
import { newestRelease, readComparison } from '../compare/stored.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = await mkdtemp(join(tmpdir(), 'added-try-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const release = (await newestRelease(root))!;
const { measured } = (await readComparison(root, release))!;
const [TWIN = ''] = measured.cells
  .filter(({ size, notRun }) => size === 'one' && notRun === undefined)
  .map(({ subject }) => subject);
const ofTwin = measured.rows.filter(({ subject, size }) => subject === TWIN && size === 'one');

/** A result of the twin's own runs under another name. */
function tryOf(change: { name?: string; size?: string; rows?: Row[] } = {}): object {
  const { name = 'our-server', size = 'one', rows = ofTwin } = change;
  return {
    version: 1,
    server: { name, transport: 'stdio' },
    agents: measured.agents,
    document: { name: size, title: '', operations: 10 },
    surface: { tools: 3, bytes: 2_000, tokens: 500 },
    coverage: { operations: 10, matched: 9, absent: ['one'] },
    writes: { asks: true },
    rows: rows.map((row) => ({ ...row, subject: name })),
  };
}

async function compare(...results: unknown[]): Promise<{ exit: number; said: string }> {
  const files = results.map((_, at) => join(folder, `try-${at}.json`));
  await Promise.all(results.map((result, at) => writeFile(files[at] as string, JSON.stringify(result))));
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  const words = [
    'compare',
    '--from',
    release,
    '--out',
    join(folder, 'out'),
    ...files.flatMap((file) => ['--add', file]),
  ];
  return { exit: await main(words, { root, stdout: stream, stderr: stream }), said };
}

test('the added server has the scores of the same runs, in the numbers, the text and the page', async () => {
  expect(await compare(tryOf())).toMatchObject({ exit: 0 });
  const made = JSON.parse(await readFile(join(folder, 'out', 'comparison.json'), 'utf8')) as Comparison;
  const scoresAs = (subject: string, name: string) =>
    made.scores
      .filter((score) => score.subject === subject && score.size === 'one')
      .map((score) => ({ ...score, subject: name }));
  expect(scoresAs('our-server', 'x')).toEqual(scoresAs(TWIN, 'x'));
  expect(scoresAs('our-server', 'x').length).toBeGreaterThan(0);
  expect(made.cells.find(({ subject }) => subject === 'our-server')).toMatchObject({ tools: 3, definitionTokens: 500 });
  // What is stored with the version is the published rows alone, of which this is none.
  expect(made.recorded).toBeUndefined();
  for (const name of ['comparison.md', 'comparison.html'])
    expect(await readFile(join(folder, 'out', name), 'utf8')).toContain('our-server');
});

test.each<[string, unknown[], RegExp]>([
  ['of a document', [tryOf({ size: 'pets' })], /at a size of the comparison \(.*\), got pets/],
  [
    'with a run too few',
    [tryOf({ rows: ofTwin.filter((row) => row !== ofTwin.find(({ agent }) => agent === 'retrieval')) })],
    /should have the runs of the other servers, got none of .* with seed \d+ by \w+/,
  ],
  [
    'of other values',
    [tryOf({ rows: ofTwin.map((row) => ({ ...row, seed: row.seed + 1_000 })) })],
    /should have the runs of the other servers/,
  ],
  [
    'with runs of its own',
    [tryOf({ rows: [...ofTwin, { ...(ofTwin[0] as Row), scenario: 'mine/own' }] })],
    /no other runs than they, got mine\/own/,
  ],
  ['of a server that is there', [tryOf({ name: TWIN })], /a server that the comparison does not have/],
  ['twice', [tryOf(), tryOf()], /a server that the comparison does not have, got our-server/],
  ['of no version', [{ rows: [] }], /should be a try\.json of version 1/],
])('a result %s is refused with what was expected', async (_, results, message) => {
  const { exit, said } = await compare(...results);
  expect(said).toMatch(message);
  expect(said).toContain('RECORDING_INVALID');
  expect(exit).toBeGreaterThan(0);
});
