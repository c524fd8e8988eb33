/** The files that processes hold open, also one that was opened by another process. */
import { closeSync, existsSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../test/support/running-process.ts';
import { openFiles } from './open-files.ts';

test.runIf(existsSync('/proc/self/fd'))('lists a file while this or another process has it open', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-open-')));
  const file = join(folder, 'held');
  writeFileSync(file, '');
  expect(openFiles()).not.toContain(file);
  const fd = openSync(file, 'r');
  expect(openFiles()).toContain(file);
  closeSync(fd);
  expect(openFiles()).not.toContain(file);
  const script = `require('node:fs').openSync(${JSON.stringify(file)}, 'r'); console.log('{}'); setInterval(() => {}, 1000)`;
  const other = startProcess(process.execPath, ['-e', script], { cwd: folder, env: {} });
  await other.line();
  expect(openFiles()).toContain(file);
  await other.stop();
  expect(openFiles()).not.toContain(file);
  rmSync(folder, { recursive: true });
});
