/** Nightly jobs: how they are read, distributed and displayed. The command has tests of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../support/child-process.ts';
import { type NightlyRun, runOf, withRun } from './nightly-history.ts';
import { goalText, JOBS, loadJobs, parseJob, partOfDay, readFigures } from './nightly-job.ts';
import { nightlyPage } from './nightly-page.ts';
import { notRunOf, type Outcome } from './nightly-run.ts';
import { parseShard, shardOf } from './nightly-shards.ts';

const lines = loadJobs();
const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as Record<string, string>;

describe('the jobs', () => {
  test('fit into three hours on two cores, and so do their sabotages', () => {
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(180);
    expect(lines.reduce((sum, { sabotage }) => sum + sabotage.minutes, 0)).toBeLessThanOrEqual(180);
  });

  test.each(lines)(
    '$id names files that exist, and the text that its sabotage replaces occurs once',
    ({ run, sabotage }) => {
      if ('script' in run) expect(scripts).toHaveProperty([run.script]);
      else expect(run.tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
      if ('file' in sabotage)
        expect(readFileSync(join(ROOT, sabotage.file), 'utf8').split(sabotage.search)).toHaveLength(2);
    },
  );
});

/** Where a job finds a figure that one of its tests reports. */
const REPORTED = /^figures\.(\w+)/;

test.each(lines.flatMap(({ id, run, figures = [] }) => ('tests' in run ? [{ id, run, figures }] : [])))(
  '$id plays the files that report its figures',
  ({ run, figures }) => {
    const text = run.tests.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const reported = [...text.matchAll(/reportFigures\([^;]*/g)].join('\n');
    const names = figures.flatMap(({ at }) => REPORTED.exec(at)?.[1] ?? []);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(reported))).toEqual([]);
  },
);

describe('a job too long for one run', () => {
  test('runs another part every day, and all parts in as many days', () => {
    const parts = Array.from({ length: 14 }, (_, at) => partOfDay('[--shard, {part of 7}]', 20_000 + at));
    expect(new Set(parts).size).toBe(7);
    expect(new Set(parts.slice(0, 7))).toEqual(new Set(parts.slice(7)));
    expect(parts[0]).toBe('[--shard, 2/7]');
  });

  test('has another text for another part, so that no outcome of another day counts', () => {
    const [today, tomorrow] = [20_000, 20_001].map((day) => loadJobs(JOBS, day).find(({ id }) => id === 'spam'));
    expect(today?.title).not.toBe(tomorrow?.title);
    expect(today?.text).not.toBe(tomorrow?.text);
  });
});

test('a line of tests has the figures that its tests tell, beside how many passed', () => {
  const yaml =
    'title: A job for a test\nrun: { tests: [a.test.ts] }\nminutes: 1\nsabotage: { arguments: [], minutes: 1 }\n' +
    'figures: [{ name: cells, at: figures.cells, goal: { least: 250 } }]';
  const printed = { numPassedTests: 1, numFailedTests: 0, figures: { cells: 249 } };
  expect(readFigures(parseJob(yaml, 'x'), printed).map(({ name, held }) => [name, held])).toEqual([
    ['tests passed', true],
    ['tests failed', true],
    ['cells', false],
  ]);
});

