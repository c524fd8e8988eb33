/** A Node that is too old is told so by every command, before anything is read that it cannot read. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';

const GUARD = 'server/cli/new-enough.mjs';

test.each([
  ['>=99.0', 2],
  ['>=24.999', 2],
  ['>=18.19', 0],
  [`>=${process.versions.node}`, 0],
])('a package that wants %s ends with %i', (wanted, code) => {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-node-'));
  try {
    mkdirSync(join(root, 'server/cli'), { recursive: true });
    writeFileSync(join(root, 'package.json'), JSON.stringify({ engines: { node: wanted } }));
    cpSync(join(packageRoot, GUARD), join(root, GUARD));
    const { status, stderr } = spawnSync(process.execPath, [join(root, GUARD)], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: code,
      stderr:
        code === 0
          ? ''
          : `Node should be ${wanted}, got ${process.versions.node}: install a newer one from nodejs.org\n`,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('every command looks before it imports anything else', () => {
  const { bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const entries = Object.values<string>(bin);
  expect(entries).toHaveLength(
    readdirSync(join(packageRoot, 'server/cli')).filter((name) => /^[a-z-]+\.mjs$/.test(name)).length - 2,
  );
  for (const entry of entries) {
    const imports = readFileSync(join(packageRoot, entry), 'utf8').match(/^(await )?import.*$/gm);
    expect({ entry, first: imports?.[0] }).toEqual({ entry, first: "import './new-enough.mjs';" });
  }
});

test('the command of the harness tells an old Node the same', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-node-'));
  try {
    const command = 'harness/cli/svc-mcp-bench.mjs';
    mkdirSync(join(root, 'harness/cli'), { recursive: true });
    writeFileSync(join(root, 'package.json'), JSON.stringify({ engines: { node: '>=99.0' } }));
    cpSync(join(packageRoot, command), join(root, command));
    const { status, stderr } = spawnSync(process.execPath, [join(root, command), '--help'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      2,
      `Node should be >=99.0, got ${process.versions.node}: install a newer one from nodejs.org\n`,
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
