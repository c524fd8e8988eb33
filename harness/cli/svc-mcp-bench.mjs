#!/usr/bin/env node
// The command of the package. Node strips no types below node_modules, so the sources are copied once into a cache folder of
// this version, beside links to the packages that were installed with them, and run there.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
const { name, version, dependencies, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const EXIT_USAGE = 2;
const EXIT_INFRASTRUCTURE = 3;

function fail(message, exit) {
  process.stderr.write(`${message}\n`);
  process.exit(exit);
}

/**
 * An older Node cannot read the sources, and would end with a syntax error that tells nobody what to do. The commands of the server
 * look by `new-enough.mjs`; the package of this one holds nothing of the server.
 */
function refuseOldNode() {
  const [major, minor = 0] = engines.node.replace(/^>=/, '').split('.').map(Number);
  const [hereMajor, hereMinor] = process.versions.node.split('.').map(Number);
  if (hereMajor < major || (hereMajor === major && hereMinor < minor))
    fail(
      `Node should be ${engines.node}, got ${process.versions.node}: install a newer one from nodejs.org`,
      EXIT_USAGE,
    );
}

/** Nearest folder that holds the package, from the package's own upwards, as Node looks for it. */
function installed(dependency) {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', dependency);
    if (existsSync(path)) return realpathSync(path);
    if (dirname(folder) === folder) throw new Error(`${dependency} should be installed with ${name}, got none`);
  }
}

function sources() {
  if (!root.split(/[\\/]/).includes('node_modules')) return root;
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const home = join(cache, `${name}-${version}`);
  if (existsSync(home)) {
    linkPackages(home);
    return home;
  }
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, `${name}-`));
  for (const part of ['harness', 'fake-api', 'reports', 'package.json'])
    cpSync(join(root, part), join(partial, part), { recursive: true });
  linkPackages(partial);
  try {
    renameSync(partial, home);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(home)) throw error; // another process was faster
  }
  return home;
}

/** Of another project than the one that the copy was made from, where that is gone: a link that leads nowhere is none. */
function linkPackages(home) {
  for (const dependency of Object.keys(dependencies)) {
    const link = join(home, 'node_modules', dependency);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(installed(dependency), link, 'junction');
  }
}

/** The folder of the sources, or one line about why there is none. */
function home() {
  try {
    return sources();
  } catch (error) {
    const remedy = 'give this user room in its cache folder, or name another one by XDG_CACHE_HOME';
    return fail(`${name} cannot be copied to run: ${error.message}\n  remedy: ${remedy}`, EXIT_INFRASTRUCTURE);
  }
}

refuseOldNode();
const words = ['--disable-warning=ExperimentalWarning', join(home(), 'harness/cli/bench.ts'), ...process.argv.slice(2)];
const child = spawn(process.execPath, words, {
  stdio: 'inherit',
  // npm sets the folder that it was called in, which of a script in a workspace is another one.
  env: { ...process.env, INIT_CWD: process.cwd() },
});
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    // A terminal's Ctrl-C reaches the whole process group by itself; sent twice it would cut the clean-up short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 3 : 130);
});
