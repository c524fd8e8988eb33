/**
 * Puts a subject from the package registry into `var/subjects/<name>`, outside this repository's own packages, and holds what
 * came against the digest in its file. No install script runs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { got, HarnessError } from '../harness-errors.ts';
import type { Subject } from './subject.ts';
import { cloneSubject } from './subject-clone.ts';
import { fillFolder } from './subject-folder.ts';
import { baseEnvironment } from './subject-process.ts';
import { installPythonSubject } from './subject-python.ts';
import { runStep } from './subject-step.ts';

const LONGEST_MS = 300_000;
/** Variables for access to a registry through a proxy. A running subject gets none of them. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'];

/** The folder it runs in; undefined for a subject that is no package. */
export async function installSubject(
  { name, source }: Pick<Subject, 'name' | 'source'>,
  root: string,
): Promise<string | undefined> {
  const folder = join(root, 'var', 'subjects', name);
  if ('git' in source) return cloneSubject(name, source, folder);
  if ('pypi' in source) return installPythonSubject(name, source, folder);
  if (!('npm' in source)) return undefined;
  return fillFolder(folder, source, async (partial) => {
    const pinned = [source.npm, ...(source.with ?? [])].map(packageOf).map(({ id, version }) => [id, version]);
    const manifest = { private: true, dependencies: Object.fromEntries(pinned) };
    await writeFile(join(partial, 'package.json'), `${JSON.stringify(manifest)}\n`);
    await npmInstall(name, partial);
    const integrity = await installedIntegrity(partial, source.npm);
    if (integrity === source.integrity) return;
    throw new HarnessError(
      'SUBJECT_INVALID',
      `subject ${name}: ${source.npm} should have the integrity ${source.integrity}, got ${got(integrity)}`,
    );
  });
}

/** `@scope/name@1.2.3`, taken apart. */
function packageOf(npm: string): { id: string; version: string } {
  const at = npm.lastIndexOf('@');
  return { id: npm.slice(0, at), version: npm.slice(at + 1) };
}

async function installedIntegrity(folder: string, npm: string): Promise<string | undefined> {
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => undefined);
  if (lock === undefined) return undefined;
  const { packages } = JSON.parse(lock) as { packages?: Record<string, { version?: string; integrity?: string }> };
  const { id, version } = packageOf(npm);
  const installed = packages?.[`node_modules/${id}`];
  return installed?.version === version ? installed.integrity : undefined;
}

async function npmInstall(name: string, cwd: string): Promise<void> {
  const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev'];
  const env = baseEnvironment();
  for (const name of NETWORK) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  // The pinned runtime first: under another one npm would choose other versions of what the subject depends on.
  env['PATH'] = [dirname(process.execPath), env['PATH'] ?? ''].join(delimiter);
  await runStep({ command: ['npm', ...argv], cwd, env, timeoutMs: LONGEST_MS }).catch((cause: Error) => {
    throw new HarnessError('SUBJECT_UNREACHABLE', `subject ${name} should install, got: ${cause.message}`, {
      cause,
      remedy: 'without a package registry only subjects run that are installed already',
    });
  });
}
