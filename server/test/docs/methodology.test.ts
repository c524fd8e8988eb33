/** The method, its version and the history of the numbers are held together here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import { describe, expect, test } from 'vitest';
import { METHODOLOGY } from '../../../harness/grading/baseline.ts';
import { fieldName, loadMetrics } from '../../../harness/grading/metric.ts';
import { root } from './source-imports.ts';

const page = readFileSync(join(root, 'docs/benchmark-methodology.md'), 'utf8');
const BASELINE = 'reports/baseline.json';

describe('the methodology page', () => {
  test('has the version that the code and the baseline have, and says what it changed', () => {
    expect(page).toMatch(new RegExp(`^# Benchmark methodology, version ${METHODOLOGY}$`, 'm'));
    expect(page).toMatch(new RegExp(`^\\| ${METHODOLOGY} \\| \\w`, 'm'));
    expect(JSON.parse(readFileSync(join(root, BASELINE), 'utf8')).methodology).toBe(METHODOLOGY);
  });

  test('defines every metric there is, with its gate, and no other', async () => {
    const gates = {
      'no-loss': 'no loss',
      'at-most-10-percent-more': 'at most 10 % more',
      'no-more': 'no more',
      zero: 'zero',
      shown: 'shown',
    };
    const section = page.split('## What is measured')[1]!.split('\n## ')[0]!;
    const rows = [...section.matchAll(/^\| `(\w+)` \|.*\| ([^|]+) \|$/gm)].map(
      ([, name, gate]) => [name, gate] as const,
    );
    const metrics = await loadMetrics();
    expect(rows.map(([name]) => name).sort()).toEqual(metrics.map(fieldName).sort());
    for (const metric of metrics) {
      expect(rows.find(([name]) => name === fieldName(metric))?.[1], metric.id).toContain(gates[metric.gate]);
    }
  });
});

/** Subjects of commits that changed the baseline without a line that says what moved. */
const silent = (commits: readonly { message: string; body: string }[]): string[] =>
  commits.filter(({ body }) => !/^Scores: \S/m.test(body)).map(({ message }) => message);

const git = simpleGit(root);
const isRepository = await git.checkIsRepo().catch(() => false);
const isShallow = isRepository && (await git.raw(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
const why = !isRepository ? 'there is no git history here' : isShallow ? 'this clone is shallow' : undefined;
if (why !== undefined) console.warn(`skipped: the history of ${BASELINE} is not read, because ${why}`);

test.skipIf(why !== undefined)('every commit that changed the baseline says what moved', async () => {
  const { all } = await git.log({ file: BASELINE });
  expect(all.length).toBeGreaterThan(0);
  expect(silent(all)).toEqual([]);
});

test('a commit without such a line is found', () => {
  expect(silent([{ message: 'a', body: 'why\n\nScores: none' }])).toEqual([]);
  expect(silent([{ message: 'b', body: 'Scores are better' }])).toEqual(['b']);
});
