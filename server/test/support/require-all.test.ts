/** A skip fails the run where everything is required: in a vitest of its own, over a file that skips. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
mkdirSync(join(root, 'var'), { recursive: true });
const folder = mkdtempSync(join(root, 'var', 'require-all-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  join(folder, 'sample.test.ts'),
  "import { expect, test } from 'vitest';\ntest('runs', () => expect(1).toBe(1));\ntest.skipIf(true)('needs a program', () => {});\n",
);
writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { include: ['*.test.ts'] } };\n");

function ran(require: boolean): { status: number; stderr: string } {
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const strict = require ? [`--reporter=${join(import.meta.dirname, 'require-all.ts')}`] : [];
    execFileSync(process.execPath, [vitest, 'run', '--root', folder, '--reporter=default', ...strict], {
      stdio: 'pipe',
    });
    return { status: 0, stderr: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    return { status, stderr: stderr.toString() };
  }
}

test('a skipped test fails the run and is named; without the setting it does not', () => {
  expect(ran(false)).toEqual({ status: 0, stderr: '' });
  const { status, stderr } = ran(true);
  expect(status).toBe(1);
  expect(stderr).toContain('1 tests should run and were skipped:\n  sample.test.ts > needs a program');
});
