/** One server that starts another, as wrappers and aggregators do: what it holds is counted, and nothing of it stays. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HarnessError } from '../harness-errors.ts';
import { demoAccount } from '../sandbox/demo-account.ts';
import { type Process, treeOf } from '../subject/process-tree.ts';
import type { Subject } from '../subject/subject.ts';
import { reasonOf } from './cell.ts';
import { openWithPublicDocument } from './subject-instance.ts';

const HELD = 120 << 20;
/** Holds memory, and ends neither for the end of its input nor for being asked. */
const HOLDER = `
  globalThis.held = Buffer.alloc(${HELD}, 1);
  process.on('SIGTERM', () => {});
  process.send('ready');
  setInterval(() => {}, 60_000);
`;
/** The least of a server over stdio that lists one tool. */
const SERVER = `
  const { spawn } = require('node:child_process');
  const holder = spawn(process.execPath, ['-e', ${JSON.stringify(HOLDER)}], { stdio: ['inherit', 'ignore', 'ignore', 'ipc'] });
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'tiny', version: '1' } },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  };
  const { createInterface } = require('node:readline');
  const answer = (line) => {
    const { id, method } = JSON.parse(line);
    if (answers[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
  };
  holder.once('message', () => createInterface({ input: process.stdin }).on('line', answer));
`;

const subject = (changed: Partial<Subject> = {}): Subject => ({
  name: 'tiny',
  about: 'one that starts another',
  source: { working_tree: 'server' },
  command: ['node', '-e', SERVER],
  transports: ['stdio'],
  env: {},
  transport_env: {},
  gate_env: { closed: {}, open: {} },
  confirmation: 'none',
  ...changed,
});

const linux = existsSync('/proc/self/stat');
if (!linux) console.log('no /proc here: what a server started is neither counted nor ended');

const place = await mkdtemp(join(tmpdir(), 'stand-test-'));
beforeAll(() => vi.stubEnv('TMPDIR', place));
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(place, { recursive: true, force: true });
});

async function startedTree(kill: boolean): Promise<{ tree: Process[]; bytes: number }> {
  await using opened = await openWithPublicDocument(subject(), import.meta.dirname);
  await using instance = await opened.start();
  expect(instance.list).toHaveLength(1);
  const tree = await treeOf(instance.upstream.pid);
  if (kill) process.kill(instance.upstream.pid!, 'SIGKILL');
  return { tree, bytes: instance.memory.bytes };
}

describe.skipIf(!linux)('a server that starts another', () => {
  test.each([
    ['closed', false],
    ['killed', true],
  ])('is counted with it, and when it is %s nothing of either is left', async (_how, kill) => {
    const { tree, bytes } = await startedTree(kill);
    expect(tree).toHaveLength(2);
    expect(bytes).toBeGreaterThan(HELD);
    for (const { pid, startedAt } of tree) {
      const same = async () => (await treeOf(pid)).filter((one) => one.startedAt === startedAt);
      await expect.poll(same).toEqual([]);
    }
    expect(await readdir(place)).toEqual([]);
  });
});

test('a failed preparation leaves no folder with credentials', async () => {
  const failing = subject({ own_document: { prepare: [['node', '-e', 'process.exit(3)']], env: {} } });
  await expect(openWithPublicDocument(failing, import.meta.dirname)).rejects.toThrow('should end with 0');
  expect(await readdir(place)).toEqual([]);
});

test('the reason why a server did not run holds nothing of its account', () => {
  const { client_secret, api_token } = demoAccount('');
  const printed = new HarnessError('SUBJECT_UNREACHABLE', `tiny: its last lines: ${client_secret} and ${api_token}`);
  expect(reasonOf(printed)).toBe(
    'SUBJECT_UNREACHABLE: tiny: its last lines: «secret:client_secret» and «secret:api_token»',
  );
});
