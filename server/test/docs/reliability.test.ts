/** Every line of docs/reliability.md names a command that there is, and every robustness check has a line and a mutant. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cellOf, jobsOf, withCells } from '../bench/nightly/nightly-cells.ts';
import { type NightlyRun, readHistory } from '../bench/nightly/nightly-history.ts';
import { loadJobs } from '../bench/nightly/nightly-job.ts';
import { MUTANTS } from '../bench/robust/robust-mutants.ts';
import { root } from './source-imports.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const page = text('docs/reliability.md');
const scripts = JSON.parse(text('package.json')).scripts as Record<string, string>;
/** The recorded nightly runs. Without the file nothing was recorded, and the table was written by hand. */
const nights = readHistory(join(root, 'reports/nightly.json'));
const rows = (page.split('| # | What is done')[1]?.split('\n\n')[0] ?? '')
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));
const played = loadJobs();
const lines = played.map(({ id }) => id);
const checks = readdirSync(join(root, 'server/test/bench/robust'))
  .flatMap((name) => [...text(`server/test/bench/robust/${name}`).matchAll(/RobustCheck = \{ id: '(R\d+)'/g)])
  .map((match) => match[1] as string);

test('each line has a figure or says where it is, and a command that exists', () => {
  expect(rows.length).toBeGreaterThan(7);
  for (const [, id, what, figure, cell] of rows) {
    const [, script, only] = /^`npm run ([a-z:]+)(?: -- --only ([\w,-]+))?`$/.exec(cell ?? '') ?? [];
    expect(scripts, `${id} ${what}`).toHaveProperty([script ?? 'none']);
    expect(figure, `${id} ${what}`).not.toBe('');
    expect(figure).not.toContain('@');
    if (script === 'nightly') {
      const named = only?.split(',') ?? [];
      expect(named.length, `${id} ${what}`).toBeGreaterThan(0);
      expect(named.filter((name) => !lines.includes(name) || !(id === '–' || name.startsWith(id ?? '')))).toEqual([]);
    }
    if (script === 'bench:robust') expect([only, checks.includes(id ?? '')]).toEqual([id, true]);
  }
});

test('each robustness check has a line, and a router broken for it', () => {
  expect(checks.length).toBeGreaterThan(6);
  const ids = rows.map(([, id]) => id);
  expect(checks.filter((id) => !ids.includes(id))).toEqual([]);
  expect(Object.keys(MUTANTS).sort()).toEqual([...checks].sort());
});

test('what a mutant breaks stands in its file exactly once', () => {
  for (const [id, { file, search }] of Object.entries(MUTANTS)) expect(text(file).split(search), id).toHaveLength(2);
});

test('the line that docs/nightly.md shows is the one that is played', () => {
  const shown = /^```yaml\n(.*?)^```$/ms.exec(text('docs/nightly.md'))?.[1];
  expect(shown).toBe(text('server/test/bench/nightly/jobs/R8.yaml'));
});

test('the rows stand in the order of their numbers', () => {
  const numbers = rows.map(([, id = '']) => (id === '–' ? Number.POSITIVE_INFINITY : Number(id.slice(1))));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('each figure is the one that a nightly run recorded; npm run nightly -- --page --record writes them', () => {
  expect(withCells(page, played, nights)).toBe(page);
});

describe('the figures of a nightly run', () => {
  const night = (more: Partial<NightlyRun['lines'][string]> = {}): NightlyRun => ({
    at: '2026-11-22T03:00:00Z',
    commit: '0123456789abcdef',
    cores: 2,
    lines: {
      R13: { state: 'passed', seconds: 1, figures: { failures: 0, replaced: 1000, 'latest cut': 7.9131 }, ...more },
    },
  });
  const line = played.filter(({ id }) => id === 'R13');

  test('are written as people read them, with their date and commit, and nowhere else', () => {
    const cell = 'failures: 0, replaced: 1,000, latest cut: 7.91 (2026-11-22, 01234567)';
    expect(cellOf(line, [night()])).toBe(cell);
    const before = page.split('\n');
    const after = withCells(page, played, [night()]).split('\n');
    const changed = after.filter((row, at) => row !== before[at]);
    expect(changed).toEqual([expect.stringMatching(/^\| R13 \| .* \| `npm run bench:robust -- --only R13` \|$/)]);
    expect(changed[0]).toContain(`| ${cell} |`);
    expect(withCells(after.join('\n'), played, [night()])).toBe(after.join('\n'));
  });

  test('show a failed job, and come from the newest run that has all jobs of a row', () => {
    expect(cellOf(line, [night({ state: 'failed' })])).toMatch(/^FAILED: failures: 0/);
    const other: NightlyRun = { ...night(), commit: 'fedcba9876', lines: {} };
    expect(cellOf(line, [night(), other])).toContain('01234567');
    expect(cellOf([...line, ...line.map((one) => ({ ...one, id: 'R99' }))], [night()])).toBeUndefined();
  });

  test.each([
    ['`npm run bench:robust -- --only R15`', ['R15-time']],
    ['`npm run bench:robust -- --only R1`', ['R1']],
    ['`npm run nightly -- --only R18,R18-swap`', ['R18', 'R18-swap']],
    ['`npm run conformance`', ['R22']],
    ['`npm run bench:http`', []],
  ])('%s plays %j', (command, ids) => {
    expect(jobsOf(command, played).map(({ id }) => id)).toEqual(ids);
  });
});
