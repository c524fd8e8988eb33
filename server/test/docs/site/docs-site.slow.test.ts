/** `npm run docs`: every page becomes one of the site, and no link of it leads nowhere. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deadLinks } from './docs-site.ts';
import { root } from './pages.ts';

test('the site has every page of docs/, and no dead link', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'server/test/docs/site/docs-site.ts')], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toMatch(/^\d+ pages in .*, 0 dead links$/m);
  const made = globSync('docs/**/*.html', { cwd: join(root, 'var/site') });
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(pages.map((page) => `docs/${page.replace(/\.md$/, '.html')}`).filter((page) => !made.includes(page))).toEqual(
    [],
  );
});

test('a link, an anchor and a picture that lead nowhere are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.html'), '<h1 id="one"></h1><a href="/docs/b.html#two">x</a><a href="./b">x</a>');
  const links = '<a href="a.html#none">x</a><a href="/c.html">x</a><a href="https://x.test/">x</a><img src="p.png">';
  writeFileSync(join(folder, 'docs/b.html'), `<h2 id="two"></h2>${links}`);
  expect(deadLinks(folder)).toEqual(['docs/b.html: a.html#none', 'docs/b.html: /c.html', 'docs/b.html: p.png']);
  rmSync(folder, { recursive: true });
});
