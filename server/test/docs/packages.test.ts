/** The packages that the lockfile brings: from where, under which licence, how sure we are of their bytes; and their list. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './source-imports.ts';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optional?: boolean;
  readonly dev?: boolean;
  /** Asked for by developers' tools and by optional packages, and by nothing else. */
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

type Packages = Readonly<Record<string, Entry>>;

/** Licences that require only their text. Packages for build or test may also require that changes are shown. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
]);
const ALLOWED_HERE = new Set([...ALLOWED, 'MPL-2.0', 'CC-BY-4.0', 'PSF-2.0']);
const MOST_RUNTIME = 16;
/** Packages that state their licence in a way the lockfile does not take down. Read by hand. */
const READ_BY_HAND: Readonly<Record<string, string>> = { ssh2: 'MIT', 'cpu-features': 'MIT', buildcheck: 'MIT' };

/** Runs on Linux with glibc, where everything is built and tested; elsewhere the lockfile may know less. */
const isForHere = ({ os, libc, cpu }: Entry) =>
  (os === undefined || os.includes('linux')) &&
  (libc === undefined || libc.includes('glibc')) &&
  (cpu === undefined || cpu.includes('x64') || cpu.includes('arm64'));

function violations(packages: Packages): string[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, entry]) => violationsOf(path.replace(/^.*node_modules\//, ''), path, entry));
}

function violationsOf(name: string, path: string, entry: Entry): string[] {
  const found: string[] = [];
  if (!path.startsWith('node_modules/')) found.push(`${name}: comes from elsewhere than a registry`);
  if (entry.link) found.push(`${name}: is a link`);
  if (entry.resolved !== undefined) found.push(`${name}: is bound to ${entry.resolved}`);
  if (!/^\d+\.\d+\.\d+/.test(entry.version ?? '')) found.push(`${name}: has no version`);
  // Parts for other systems are optional, never loaded here, and known by their version alone.
  if (!isForHere(entry) && entry.optional) return found;
  if (!/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '') && !isMissingPart(entry))
    found.push(`${name}: its bytes are not known`);
  const allowed = entry.dev || entry.devOptional ? ALLOWED_HERE : ALLOWED;
  if (
    !isMissingPart(entry) &&
    !(entry.license ?? READ_BY_HAND[name] ?? '')
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((licence) => allowed.has(licence))
  )
    found.push(`${name}: licence ${entry.license ?? 'unknown'}`);
  return found;
}

/** The lockfile knows nothing of the optional parts of musl systems, which say so by their name. */
const isMissingPart = ({ integrity, license, optional, version }: Entry) =>
  integrity === undefined && license === undefined && optional === true && version !== undefined;

const readLock = (folder: string): { lockfileVersion: number; packages: Packages } =>
  JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
const readManifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const lock = readLock('.');
const manifest = readManifest('.');

describe.each(['.', 'harness/bench', 'server/test/docs/site'])('the lockfile of %s', (folder) => {
  const lock = readLock(folder);
  const manifest = readManifest(folder);

  test('holds only packages of a registry, of known bytes, under licences that may be passed on', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(violations(lock.packages)).toEqual([]);
  });

  test('every package without known bytes is a part for another system', () => {
    const unknown = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== '' && entry.integrity === undefined,
    );
    expect(
      unknown.map(([path]) => path).filter((path) => !/-(android|darwin|win32|freebsd|linux-\w+-musl)/.test(path)),
    ).toEqual([]);
  });

  test('is what package.json asks for', () => {
    const { dependencies, devDependencies, optionalDependencies } = lock.packages[''] as Record<string, unknown>;
    expect({ dependencies, devDependencies, optionalDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
      optionalDependencies: manifest.optionalDependencies,
    });
  });
});

