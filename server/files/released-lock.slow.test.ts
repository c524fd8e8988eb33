/** A lock that is released while another one looks at it: the lock of the next holder stays where it is. */
import * as fs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type HeldLock, takeLock } from './file-lock.ts';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, readFileSync: vi.fn(real.readFileSync), renameSync: vi.fn(real.renameSync) };
});

test('between two looks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'released-lock-'));
  const file = join(folder, 'lock');
  const times = { staleMs: 60_000 };
  const first = takeLock(file, times) as HeldLock;
  let next: HeldLock | undefined;
  vi.mocked(fs.readFileSync).mockImplementationOnce(() => {
    first.release();
    next = takeLock(file, times);
    throw Object.assign(new Error('it was released'), { code: 'ENOENT' });
  });
  expect(takeLock(file, times)).toBeUndefined();
  expect(vi.mocked(fs.renameSync).mock.calls).toEqual([]);
  expect(next?.isHeld()).toBe(true);
  next?.release();
  rmSync(folder, { recursive: true });
});
