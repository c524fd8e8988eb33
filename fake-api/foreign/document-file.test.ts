import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSource } from './document-file.ts';

it('refuses what is no file, without waiting for its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'document-'));
  try {
    const pipe = join(folder, 'pipe.yaml');
    if (process.platform !== 'win32') execFileSync('mkfifo', [pipe]);
    const paths = process.platform === 'win32' ? [folder] : [folder, pipe, '/dev/zero'];
    for (const path of paths)
      await expect(readSource(path)).rejects.toThrow(/FOREIGN_DOCUMENT_UNREADABLE: .* got a folder, pipe or device/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
