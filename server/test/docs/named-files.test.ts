/** Every source file and folder that an overview page names in backticks exists in the tree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-imports.ts';

const PAGES = [
  'server/README.md',
  'fake-api/README.md',
  'harness/README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
] as const;

/** Derived or outside the repository. */
const NOT_IN_THE_TREE = /^(~|\/|var\/|node_modules\/|reports\/)/;

const tree = ['server', 'fake-api', 'harness', 'scenarios', 'docs'].flatMap((program) => [
  program,
  ...readdirSync(join(root, program), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(program, path)),
]);

/** Names in backticks that end in `.ts`, `.mjs` or `/`, outside of code blocks. */
function namesIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const spans = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
  return [...new Set(spans.filter((name) => /^[\w.{},/<>*-]+(\.ts|\.mjs|\/)$/.test(name)))];
}

/** `<name>` and `*` stand for any part of a name, `{a,b}` for each of its names. */
function alternatives(name: string): string[] {
  const [whole, before, inner, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  if (whole === undefined) return [name];
  return (inner ?? '').split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}

/** A name is a path from the repository, or the end of a path in the folder of the page. */
function exists(name: string, page: string): boolean {
  const path = name.replace(/\/$/, '');
  if (existsSync(join(root, path))) return true;
  const pattern = path.replaceAll(/[.+]/g, '\\$&').replaceAll(/<[^>]*>|\*/g, '[^/]+');
  const own = dirname(page) === '.' || dirname(page) === 'docs' ? '' : `${dirname(page)}/`;
  const end = new RegExp(`^${own}(.*/)?${pattern}$`);
  return tree.some((file) => end.test(file));
}

const missing = (text: string, page: string): string[] =>
  namesIn(text)
    .filter((name) => !NOT_IN_THE_TREE.test(name))
    .flatMap(alternatives)
    .filter((name) => !exists(name, page));

test.each(PAGES)('%s names only files and folders that exist', (page) => {
  expect(missing(readFileSync(join(root, page), 'utf8'), page)).toEqual([]);
});

test('a name without a file is found, also one of several in braces', () => {
  const text =
    'Of `http/guard.ts`, `dispatch/{dispatch,gone}.ts`, `tools/local/<toolset>/<name>.ts`, `intake/`, `npm run x`.';
  expect(missing(text, 'server/README.md')).toEqual(['dispatch/gone.ts', 'intake/']);
});
