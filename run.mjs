#!/usr/bin/env node
// Makes node_modules match package-lock.json, then runs a TypeScript file on the Node 24 that the lockfile brings.
// Plain JavaScript without dependencies, because it is what a fresh clone runs first, on whatever Node the host has.
//
//   node run.mjs --install            only install what is missing
//   node run.mjs --install FOLDER     the same for a folder that has a package-lock.json of its own
//   node run.mjs path/to/file.ts …    install, then run the file with the arguments that follow
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXIT_USAGE = 2;
const EXIT_INFRASTRUCTURE = 3;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const root = dirname(fileURLToPath(import.meta.url));
const inRoot = (...parts) => join(root, ...parts);
const say = (message) => process.stderr.write(`${message}\n`); // stdout may carry a protocol
const fail = (message, code = EXIT_INFRASTRUCTURE) => {
  say(message);
  process.exit(code);
};
const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const pinnedPackage = `node-${process.platform}-${process.arch}`;
const pinnedNode = inRoot('node_modules', pinnedPackage, 'bin', 'node');

/** What a folder asks for and where it goes; the repository itself is the folder `.`. */
function installationOf(folder) {
  const at = (...parts) => resolve(root, folder, ...parts);
  const lockText = textOf(at('package-lock.json')) || fail(`package-lock.json is missing in ${at()}`);
  return {
    folder,
    at,
    lockText,
    lockDigest: createHash('sha256').update(`${process.platform}-${process.arch}\0${lockText}`).digest('hex'),
    // Lives inside node_modules so that deleting the folder also deletes the claim.
    stampPath: at('node_modules', '.installed-for'),
  };
}

const isClaimed = ({ stampPath, lockDigest }) => textOf(stampPath) === lockDigest;

function claim(installation) {
  if (isClaimed(installation)) return;
  try {
    writeFileSync(installation.stampPath, installation.lockDigest);
  } catch {
    // A read-only install is fine: the check is repeated next time.
  }
}

/** True when every package of the lockfile is on disk; versions are compared once per lockfile, then presence suffices. */
function isInstalled(installation) {
  const { at, lockText } = installation;
  if (!existsSync(at('node_modules', '.package-lock.json'))) return false;
  const versionsChecked = isClaimed(installation);
  for (const [path, entry] of Object.entries(JSON.parse(lockText).packages)) {
    if (path === '' || entry.link) continue;
    const manifest = at(path, 'package.json');
    const present = existsSync(manifest);
    const mayBeAbsent = entry.optional || entry.devOptional || (entry.dev && process.env.NODE_ENV === 'production');
    if (!present && mayBeAbsent) continue;
    if (!present) return false;
    // npm's hidden lockfile is rewritten by `npm i --package-lock-only`, so only the real manifests tell.
    if (!versionsChecked && JSON.parse(textOf(manifest) || '{}').version !== entry.version) return false;
  }
  return true;
}

/**
 * What is absent although this system could run it: on a Node older than an optional package asks for, npm skips that package
 * in silence.
 */
