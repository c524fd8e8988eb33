/**
 * Compares the figures of docs/results.md with the file or the code that holds them, and those of README.md with docs/results.md. A figure that no
 * file holds stands beside the command that remakes it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { findTool } from '../../tools/public/find-tool.ts';
import { invokeReadTool } from '../../tools/public/invoke-read-tool.ts';
import { invokeTool } from '../../tools/public/invoke-tool.ts';
import { root } from './source-imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const PAGE = 'docs/results.md';

const cellsOf = (row = '') =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Cells of the first row below a heading, or anywhere, that begins so. */
function rowOf(path: string, begins: string, heading = ''): string[] {
  const [, below = ''] = heading === '' ? ['', read(path)] : read(path).split(`## ${heading}\n`);
  const row = below.split('\n').find((line) => line.startsWith(`| ${begins}`));
  if (row === undefined) throw new Error(`${path} should have a row that begins with ${begins}`);
  return cellsOf(row);
}

/** The value of the row of the results page that begins so. */
const told = (begins: string): string => rowOf(PAGE, begins)[1] ?? '';
const whole = (percent = '') => `${Math.round(Number.parseFloat(percent))} %`;

/** A cell of the comparison without what stands in parentheses: how sure it is. */
const withoutAside = (cell = '') => cell.replace(/ \(.*\)$/, '');

/** Of one column of the comparison: this router's, and the others'. */
function column(heading: string, name: string): { ours: string; others: number[] } {
  const [, section = ''] = read('reports/comparison.md').split(`## ${heading}\n`);
  // The first table of the section ends with the first empty line behind it.
  const [head = '', , ...rows] = section.trim().split('\n\n')[0]?.split('\n') ?? [];
  const at = cellsOf(head).indexOf(name);
  const own = rows.map(cellsOf);
  const ours = withoutAside(own.find(([server]) => server === 'router')?.[at]);
  const others = own.filter(([server]) => !server?.startsWith('router'));
  return { ours, others: others.map((row) => Number.parseFloat(row[at] ?? '')) };
}

const slugOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

test('finding: the times, and the limit in README.md, are those of the page', () => {
  const [, , judged, writers] = rowOf('docs/finding.md', 'fuzzy, among five');
  expect(read('README.md').replaceAll('\n', ' ')).toContain(
    `first five in ${whole(writers)} by the writers' own answers and in ${whole(judged)} by judged answers`,
  );
  const [, p95] = rowOf('docs/finding.md', '… 95th percentile');
  const [, large] = rowOf('docs/finding.md', 'among 100,000');
  expect([told('search for a tool among 8,092'), told('search for a tool among 100,000')]).toEqual([p95, large]);
});

test('documents: the second question set, as the page has it', () => {
  const percent = (cell = '') => `${(Number(cell) * 100).toFixed(1)} %`;
  const [, , , ours] = rowOf('docs/knowledge.md', 'second set: ours');
  const [, after = ''] = read('docs/knowledge.md').split('| second set: ours |');
  const [, , , plain] = cellsOf(/^\| plain BM25 \|.*$/m.exec(after)?.[0]);
  expect(told('questions about documents')).toBe(percent(ours));
  expect(told('the same with plain BM25')).toBe(percent(plain));
});

test('controls: what they showed', () => {
  const shown = (claim: string) => rowOf('docs/benchmark-controls.md', claim)[2] ?? '';
  const [, caught, all] = /(\d+) of (\d+) caught/.exec(shown('every patched copy')) ?? [];
  expect(caught).toBe(all);
  expect(told(`servers with one thing broken, of ${all}, that a gate did not notice`)).toBe('0');
  const [, runs] = /in (\d+) runs/.exec(shown('planted instructions')) ?? [];
  const [, channels] = /(\d+) of \1 channels/.exec(shown('planted instructions')) ?? [];
  const [, payloads] = /(\d+) of \1 payloads/.exec(shown('planted instructions')) ?? [];
  const planted = `runs with a write that planted instructions brought about, over ${channels} channels, ${payloads} payloads`;
  expect(told(planted)).toBe(`0 of ${runs}`);
});

