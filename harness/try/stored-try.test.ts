/** A file that is no result of a try is told by its option, with what to do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTry } from './stored-try.ts';

test.each([
  ['another JSON file', '{"openapi": "3.1.0"}', 'version '],
  ['no object', 'null', 'version '],
  ['no JSON', 'openapi: 3.1.0', 'Unexpected token'],
  ['a file that is not there', undefined, 'ENOENT'],
])('%s', async (_, text, why) => {
  const folder = await mkdtemp(join(tmpdir(), 'stored-try-'));
  try {
    const file = join(folder, 'a.json');
    if (text !== undefined) await writeFile(file, text);
    await expect(readTry(file, '--against')).rejects.toMatchObject({
      code: 'RECORDING_INVALID',
      message: expect.stringMatching(`should (name|be) a try.json.* got ${why}`),
      remedy: expect.stringContaining('svc-mcp-bench try'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