function skippedPackages({ at, lockText }) {
  if ((process.env.npm_config_omit ?? '').includes('optional')) return [];
  return Object.entries(JSON.parse(lockText).packages)
    .filter(([, { optional, peer, os, cpu, libc }]) => optional && !peer && !os && !cpu && !libc)
    .filter(([path]) => !existsSync(at(path, 'package.json')))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/**
 * Waits for its turn: of two first runs at once, one installs and the other finds it done. The lock of `server/files` would do it
 * as well, but this file starts on any Node, before types can be stripped, so it imports nothing of ours.
 */
function takeTurn(turnPath, folder) {
  for (;;) {
    try {
      writeFileSync(turnPath, String(process.pid), { flag: 'wx' });
      return;
    } catch (cause) {
      if (cause.code !== 'EEXIST')
        fail(`Dependencies are not installed and ${folder} is not writable (${cause.code}). Run "npm ci" there first.`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    if (!isAlive(Number(textOf(turnPath)))) rmSync(turnPath, { force: true });
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (cause) {
    return cause.code === 'EPERM';
  }
}

/** Runs npm to its end. Answers what stopped it (a signal, an exit code, a system's error code), or undefined when all went well. */
async function runNpm(node, command, { at }, turnPath) {
  // The host's Node may be older than "engines" asks; the pinned one is part of what gets installed.
  const words = [...command, '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error'];
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const options = { cwd: at(), stdio: ['ignore', 2, 2], env: { ...process.env, PATH } };
  const npmCli = process.env.npm_execpath ?? '';
  const npm = npmCli.endsWith('npm-cli.js')
    ? spawn(node, [npmCli, ...words], options)
    : spawn('npm', words, { ...options, shell: process.platform === 'win32' });
  if (npm.pid) writeFileSync(turnPath, String(npm.pid)); // if this process is killed, the next run waits for npm
  let interrupted;
  for (const signal of SIGNALS)
    process.once(signal, () => {
      npm.kill(signal);
      interrupted = signal;
    });
  const [code, signal] = await new Promise((done) => {
    npm.on('exit', (...outcome) => done(outcome));
    npm.on('error', (cause) => done([cause.code]));
  });
  for (const name of SIGNALS) process.removeAllListeners(name);
  return interrupted ?? (code === 0 ? undefined : (signal ?? code));
}

/** What is installed and why, in one line. */
function announcement({ folder, at }) {
  if (folder === '.') return 'Installing dependencies from package-lock.json (first run, or it changed)…';
  const { description } = JSON.parse(textOf(at('package.json')));
  return `Installing the packages of ${folder} (first use, or its package-lock.json changed). ${description}`;
}

async function install(installation) {
  const { at } = installation;
  const turnPath = at('.installing');
  takeTurn(turnPath, at());
  let failure;
  if (!isInstalled(installation)) {
    say(announcement(installation));
    // No package runs a program while it is installed. In .npmrc this would also keep our own prepack from running.
    failure = await runNpm(process.execPath, ['ci', '--ignore-scripts'], installation, turnPath);
  }
  // Once per lockfile, and with the pinned Node, which came with the rest.
  if (failure === undefined && !isClaimed(installation) && skippedPackages(installation).length > 0) {
    const node = pinnedNodeRuns() ? pinnedNode : process.execPath;
    failure = await runNpm(node, ['install', '--ignore-scripts', '--no-save'], installation, turnPath);
    const skipped = skippedPackages(installation);
    if (skipped.length > 0) say(`Optional packages that could not be installed: ${skipped.join(', ')}.`);
    if (!SIGNALS.includes(failure)) failure = undefined;
  }
  rmSync(turnPath, { force: true });
  if (failure === 'SIGINT') process.exit(130);
  if (failure !== undefined)
    fail(
      failure === 'ENOENT'
        ? 'npm is not on the PATH. Install it (it comes with Node.js), then run the same command again.'
        : `npm ci failed (${failure}). Check the network, the registry and the space on the disk, then run the same command again.`,
    );
}

const oldest = JSON.parse(textOf(inRoot('package.json'))).engines.node.replace(/^>=/, '');

/** Strips types and knows `using` and `import.meta.main`. */
const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = oldest.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
};

/** The pinned Node is on disk, and this system can execute it. */
function pinnedNodeRuns() {
  if (!existsSync(pinnedNode)) return false;
  const probe = spawnSync(pinnedNode, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return probe.status === 0 && isNewEnough(probe.stdout);
}

/** The pinned Node when this system can execute it, else the host's when it is new enough. */
function chooseNode(installation) {
  if (existsSync(pinnedNode) && isClaimed(installation)) return pinnedNode;
  if (pinnedNodeRuns()) {
    claim(installation);
    return pinnedNode;
  }
  if (isNewEnough(process.versions.node)) return process.execPath;
  const why = existsSync(pinnedNode) ? 'does not run on this system' : 'is not installed or not made for this system';
  return fail(
    `Node.js ${process.versions.node} cannot run this (${oldest} or newer is needed), and the pinned Node (npm package ${pinnedPackage}) ${why}.\n` +
      'Install Node.js 24 and run the same command again.',
  );
}

/** Becomes the given Node where the running one can (no process in between to pass signals on), else starts it as a child. */
function runFile(node, words) {
  const env = {
    NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compile'),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  };
  if (process.execve) process.execve(node, [node, ...words], env);
  const child = spawn(node, words, { stdio: 'inherit', env });
  child.on('error', (cause) => fail(`cannot start ${node}: ${cause.message}`));
  for (const signal of SIGNALS)
    process.on(signal, () => {
      // A terminal's Ctrl-C reaches the whole process group by itself; sending it twice would cut the clean-up short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** A bench reads its options by `parseArgs`, which knows no help: its head says what it does and what it takes. Commands bring their own. */
function headOf(file) {
  const text = file.endsWith('.ts') ? textOf(file) : '';
  if (!text.includes('parseArgs(')) return undefined;
  const [, head] = /^\/\*\*(.*?)\*\//s.exec(text) ?? [];
  return head?.replace(/^\s*\* ?/gm, '').trim();
}

/** What `parseArgs` does not know ends in a stack trace. */
function refuseUnknown(file, head, given) {
  const known = new Set(head.match(/--[a-z][\w-]*/g));
  const end = given.indexOf('--');
  const [unknown] = (end === -1 ? given : given.slice(0, end)).filter(
    (word) => word.startsWith('--') && !known.has(word.split('=', 1)[0]),
  );
  if (unknown === undefined) return;
  const options = known.size === 0 ? 'no option' : [...known].join(', ');
  fail(`${file} takes ${options}, got ${unknown.split('=', 1)[0]}\nSee it with --help.`, EXIT_USAGE);
}

const words = process.argv.slice(2);
const head = headOf(words[0] ?? '');
if (head !== undefined) {
  if (words.slice(1).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${head}\n`);
    process.exit(0);
  }
  refuseUnknown(words[0], head, words.slice(1));
}
if (words.length === 0) fail('usage: node run.mjs --install [folder] | node run.mjs file.ts [arguments]', EXIT_USAGE);
const [folder, ...surplus] = words[0] === '--install' ? words.slice(1) : [];
if (surplus.length > 0 || (folder !== undefined && !existsSync(resolve(root, folder, 'package-lock.json'))))
  fail(`--install takes at most one folder with a package-lock.json, got ${words.slice(1).join(' ')}`, EXIT_USAGE);
const asked = installationOf(folder ?? '.');
if (!isInstalled(asked) || (!isClaimed(asked) && skippedPackages(asked).length > 0)) await install(asked);
if (folder !== undefined) claim(asked);
else {
  const chosen = chooseNode(asked);
  if (words[0] !== '--install') runFile(chosen, words);
}