test('runs and tokens: those of the baseline', () => {
  const { entries, scenarios, directListingTokens } = JSON.parse(read('reports/baseline.json'));
  expect(told('runs with a write at the platform that no person approved')).toBe(`0 of ${Object.keys(entries).length}`);
  expect(told('true rate of such runs')).toBe(`below ${((3 / Object.keys(scenarios).length) * 100).toFixed(1)} %`);
  expect(told('tokens of a list of every tool')).toBe(directListingTokens.closed.toLocaleString('en'));
  expect(told('tokens of the definitions')).toBe(column('Given all ten platforms', 'definitions').ours);
});

test('reliability: cells of fault and places of an apply', () => {
  const cells = /^([\d,]+) cells/.exec(rowOf('docs/reliability.md', 'R7')[1] ?? '')?.[1];
  expect(told(`outcomes that are not true, over ${cells} cells`)).toBe('0');
  expect(told('writes sent twice in these cells')).toBe('0');
  const [, places, disks] =
    /each of its (\d+) places.*?(\d+) times a disk/.exec(rowOf('docs/reliability.md', 'R10')[1] ?? '') ?? [];
  const kills = `steps lost, over kills of a router at each of the ${places} places of an apply, and ${disks} full disks`;
  expect(told(kills)).toBe('0');
  expect(told('objects written twice in these runs')).toBe('0');
});

describe('comparison with other servers', () => {
  const ONE = 'Given one platform (mgmt)';
  const TEN = 'Given all ten platforms';

  test.each([
    ['scenarios of one platform solved by `retrieval` through', ONE, 'task success'],
    ['scenarios of all ten platforms solved by `retrieval` through', TEN, 'task success'],
    ["requests on GitHub's document whose operation comes first,", "Given GitHub's REST document", 'selection'],
  ])('%s this router and the best other server: as the report has it', (row, heading, name) => {
    const { ours, others } = column(heading, name);
    expect(told(`${row} this router`)).toBe(ours);
    expect(told(`${row} the best other server`)).toBe(`${Math.max(...others)} %`);
  });

  test.each([
    ['one platform', ONE],
    ['all ten platforms', TEN],
  ])('attacks that worked, %s: as the report has them', (size, heading) => {
    const { ours, others } = column(heading, 'attacks that worked');
    expect(told(`attacks that worked, ${size}, this router`)).toBe(ours);
    expect(told(`attacks that worked, ${size}, the others`)).toBe(`${Math.min(...others)} to ${Math.max(...others)} %`);
  });
});

test('the list of tools is as long as it is', () => {
  const bytes = (env: Record<string, string>) => {
    const { platforms } = loadConfig({ env, cwd: root });
    // Nothing is found or called: the list depends on the platforms alone.
    const none = undefined as never;
    const tools = [findTool(none, platforms), invokeReadTool(none), invokeTool(none)];
    return Buffer.byteLength(JSON.stringify({ tools: tools.map(({ definition }) => definition) })).toLocaleString('en');
  };
  expect(told('bytes of `tools/list` with the two default platforms')).toBe(bytes({}));
  expect(told('bytes of `tools/list` with all ten platforms')).toBe(bytes({ SVC_MCP_PRODUCTS: 'all' }));
});

test('the headline figures of README.md are rows of the results page, in the section that they link to', () => {
  const rows = [...read('README.md').matchAll(/^\| \[(.+)\]\(docs\/results\.md#([a-z-]+)\) \| (.+) \|$/gm)];
  expect(rows).toHaveLength(5);
  for (const [, figure = '', anchor = '', value] of rows) {
    const heading = /^## (.+)$/gm;
    const section = [...read(PAGE).matchAll(heading)]
      .map(([, name = '']) => name)
      .find((name) => slugOf(name) === anchor);
    expect(section, anchor).toBeDefined();
    expect(rowOf(PAGE, `${figure} |`, section)[1], figure).toBe(value);
  }
});

test('each figure of the results page stands beside a command', () => {
  const rows = read(PAGE)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|Figure|`mgmt`|[\d,]+|\|)/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((row) => cellsOf(row).length !== 3 || !cellsOf(row)[2]?.startsWith('`npm '))).toEqual([]);
});
