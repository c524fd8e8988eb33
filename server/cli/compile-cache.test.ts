/** Where compiled code is kept: beside the package, or of a package that is not ours to write in the user's cache. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'compile-cache-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A copy of the entry in a package of its own, which keeps its code under a umask that permits everything. */
function keep(): void {
  const entry = join(base, 'server/cli/compile-cache.mjs');
  cpSync(join(import.meta.dirname, 'compile-cache.mjs'), entry);
  const script = `umask 000; exec "$0" --input-type=module -e 'import { keepCompiledCode } from "${entry}"; keepCompiledCode()'`;
  execFileSync('/bin/sh', ['-c', script, process.execPath], { env: { PATH: process.env['PATH'], HOME: base } });
}
const modesOf = (...names: string[]) => names.map((name) => (statSync(join(base, name)).mode & 0o777).toString(8));

test("in the user's own cache, in folders that nobody else can enter, under umask 000", () => {
  // A file in the place of the folder refuses root as well.
  writeFileSync(join(base, 'node_modules'), '');
  keep();
  expect(modesOf('.cache', '.cache/svc-mcp', '.cache/svc-mcp/compile')).toEqual(['700', '700', '700']);
  expect(readdirSync(join(base, '.cache/svc-mcp/compile')).length).toBeGreaterThan(0);
});

test('beside the package, in a folder of mode 0700 under umask 000', () => {
  mkdirSync(join(base, 'node_modules'));
  keep();
  expect(modesOf('node_modules/.cache', 'node_modules/.cache/compile')).toEqual(['700', '700']);
  expect(readdirSync(join(base, 'node_modules/.cache/compile')).length).toBeGreaterThan(0);
});

test('a folder of an earlier version that others could write gets mode 0700', () => {
  mkdirSync(join(base, 'node_modules/.cache/compile'), { recursive: true });
  chmodSync(join(base, 'node_modules/.cache/compile'), 0o777);
  keep();
  expect(modesOf('node_modules/.cache/compile')).toEqual(['700']);
});
