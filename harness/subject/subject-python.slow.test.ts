/** Against a folder of wheels, so that what comes can be made wrong; pip and the environment are real. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { installSubject } from './subject-install.ts';

const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
if (!hasPython) console.log('no python3 with venv on PATH: installing from Python’s index is not tested here');

const root = mkdtempSync(join(tmpdir(), 'install-python-'));
const WHEEL = 'tiny_server-1.2.3-py3-none-any.whl';
const MAKE_WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    info = 'tiny_server-1.2.3.dist-info/'
    wheel.writestr('tiny_server.py', 'print("I am tiny")')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: tiny-server\\nVersion: 1.2.3\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;
// Its constraints are the file of a subject that exists; nothing in it is asked for here.
const name = 'fastmcp-python-bm25';
const source = {
  pypi: 'tiny-server==1.2.3',
  repository: 'https://example.org',
  commit: '0'.repeat(40),
};

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(!hasPython)('a subject of Python’s index', () => {
  test('runs in an environment of its own when its wheel has the digest; another wheel leaves nothing', async () => {
    execFileSync('python3', ['-c', MAKE_WHEEL, join(root, WHEEL)]);
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', root);
    const sha256 = createHash('sha256')
      .update(readFileSync(join(root, WHEEL)))
      .digest('hex');

    const wrong = installSubject({ name, source: { ...source, sha256: 'f'.repeat(64) } }, root);
    await expect(wrong).rejects.toMatchObject({ code: 'SUBJECT_INVALID', message: expect.stringContaining(sha256) });
    expect(existsSync(join(root, 'var/subjects', name))).toBe(false);
    expect(existsSync(join(root, 'var/subjects', `${name}.partial`))).toBe(false);

    const folder = await installSubject({ name, source: { ...source, sha256 } }, root);
    const said = execFileSync('bin/python', ['-m', 'tiny_server'], { cwd: folder, encoding: 'utf8' });
    expect(said).toBe('I am tiny\n');
    vi.stubEnv('PIP_FIND_LINKS', join(root, 'nothing'));
    expect(await installSubject({ name, source: { ...source, sha256 } }, root)).toBe(folder);
  });

  test('names a package that the index does not have', async () => {
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', join(root, 'nothing'));
    const absent = installSubject({ name: 'absent', source: { ...source, sha256: 'f'.repeat(64) } }, root);
    await expect(absent).rejects.toMatchObject({
      code: 'SUBJECT_UNREACHABLE',
      message: expect.stringContaining('tiny-server'),
    });
  });
});
