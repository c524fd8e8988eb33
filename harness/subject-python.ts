/**
 * Puts a subject from Python's package index into an environment of its own, `var/subjects/<name>`: the wheel that its file
 * names, held against its digest, and what that depends on in the versions of `<name>.constraints.txt`. Nothing is compiled.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { baseEnvironment } from './child.ts';
import { got, HarnessError } from './errors.ts';
import type { Subject } from './subject.ts';

const run = promisify(execFile);
const LONGEST_MS = 600_000;
const LAST_WORDS = 1_000;
/** What a machine behind a proxy or with a mirror needs; a running subject gets none of it. */
const NETWORK = /^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|PIP_[A-Z_]+)$/i;
const PIP = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries', '1', '--timeout', '30'];
/** There once everything was installed; its name holds the digest. */
const installedMark = (sha256: string): string => `.installed-${sha256}`;

type PythonSource = Extract<Subject['source'], { pypi: string }>;

export async function installPythonSubject(name: string, source: PythonSource, folder: string): Promise<string> {
  if (await exists(join(folder, installedMark(source.sha256)))) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(dirname(partial), { recursive: true });
  await step(name, 'python3', ['-m', 'venv', partial]);
  const pip = (words: string[]) => step(name, join(partial, 'bin', 'python'), [...PIP, ...words]);
  const wheels = join(partial, 'wheel');
  await pip(['download', '--no-deps', '--only-binary', ':all:', '--dest', wheels, source.pypi]);
  const wheel = await wheelOf(name, source, wheels);
  const constraints = join(import.meta.dirname, 'subjects', `${name}.constraints.txt`);
  await pip(['install', '--only-binary', ':all:', '--constraint', constraints, wheel]);
  await writeFile(join(partial, installedMark(source.sha256)), '');
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return folder;
}

async function wheelOf(name: string, { pypi, sha256 }: PythonSource, folder: string): Promise<string> {
  const [file = ''] = await readdir(folder);
  const path = join(folder, file);
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  if (digest === sha256) return path;
  await rm(dirname(folder), { recursive: true, force: true });
  throw new HarnessError(
    'SUBJECT_INVALID',
    `subject ${name}: the wheel of ${pypi} should have the SHA-256 ${sha256}, got ${got(digest)}`,
  );
}

async function step(name: string, file: string, args: string[]): Promise<void> {
  const network = Object.entries(process.env).filter(([key, value]) => NETWORK.test(key) && value !== undefined);
  const env = { ...baseEnvironment(), ...(Object.fromEntries(network) as Record<string, string>) };
  try {
    await run(file, args, { env, timeout: LONGEST_MS, maxBuffer: 16 << 20 });
  } catch (cause) {
    const { code, stderr = '', message } = cause as { code?: unknown; stderr?: string; message: string };
    const reason = code === 'ENOENT' ? 'no python3 on PATH' : (stderr.trim() === '' ? message : stderr).trim();
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `subject ${name} should install with Python 3.10 or newer, got: ${reason.slice(-LAST_WORDS)}`,
      { cause, remedy: 'without Python and its package index only subjects run that are installed already' },
    );
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
