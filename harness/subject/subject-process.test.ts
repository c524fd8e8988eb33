/** The harness in a folder whose name means something in a URL. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = `
const { startChild } = await import(new URL('harness/subject/subject-process.ts', import.meta.url).href);
const command = ['node', '-e', 'console.log(JSON.stringify({ ready: true })); process.stdin.resume();'];
await using child = await startChild({ name: 'a server', command, cwd: import.meta.dirname, env: {} });
console.log(JSON.stringify(child.ready));
`;

it('starts processes from a folder with a hash, a percent sign and a space in its name', () => {
  const base = mkdtempSync(join(tmpdir(), 'harness-'));
  const folder = join(base, 'a #1 %41 b');
  try {
    const isSource = (path: string) => !/[\\/](node_modules|bench|test)([\\/]|$)/.test(path.slice(ROOT.length));
    cpSync(join(ROOT, 'harness'), join(folder, 'harness'), { recursive: true, filter: isSource });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'start.ts'), SCRIPT);
    const said = execFileSync(process.execPath, [join(folder, 'start.ts')], { encoding: 'utf8' });
    expect(JSON.parse(said)).toMatchObject({ ready: true });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
