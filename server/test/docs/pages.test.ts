/** Pages lose touch with the code one rename at a time; what can be checked of them is checked here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './source-imports.ts';

const SKIPPED = /^(.*\/)?node_modules(\/|$)|^(var|\.git|reports\/(runs|recordings))(\/|$)/;

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(path)) return [];
    if (entry.isDirectory()) return pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Anchors of a page's headings, as the forge makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')));
}

const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
const BUILT_IN = new Set(['start', 'test', 'ci', 'install', 'i', 'pack', 'run']);

describe.each(pagesBelow('.'))('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test('links only to files that exist', () => {
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test('links only to headings that exist', () => {
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    expect(
      links.filter(([, path, anchor]) => !anchorsOf(path ? join(dirname(page), path) : page).has(anchor!)),
    ).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const named = [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][a-z:-]*)/g)].map((match) => match[1]!);
    const commands = [...text.matchAll(/```[\s\S]*?```/g)].join('\n');
    const direct = [...commands.matchAll(/^npm ([a-z]+)/gm)].map((match) => match[1]!);
    expect([
      ...named.filter((name) => !scripts.includes(name)),
      ...direct.filter((name) => !BUILT_IN.has(name)),
    ]).toEqual([]);
  });

  test('names only program files that exist', () => {
    const files = [
      ...text.matchAll(/(?<![\w/.-])((?:server|fake-api|harness|docs)\/[\w/.-]+\.(?:ts|mjs|yaml|json))\b/g),
    ];
    expect([...new Set(files.map((match) => match[1]!))].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('what is said about the scenarios', () => {
  const results = readFileSync(join(root, 'docs/results.md'), 'utf8');
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const count = readdirSync(join(root, 'scenarios'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  ).length;
  const entries = Object.entries<{ passed: number[] }>(
    JSON.parse(readFileSync(join(root, 'reports/baseline.json'), 'utf8')).entries,
  );
  const share = (agent: string, kind: (key: string) => boolean) => {
    const own = entries.filter(([key]) => key.startsWith(`${agent}/`) && kind(key));
    return `${own.filter(([, entry]) => entry.passed[0] === 1).length} of ${own.length}`;
  };
  const isAdversarial = (key: string) => key.includes('/adversarial/');

  test('is how many there are', () => {
    expect(results).toContain(`The intents of the ${count} scenarios`);
    expect(changelog).toContain(`the ${count} golden scenarios`);
  });

  test('is what the baseline says of each agent', () => {
    const all = () => true;
    const plain = (key: string) => !isAdversarial(key);
    expect(results).toContain(`(control, must be all) | ${share('oracle', all)} |`);
    expect(results).toContain(`(control, must be none) | ${share('noop', all)} |`);
    expect(results).toContain(`knows only the intent | ${share('retrieval', all)} |`);
    expect(results).toContain(`| plain golden scenarios solved by \`retrieval\` | ${share('retrieval', plain)} |`);
    expect(results).toContain(
      `| adversarial golden scenarios solved by \`retrieval\` | ${share('retrieval', isAdversarial)} |`,
    );
    expect(changelog).toContain(`\`retrieval\` solves ${share('retrieval', all)} runs of the ${count} golden`);
  });
});

test('the changelog has a section of this version, with its scores', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  const own = sections.filter((section) => section.startsWith(`${version} (`));
  expect(own).toHaveLength(1);
  expect(own[0]).toMatch(/^\S+ \(\d{4}-\d\d-\d\d\)\n/);
  expect(own[0]).toMatch(/^### Scores\n\n\S/m);
});

test('the results page counts the tools of each platform as the lock does', () => {
  const lock = readFileSync(join(root, 'server/catalog/tools.lock'), 'utf8').split('\n');
  const platforms = readdirSync(join(root, 'server/platforms')).map((name) => name.replace('.yaml', ''));
  // Tools of the router itself wrap no operation of a platform, whatever their names begin with.
  const local = readdirSync(join(root, 'server/tools/local'), { recursive: true, encoding: 'utf8' }).map((name) =>
    basename(name, '.ts').replaceAll('-', '_'),
  );
  const ofPlatforms = lock.filter((line) => !local.includes(line.split(' ')[0] as string));
  const counts = platforms.map((id) => [id, ofPlatforms.filter((line) => line.startsWith(`${id}_`)).length] as const);
  const page = readFileSync(join(root, 'docs/results.md'), 'utf8');
  const cells = (row: string) => row.split('|').map((cell) => cell.trim().replace(/[`,]/g, ''));
  const rows = page.split('\n');
  const head = rows.findIndex((row) => row.startsWith('| `mgmt` | `workspace` |'));
  const told = Object.fromEntries(cells(rows[head]!).map((id, at) => [id, cells(rows[head + 1]!)[at]]));
  expect(Object.fromEntries(counts.map(([id]) => [id, told[id]]))).toEqual(
    Object.fromEntries(counts.map(([id, count]) => [id, String(count)])),
  );
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  expect(page).toContain(`as tools | ${all.toLocaleString('en')} |`);
});
