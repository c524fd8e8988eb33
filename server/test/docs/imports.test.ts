/** The import table of architecture.md, held against every import statement of the three programs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { areaOf, importsOf, isTestSupport, PROGRAMS, root, sourceFiles } from './source-imports.ts';

const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Rows of the form | `area` | `area`, `area` | under the heading "Import table". */
function importTable(): Map<string, Set<string>> {
  const section = architecture.split('## Import table')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\|\s*`([^`]+)`\s*\|\s*(.*?)\s*\|$/gm)];
  return new Map(
    rows.map(([, area, allowed]) => [area!, new Set([...allowed!.matchAll(/`([^`]+)`/g)].map((cell) => cell[1]!))]),
  );
}

const table = importTable();
const sources = PROGRAMS.flatMap((program) => sourceFiles(program).filter((file) => !isTestSupport(file)));
const tests = PROGRAMS.flatMap((program) => sourceFiles(program).filter(isTestSupport));

describe('imports', () => {
  test('the table names every area that has code, and only areas that exist', () => {
    expect([...table.keys()].sort()).toEqual([...new Set(sources.map(areaOf))].sort());
  });

  test('an area imports only the areas its row allows', () => {
    const strays = sources
      .flatMap(importsOf)
      .filter((found) => found.specifier.startsWith('.') || found.specifier.startsWith('#'))
      .filter((found) => {
        const target = found.specifier.startsWith('#') ? found.specifier : areaOf(found.target);
        return areaOf(found.file) !== target && !table.get(areaOf(found.file))?.has(target);
      })
      .map((found) => `${found.file} imports ${found.specifier}`);
    expect(strays).toEqual([]);
  });

  test('a row grants nothing that no file uses', () => {
    const used = new Map<string, Set<string>>();
    for (const found of sources.flatMap(importsOf)) {
      const target = found.specifier.startsWith('#') ? found.specifier : areaOf(found.target);
      used.set(areaOf(found.file), (used.get(areaOf(found.file)) ?? new Set()).add(target));
    }
    const idle = [...table].flatMap(([area, allowed]) =>
      [...allowed].filter((target) => !used.get(area)?.has(target)).map((target) => `${area} → ${target}`),
    );
    expect(idle).toEqual([]);
  });

  test('no two areas import each other, directly or over others', () => {
    expect(cyclesOf([...table].map(([area, allowed]) => [area, [...allowed]]))).toEqual([]);
  });

  test('no file imports itself over others', () => {
    expect(cyclesOf(sources.map((file) => [file, importsOf(file).map(({ target }) => target)]))).toEqual([]);
  });

  test('nothing that ships imports tests, benchmarks or what supports them', () => {
    const strays = sources.flatMap(importsOf).filter((found) => isTestSupport(found.target));
    expect(strays.map((found) => `${found.file} imports ${found.target}`)).toEqual([]);
  });

  test('a relative import, also in a test, stays inside its program and reaches a file', () => {
    const strays = [...sources, ...tests]
      .flatMap(importsOf)
      .filter((found) => found.specifier.startsWith('.'))
      .filter(
        (found) =>
          (found.target.split('/')[0] !== found.file.split('/')[0] && !found.file.startsWith('server/test/docs/')) ||
          !existsSync(join(root, found.target)),
      )
      .map((found) => `${found.file} imports ${found.specifier}`);
    expect(strays).toEqual([]);
  });

  test('programs cross only by the imports map: ledger types into the harness, the fake and its contract-checking proxy into tests, packages into benches', () => {
    const crossings = [...sources, ...tests].flatMap(importsOf).filter((found) => found.specifier.startsWith('#'));
    const wrong = crossings.filter(
      (found) =>
        !(found.specifier === '#fake-api/ledger' && found.file.startsWith('harness/') && found.typeOnly) &&
        !(/^#fake-api(\/calls|\/contract-proxy|\/documents)?$/.test(found.specifier) && isTestSupport(found.file)) &&
        !(found.specifier === '#bench/packages' && isTestSupport(found.file)),
    );
    expect(wrong.map((found) => `${found.file} imports ${found.specifier}`)).toEqual([]);
  });

  test('only dispatch reaches the outbound client, so every platform call passes every gate', () => {
    const reachers = sources
      .flatMap(importsOf)
      .filter((found) => !found.typeOnly && areaOf(found.target) === 'server/outbound')
      .map((found) => areaOf(found.file))
      .filter((area) => area !== 'server/outbound');
    expect([...new Set(reachers)]).toEqual(['server/dispatch']);
  });

  test('grading does no input or output', () => {
    const impure = /^(node:)?(fs|net|http|https|child_process|dns|tls|worker_threads)(\/|$)/;
    const pure = sources.filter((file) =>
      /^harness\/statistics\/|^harness\/grading\/(grade\.ts|verdict\.ts|checks\/|metrics\/)/.test(file),
    );
    expect(pure.length).toBeGreaterThan(0);
    expect(
      pure
        .flatMap(importsOf)
        .filter((found) => impure.test(found.specifier))
        .map((found) => found.file),
    ).toEqual([]);
  });
});

/** Names on a cycle or between two: what is left when names that import, or are imported by, nothing left are taken away. */
function cyclesOf(edges: [string, string[]][]): string[] {
  const left = new Map(edges);
  for (;;) {
    const imported = new Set([...left.values()].flat());
    const ends = [...left].filter(([name, targets]) => !imported.has(name) || !targets.some((each) => left.has(each)));
    if (ends.length === 0) return [...left.keys()];
    for (const [name] of ends) left.delete(name);
  }
}
