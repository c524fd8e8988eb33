/** Where compiled code is kept of a package that is not ours to write. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'compile-cache-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("in the user's own cache, in folders that nobody else can enter, under umask 000", () => {
  const entry = join(base, 'server/cli/compile-cache.mjs');
  cpSync(join(import.meta.dirname, 'compile-cache.mjs'), entry);
  // A file in the place of the folder refuses root as well.
  writeFileSync(join(base, 'node_modules'), '');
  const script = `umask 000; exec "$0" --input-type=module -e 'import { keepCompiledCode } from "${entry}"; keepCompiledCode()'`;
  execFileSync('/bin/sh', ['-c', script, process.execPath], { env: { PATH: process.env['PATH'], HOME: base } });
  const folders = ['.cache', '.cache/svc-mcp', '.cache/svc-mcp/compile'].map((name) => join(base, name));
  expect(folders.map((folder) => (statSync(folder).mode & 0o777).toString(8))).toEqual(['700', '700', '700']);
  expect(readdirSync(folders[2] as string).length).toBeGreaterThan(0);
});
