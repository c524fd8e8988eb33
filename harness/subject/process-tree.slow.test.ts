/** Real processes: what a child of a child holds is counted, and none of them outlives the end of the tree. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { endTree, memoryOf, treeOf } from './process-tree.ts';

const MB = 1 << 20;
const HELD = 150;
const GRACE_MS = 100;
/** Says its number when it holds what it should; ends for nothing but SIGKILL. */
const holder = `
  globalThis.held = Buffer.alloc(${HELD} * ${MB}, 1);
  process.on('SIGTERM', () => {});
  console.log(process.pid);
  setInterval(() => {}, 60_000);
`;
const starter = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(holder)}], { stdio: 'inherit' });
  setInterval(() => {}, 60_000);
`;

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const { pid } of started.splice(0)) await endTree(await treeOf(pid), GRACE_MS);
});

async function startTree(): Promise<{ root: number; holder: number }> {
  const child = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return { root: child.pid!, holder: Number(chunk.toString()) };
}

const linux = existsSync('/proc/self/stat');
if (!linux) console.log('no /proc here: trees of processes are not tested');

describe.skipIf(!linux)('a tree of processes', () => {
  test('holds what its children hold', async () => {
    const { root, holder } = await startTree();
    expect((await treeOf(root)).map(({ pid }) => pid)).toEqual([root, holder]);
    const [whole, part] = [await memoryOf(root), await memoryOf(holder)];
    expect(part.bytes).toBeGreaterThan(HELD * MB);
    expect(whole.bytes).toBeGreaterThan(part.bytes);
    // Two runtimes and what is held: pages that both use are not counted twice.
    expect(whole.bytes).toBeLessThan(2 * HELD * MB);
    expect(whole.counted).toBe(existsSync('/proc/self/smaps_rollup') ? 'proportional' : 'resident');
  });

  test('ends with the child that does not want to', async () => {
    const { root, holder } = await startTree();
    await endTree(await treeOf(root), GRACE_MS);
    expect([...(await treeOf(root)), ...(await treeOf(holder))]).toEqual([]);
  });

  test('that has ended uses no memory, and the result reports that', async () => {
    expect(await memoryOf(undefined)).toEqual({ bytes: 0, counted: 'unknown' });
  });

  test('is known by its start too: whoever has its number now is left alone', async () => {
    const { root } = await startTree();
    const [first] = await treeOf(root);
    await endTree([{ ...first!, startedAt: '1' }], GRACE_MS);
    expect(await treeOf(root)).toHaveLength(2);
  });
});