describe('a line', () => {
  const text = (more: string) => `title: A job for a test\nrun: { script: x }\nminutes: 1\n${more}`;
  const figures = 'figures: [{ name: lost, at: a.0.lost, unit: calls, goal: { most: 2 } }]\n';
  const sabotage = 'sabotage: { arguments: [], minutes: 1 }\n';

  test.each([
    ['without a sabotage', text(figures), /sabotage/],
    ['without figures', text(sabotage), /`figures` should name/],
    ['with an unknown key', text(`${figures}${sabotage}also: 1\n`), /additional properties/],
    ['with a goal that says nothing', text(`figures: [{ name: lost, at: a, goal: {} }]\n${sabotage}`), /fewer/],
  ])('%s is refused', (_, yaml, reason) => expect(() => parseJob(yaml, 'x')).toThrow(reason));

  test('of short and long tests at once is refused, for a run would leave half of them out', () => {
    const both = `title: A job for a test\nrun: { tests: [a.test.ts, b.slow.test.ts] }\nminutes: 1\n${sabotage}`;
    expect(() => parseJob(both, 'x')).toThrow(/all end in/);
  });

  const line = parseJob(text(figures + sabotage), 'x');
  test.each([
    [{ a: [{ lost: 2 }] }, 2, true],
    [{ a: [{ lost: 3 }] }, 3, false],
    [{ a: [{ lost: 'none' }] }, 'none', false],
    [{ a: [] }, null, false],
    [undefined, null, false],
  ])('finds its figure in %j', (printed, value, held) => {
    expect(readFigures(line, printed)).toEqual([{ name: 'lost', value, unit: 'calls', goal: { most: 2 }, held }]);
  });

  test('says its goal', () => {
    expect([goalText({ most: 2 }), goalText({ least: 1, most: 2 }), goalText({ is: 0 }), goalText()]).toEqual([
      '≤ 2',
      '≥ 1, ≤ 2',
      '0',
      'recorded',
    ]);
  });
});

test('a command that says it could not try anything was not run, whatever else it says', () => {
  const printed = { exit: 3, passed: false, outcomes: [{ failures: [] }], notRun: 'R11: mount: permission denied' };
  expect(notRunOf(printed)).toEqual({ state: 'not-run', reason: 'R11: mount: permission denied', figures: [] });
  expect([notRunOf({ exit: 1, passed: false }), notRunOf(undefined)]).toEqual([undefined, undefined]);
});

describe('shards', () => {
  test.each([1, 2, 5, 40])('of %i hold every line once, and none much longer than another', (count) => {
    const shares = Array.from({ length: count }, (_, at) => shardOf(lines, at + 1, count));
    expect(
      shares
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(lines.map(({ id }) => id).sort());
    const minutes = shares.map((share) => share.reduce((sum, line) => sum + line.minutes, 0));
    const longest = Math.max(...lines.map((line) => line.minutes));
    expect(Math.max(...minutes) - Math.min(...minutes)).toBeLessThanOrEqual(longest);
  });

  test.each(['0/2', '3/2', '2', 'a/b'])('%s is none', (text) => expect(() => parseShard(text)).toThrow(/--shard/));
});

const outcome: Outcome = {
  id: 'R4',
  kind: 'job',
  title: 'A <crowd>',
  state: 'passed',
  figures: [{ name: 'lost', value: 3, goal: { most: 2 }, held: false }],
  seconds: 4,
  at: '2026-08-01T00:00:00Z',
  key: 'k',
};

test('a run recorded in parts is one run, and the next commit is another', () => {
  const run = (commit: string, id: string): NightlyRun => runOf([{ ...outcome, id }], commit, 2);
  const nights = [run('a', 'R1'), run('a', 'R2'), run('b', 'R1')].reduce<NightlyRun[]>(withRun, []);
  expect(nights.map(({ commit, lines: seen }) => [commit, Object.keys(seen)])).toEqual([
    ['a', ['R1', 'R2']],
    ['b', ['R1']],
  ]);
});

test('the page shows each figure against its goal and its history, loads nothing, and text is text', async () => {
  const nights = [1, 5].map((lost, at) =>
    runOf([{ ...outcome, figures: [{ name: 'lost', value: lost, held: true }] }], `${at}`, 2),
  );
  const absent: Outcome = { ...outcome, id: 'R17', state: 'not-run', reason: 'needs promtool', figures: [] };
  const page = await nightlyPage([outcome, absent, { ...outcome, kind: 'sabotage' }], nights, 'abc');
  expect(page).toContain('A &lt;crowd&gt;');
  expect(page).toContain('≤ 2');
  expect(page).toContain('missed');
  expect(page).toContain('<svg');
  expect(page).toMatch(/Not run here, because.*needs promtool/s);
  expect(page).not.toMatch(/<script|<link|src=|url\(http/);
});
