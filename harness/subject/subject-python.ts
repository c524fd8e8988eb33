/**
 * Installs a subject from Python's package index into its own environment, `var/subjects/<name>`: the wheel that its
 * file names, verified by digest, and its dependencies in the versions of `<name>.constraints.txt`. It compiles
 * nothing.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { got, HarnessError } from '../harness-errors.ts';
import type { Subject } from './subject.ts';
import { fillFolder } from './subject-folder.ts';
import { baseEnvironment } from './subject-process.ts';
import { runStep, type StepFailed } from './subject-step.ts';

const LONGEST_MS = 600_000;
/** Variables for access through a proxy or a mirror. A running subject gets none of them. */
const NETWORK = /^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|PIP_[A-Z_]+)$/i;
const PIP = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries', '1', '--timeout', '30'];

type PythonSource = Extract<Subject['source'], { pypi: string }>;

export async function installPythonSubject(name: string, source: PythonSource, folder: string): Promise<string> {
  const constraints = join(import.meta.dirname, '..', 'subjects', `${name}.constraints.txt`);
  const pinned = await readFile(constraints, 'utf8').catch(() => '');
  return fillFolder(folder, { source, pinned }, async (partial) => {
    await step(name, partial, 'python3', '-m', 'venv', partial);
    const pip = (words: string[]) => step(name, partial, join(partial, 'bin', 'python'), ...PIP, ...words);
    const wheels = join(partial, 'wheel');
    await pip(['download', '--no-deps', '--only-binary', ':all:', '--dest', wheels, source.pypi]);
    const wheel = await wheelOf(name, source, wheels);
    await pip(['install', '--only-binary', ':all:', '--constraint', constraints, wheel]);
  });
}

async function wheelOf(name: string, { pypi, sha256 }: PythonSource, folder: string): Promise<string> {
  const [file = ''] = await readdir(folder);
  const path = join(folder, file);
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  if (digest === sha256) return path;
  throw new HarnessError(
    'SUBJECT_INVALID',
    `subject ${name}: the wheel of ${pypi} should have the SHA-256 ${sha256}, got ${got(digest)}`,
  );
}

async function step(name: string, cwd: string, ...command: string[]): Promise<void> {
  const network = Object.entries(process.env).filter(([key, value]) => NETWORK.test(key) && value !== undefined);
  const env = { ...baseEnvironment(), ...(Object.fromEntries(network) as Record<string, string>) };
  await runStep({ command, cwd, env, timeoutMs: LONGEST_MS }).catch((cause: StepFailed) => {
    const reason = cause.missing ? 'no python3 on PATH' : cause.message;
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `subject ${name} should install with Python 3.10 or newer, got: ${reason}`,
      { cause, remedy: 'without Python and its package index only subjects run that are installed already' },
    );
  });
}
