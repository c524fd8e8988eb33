/** Every line of docs/reliability.md names a command that there is, and every robustness check has a line and a mutant. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadLines } from '../server/bench/nightly/line.ts';
import { MUTANTS } from '../server/bench/robust/mutants.ts';
import { root } from './source-imports.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const page = text('docs/reliability.md');
const scripts = JSON.parse(text('package.json')).scripts as Record<string, string>;
const rows = (page.split('| # | What is done')[1]?.split('\n\n')[0] ?? '')
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));
const lines = loadLines().map(({ id }) => id);
const checks = readdirSync(join(root, 'server/bench/robust'))
  .flatMap((name) => [...text(`server/bench/robust/${name}`).matchAll(/RobustCheck = \{ id: '(R\d+)'/g)])
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
      expect(named.filter((name) => !lines.includes(name) || !name.startsWith(id ?? ''))).toEqual([]);
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
  expect(shown).toBe(text('server/bench/nightly/lines/R8.yaml'));
});