/** Lines that install packages of npm, as a command of a shell or as the words of a process. */
const installsIn = (text: string): string[] =>
  text.split('\n').filter((line) => /^\s*(- run: |RUN )?npm ci\b|(?<!pip\()\['(ci|install)', /.test(line));

const tracked = (...forms: string[]): string[] =>
  execFileSync('git', ['ls-files', '--', ...forms], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

describe('package.json', () => {
  test('runs nothing when it is installed, and lets no package do so', () => {
    const scripts = Object.keys(manifest.scripts);
    expect(scripts.filter((name) => /^(pre|post)?install$|^prepare$|^prepublish$/.test(name))).toEqual([]);
    const wanting = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const running = wanting.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const allowed = Object.entries(manifest.allowScripts ?? {}).filter(([, may]) => may);
    expect([running.map(([path]) => path), allowed]).toEqual([[], []]);
  });

  test('is installed without the scripts of any package, wherever something here installs it', () => {
    const files = tracked('*.mjs', '*.ts', '*.sh', '*.yml', '*Dockerfile', '.ci/*').filter(
      (file) => file !== 'server/test/docs/packages.test.ts',
    );
    const installing = files.flatMap((file) =>
      installsIn(readFileSync(join(root, file), 'utf8')).map((line) => ({ file, line })),
    );
    const where = installing.map(({ file }) => file);
    expect(where).toEqual(
      expect.arrayContaining(['run.mjs', 'docker/install-packages.sh', '.github/workflows/release.yml']),
    );
    expect(installing.filter(({ line }) => !line.includes('--ignore-scripts'))).toEqual([]);
    const unsafe =
      "RUN npm ci --omit=dev\n  const words = ['ci', '--no-audit'];\n  await runNpm(node, ['install', '--no-save']);";
    expect(installsIn(unsafe)).toHaveLength(3);
  });

  test(`asks for at most ${MOST_RUNTIME} packages at run time, from no address of their own`, () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(MOST_RUNTIME);
    const all = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(all.filter(([, version]) => /[:/]/.test(String(version)))).toEqual([]);
  });

  test('cannot be published from a checkout by accident', () => expect(manifest.private).toBe(true));
});

describe('a rule is broken by', () => {
  const good: Entry = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==`, license: 'MIT' };
  test('nothing, to begin with', () => expect(violations({ 'node_modules/a': good })).toEqual([]));

  test.each<[string, string, Entry, string]>([
    [
      'an address',
      'node_modules/a',
      { ...good, resolved: 'https://x.test/a.tgz' },
      'a: is bound to https://x.test/a.tgz',
    ],
    ['a weak digest', 'node_modules/a', { ...good, integrity: 'sha1-abc' }, 'a: its bytes are not known'],
    ['no digest', 'node_modules/a', { version: '1.0.0', license: 'MIT' }, 'a: its bytes are not known'],
    ['a licence that binds', 'node_modules/a', { ...good, license: 'AGPL-3.0' }, 'a: licence AGPL-3.0'],
    ['a weaker one at run time', 'node_modules/a', { ...good, license: 'MPL-2.0' }, 'a: licence MPL-2.0'],
    ['no licence', 'node_modules/a', { version: '1.0.0', integrity: good.integrity as string }, 'a: licence unknown'],
    ['a folder', 'packages/a', good, 'packages/a: comes from elsewhere than a registry'],
    ['a link', 'node_modules/a', { ...good, link: true }, 'a: is a link'],
    ['a branch', 'node_modules/a', { ...good, version: 'main' }, 'a: has no version'],
  ])('%s', (_, path, entry, violation) => expect(violations({ [path]: entry })).toContain(violation));
});

test('the bill of materials lists what runs, each with its digest and licence, and nothing that only builds', () => {
  const bill = () => execFileSync(process.execPath, [join(root, 'sbom.ts')], { encoding: 'utf8' });
  const said = bill();
  const { bomFormat, components } = JSON.parse(said) as {
    bomFormat: string;
    components: { name: string; version: string; scope: string; hashes?: unknown[]; licenses?: unknown[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const named = components.map(({ name, version, scope }) => `${name}@${version} ${scope}`);
  const asked = Object.entries(manifest.dependencies as Record<string, string>);
  expect(asked.map(([name, version]) => `${name}@${version} required`).filter((one) => !named.includes(one))).toEqual(
    [],
  );
  const building = new Set(Object.keys(manifest.devDependencies));
  expect(components.filter(({ name }) => building.has(name))).toEqual([]);
  expect(components.filter(({ hashes, licenses }) => !hashes?.length || !licenses?.length)).toEqual([]);
  // The whole of what the lockfile does not mark as needed by developers alone.
  const running = Object.entries(lock.packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  );
  expect(components.filter(({ scope }) => scope === 'required')).toHaveLength(running.length);
  expect(bill()).toBe(said);
});
