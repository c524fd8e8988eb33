/** The pages of the site: what can be reached by links from the README. Everything else that ends in .md is data or a test's. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '../../../..');
const FIRST = 'README.md';

const proseOf = (page: string) => readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** Paths from the root, the first page first. */
export function sitePages(): string[] {
  const found = [FIRST];
  for (const page of found)
    for (const [, target = ''] of proseOf(page).matchAll(/\]\((?!\w+:)([^)#\s]+\.md)(?:#[^)]*)?\)/g)) {
      const path = normalize(join(dirname(page), target));
      if (!found.includes(path)) found.push(path);
    }
  return found;
}

interface SidebarGroup {
  text: string;
  items: { text: string; link: string }[];
}

/** Groups of docs/index.md: a title in bold, then a table of pages. */
export function sidebar(): SidebarGroup[] {
  const text = readFileSync(join(root, 'docs/index.md'), 'utf8');
  const groups = [...text.matchAll(/^\*\*(.+)\*\*\n\n((?:\|.*\n?)+)/gm)].map(([, title = '', table = '']) => ({
    text: title,
    items: [...table.matchAll(/^\| \[(.+?)\]\((.+?)\.md\)/gm)].map(([, name = '', path = '']) => ({
      text: name,
      link: normalize(join('/docs', path)),
    })),
  }));
  if (groups.length < 2) throw new Error('docs/index.md should hold a bold title and a table for each group of pages');
  return groups;
}

/** As the forge makes them, so that a link works there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
