/**
 * `npm pack` runs this before and after: Node strips no types below node_modules, so what is packed is JavaScript, with the
 * documents of the ten platforms. `dist/` is the package root of an installed router. The packed manifest names `dist`, and
 * not the two Node binaries, because whoever installs the package brings a Node. Afterwards package.json is as it was.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const manifest = join(root, 'package.json');
const kept = join(root, 'var', 'package.json.unpacked');

/** Tests and benchmarks are not shipped. */
const LEFT_OUT = /(^|\/)test(\/|$)|\.(test|bench)\.ts$/;
const RELATIVE_TS = /((?:\bfrom|\bimport)\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g;

const compiled = (text: string) => text.replace(RELATIVE_TS, '$1$2$3.js$2');

function build(): void {
  rmSync(dist, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [join(root, 'fake-api/expand/expand-models.ts')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`the platform models should expand, got exit ${status}`);
  const sources = join(root, 'server');
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (LEFT_OUT.test(name)) continue;
    if (/\.(ts|mjs)$/.test(name)) writeSource(join(sources, name), join(dist, 'server', name));
    else if (/\.(yaml|json|lock|txt|bin)$/.test(name)) copy(join(sources, name), join(dist, 'server', name));
  }
  const documents = join(root, 'var', 'openapi');
  for (const name of readdirSync(documents, { recursive: true, encoding: 'utf8' }))
    if (/\/[^.][^/]*\.json$/.test(name)) writeDense(join(documents, name), join(dist, 'var', 'openapi', name));
}

/** Without the indentation, which is a quarter of a document and for people who read it here. */
function writeDense(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8'))));
}

function writeSource(from: string, to: string): void {
  const text = readFileSync(from, 'utf8');
  const plain = from.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to.replace(/\.ts$/, '.js'), compiled(plain), { mode: from.endsWith('.mjs') ? 0o755 : 0o644 });
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

type Manifest = Record<string, unknown> & Record<'bin' | 'optionalDependencies', Record<string, string>>;

function rewrite(): void {
  const {
    // A checkout is never published by accident; what is packed is meant to be.
    private: _private,
    scripts: _,
    devDependencies: __,
    imports: ___,
    allowScripts: ____,
    ...rest
  } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  const optional = Object.entries(rest.optionalDependencies).filter(([name]) => !/^node-linux-/.test(name));
  const packed = {
    ...rest,
    bin: Object.fromEntries(Object.entries(rest.bin).map(([name, path]) => [name, `dist/${path}`])),
    files: ['dist'],
    optionalDependencies: Object.fromEntries(optional),
  };
  mkdirSync(dirname(kept), { recursive: true });
  cpSync(manifest, kept);
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`);
  // The installed router reads its version, engines and packages from its own root.
  writeFileSync(
    join(dist, 'package.json'),
    `${JSON.stringify({ ...packed, bin: undefined, files: undefined }, null, 2)}\n`,
  );
}

function restore(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

// After a run that was cut short, first of all.
restore();
if (process.argv[2] === '--restore') rmSync(dist, { recursive: true, force: true });
else {
  build();
  rewrite();
}
