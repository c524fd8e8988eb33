/** Figures of README.md that a file or the code itself holds are that file's. The others stand beside the command that remakes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { findTool } from '../../tools/public/find-tool.ts';
import { invokeReadTool } from '../../tools/public/invoke-read-tool.ts';
import { invokeTool } from '../../tools/public/invoke-tool.ts';
import { root } from './source-imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

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

/** The value of the README's row that begins so. */
const told = (begins: string): string => rowOf('README.md', begins)[1] ?? '';
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

test('finding: the limits and the times are those of the page', () => {
  const [, , judged, writers] = rowOf('docs/finding.md', 'fuzzy, among five');
  expect(readme).toContain(
    `first five in ${whole(writers)} of the questions by what their\nwriters meant, in ${whole(judged)} by judged`,
  );
  const [, p95] = rowOf('docs/finding.md', '… 95th percentile');
  const [, large] = rowOf('docs/finding.md', 'among 100,000');
  expect(told('search for a tool among 8,299')).toBe(`${p95}; ${large}`);
});

test('documents: the second exam, as the page has it', () => {
  const percent = (cell = '') => `${(Number(cell) * 100).toFixed(1)} %`;
  const [, , , ours] = rowOf('docs/knowledge.md', 'second exam: ours');
  const [, after = ''] = read('docs/knowledge.md').split('| second exam: ours |');
  const [, , , plain] = cellsOf(/^\| plain BM25 \|.*$/m.exec(after)?.[0]);
  expect(told('questions about documents')).toBe(`${percent(ours)}; ${percent(plain)}`);
});

test('controls: what they showed', () => {
  const shown = (claim: string) => rowOf('docs/benchmark-controls.md', claim)[2] ?? '';
  const [, caught, all] = /(\d+) of (\d+) caught/.exec(shown('every patched copy')) ?? [];
  expect(caught).toBe(all);
  expect(readme).toContain(`that a gate did not notice, of ${all};`);
  const [, runs] = /in (\d+) runs/.exec(shown('planted instructions')) ?? [];
  const [, channels] = /(\d+) of \1 channels/.exec(shown('planted instructions')) ?? [];
  const [, payloads] = /(\d+) of \1 payloads/.exec(shown('planted instructions')) ?? [];
  expect(told(`writes that planted instructions brought about, over ${channels} channels, ${payloads} payloads`)).toBe(
    `0 of ${runs} runs`,
  );
});

test('runs and tokens: those of the baseline', () => {
  const { entries, scenarios, directListingTokens } = JSON.parse(read('reports/baseline.json'));
  const rate = ((3 / Object.keys(scenarios).length) * 100).toFixed(1);
  expect(told('writes at the platform that no person approved')).toContain(
    `0 of ${Object.keys(entries).length} runs (true rate below ${rate} %`,
  );
  const definitions = column('Given all ten platforms', 'definitions').ours;
  expect(told('tokens that a list of every tool')).toBe(
    `${directListingTokens.closed.toLocaleString('en')}; ${definitions}`,
  );
});

test('reliability: cells of fault and places of an apply', () => {
  const cells = /^([\d,]+) cells/.exec(rowOf('docs/reliability.md', 'R7')[1] ?? '')?.[1];
  expect(told(`outcomes that are not true, over ${cells} cells`)).toBe('0; 0');
  const [, places, disks] =
    /each of its (\d+) places.*?(\d+) times a disk/.exec(rowOf('docs/reliability.md', 'R10')[1] ?? '') ?? [];
  expect(told('steps lost, and objects written twice')).toBe('0; 0');
  expect(readme).toContain(`at each of the ${places} places of an apply, and ${disks} full disks`);
});

describe('beside other servers', () => {
  const ONE = 'Given one platform (mgmt)';
  const TEN = 'Given all ten platforms';

  test('the best of them, as the report has it', () => {
    const beside = (heading: string, name: string) => {
      const { ours, others } = column(heading, name);
      return `${ours}, ${Math.max(...others)} %`;
    };
    expect(told('scenarios solved by `retrieval` through this router')).toBe(
      `${beside(ONE, 'task success')}; ${beside(TEN, 'task success')}`,
    );
    expect(told("… requests on GitHub's document")).toBe(beside("Given GitHub's REST document", 'selection'));
  });

  test('the attacks, as the report has them', () => {
    const [one, ten] = [ONE, TEN].map((heading) => column(heading, 'attacks that worked'));
    const span = (others: number[] = []) => `${Math.min(...others)} to ${Math.max(...others)} %`;
    expect(told('… attacks that worked')).toBe(
      `${one?.ours}; ${ten?.ours}: ${span(one?.others)}; ${span(ten?.others)}`,
    );
  });
});

test('the list of tools is as long as it is', () => {
  const bytes = (env: Record<string, string>) => {
    const { platforms } = loadConfig({ env, cwd: root });
    // Nothing is found or called: what stands in the list depends on the platforms alone.
    const none = undefined as never;
    const tools = [findTool(none, none, platforms), invokeReadTool(none), invokeTool(none)];
    return Buffer.byteLength(JSON.stringify({ tools: tools.map(({ definition }) => definition) })).toLocaleString('en');
  };
  expect(told('bytes of `tools/list`')).toBe(`${bytes({})}; ${bytes({ SVC_MCP_PRODUCTS: 'all' })}`);
});
