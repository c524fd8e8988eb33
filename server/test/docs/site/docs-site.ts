/**
 * `npm run docs [-- --serve]`: the documentation as a site in `var/site`, made by VitePress. Fails when a link or an anchor of the
 * site leads nowhere. `--serve` shows it on a port of this machine until Ctrl-C.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root, sitePages } from './pages.ts';

const here = import.meta.dirname;
const pagesFolder = join(here, 'pages');
const siteFolder = join(root, 'var/site');

function node(words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 2, 2], cwd: here });
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`);
}

/** VitePress finds its packages from the page that it makes, so the pages come to it; comments are for who edits a page. */
function gatherPages(): void {
  rmSync(pagesFolder, { recursive: true, force: true });
  cpSync(join(root, 'docs/pictures'), join(pagesFolder, 'docs/pictures'), { recursive: true });
  for (const page of sitePages()) {
    const text = readFileSync(join(root, page), 'utf8').replace(/^<!--[\s\S]*?-->\n/gm, '');
    mkdirSync(dirname(join(pagesFolder, page)), { recursive: true });
    writeFileSync(join(pagesFolder, page), text);
  }
}

/** Every link and anchor that leads nowhere, with the page that has it. */
export function deadLinks(folder: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((page) => [page, readFileSync(join(folder, page), 'utf8')]),
  );
  const idsOf = new Map([...pages].map(([page, html]) => [page, new Set(valuesOf(html, 'id'))]));
  return [...pages].flatMap(([page, html]) =>
    [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]
      .filter((link) => !/^(\w+:|\/\/)/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site/${page}`);
        const target = fileOf(decodeURI(pathname), folder);
        if (target === undefined) return true;
        return hash !== '' && idsOf.get(target)?.has(decodeURIComponent(hash.slice(1))) === false;
      })
      .map((link) => `${page}: ${link}`),
  );
}

const valuesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

/** As the server of `--serve` finds it. */
const fileOf = (path: string, folder: string): string | undefined =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map((name) => name.replace(/^\//, ''))
    .find((name) => name !== '' && !name.endsWith('/') && existsSync(join(folder, name)));

if (import.meta.main) {
  const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });
  const vitepress = join(here, 'node_modules/vitepress/bin/vitepress.js');
  node([join(root, 'run.mjs'), '--install', relative(root, here)]);
  gatherPages();
  try {
    node([vitepress, 'build', '.']);
  } finally {
    rmSync(pagesFolder, { recursive: true, force: true });
  }
  const dead = deadLinks(siteFolder);
  for (const link of dead) console.error(`leads nowhere: ${link}`);
  console.log(
    `${globSync('**/*.html', { cwd: siteFolder }).length} pages in ${relative(process.cwd(), siteFolder)}, ${dead.length} dead links`,
  );
  if (dead.length > 0) process.exit(1);
  if (values.serve)
    spawnSync(process.execPath, [vitepress, 'preview', '.', '--host', '127.0.0.1'], { stdio: 'inherit', cwd: here });
}
