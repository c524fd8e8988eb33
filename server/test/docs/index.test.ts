/** The way in: every page is one click away from docs/index.md, once, and has one topic. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-imports.ts';

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const linked = (text: string) => [...text.matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, name]) => name as string);

test('the index links every page of the folder, once', () => {
  expect(linked(page('index.md')).sort()).toEqual(pages.filter((name) => name !== 'index.md').sort());
});

test('the list of decisions links every decision, once', () => {
  const decisions = readdirSync(join(root, 'docs', 'decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
  expect(linked(page('decisions/README.md')).sort()).toEqual(decisions.sort());
});

test.each(pages)('%s has one heading of its own, and begins with it', (name) => {
  const prose = page(name).replace(/```[\s\S]*?```/g, '');
  expect(prose.match(/^# .+$/gm)).toHaveLength(1);
  expect(page(name)).toMatch(/^(<!--.*-->\n)*# \S/);
});
