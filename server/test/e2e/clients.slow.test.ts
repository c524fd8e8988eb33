/** Clients that nobody here wrote, each a process of its own, against the router and the fake: `clients/*.ts` is the list. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '#fake-api';
import { demoAccount } from '../support/child-process.ts';
import { runNode } from '../support/running-process.ts';
import type { Step } from './clients/steps.ts';
import { ensureInstalled } from './installed.ts';
import { type RouterProcess, startRouter } from './router-process.ts';

const FOLDER = join(import.meta.dirname, 'clients');
const CLIENTS = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && name !== 'steps.ts');
/** Clients through which no person can be asked. */
const MUTE = new Set(['agents-sdk.ts', 'inspector.ts']);
const TOKEN = 'a-bearer-token-of-this-test';

let fake: FakeApi;
let router: RouterProcess;
let home: string;

beforeAll(async () => {
  ensureInstalled();
  home = mkdtempSync(join(tmpdir(), 'clients-'));
  fake = await startFakeApi({ platformIds: ['mgmt'] });
  router = await startRouter({
    MCP_HTTP_BEARER_TOKEN: TOKEN,
    ...demoAccount(`${fake.platforms['mgmt']}`),
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_LOG_LEVEL: 'error',
  });
});

afterAll(async () => {
  await router?.[Symbol.asyncDispose]();
  await fake?.close();
  rmSync(home, { recursive: true, force: true });
});

async function walkOf(client: string, token = TOKEN): Promise<{ steps: Step[]; exit: number | null; stderr: string }> {
  const { code, stdout, stderr } = await runNode([join(FOLDER, client), router.url, token], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  });
  const steps = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Step] : []));
  return { steps, exit: code, stderr };
}

/** Calls at the platform that were not reads, by its own count. */
async function writesAtPlatform(): Promise<string[]> {
  const answer = await fetch(`${fake.control}/namespaces/default/ledger`);
  const { entries } = (await answer.json()) as { entries: { capability: string; method: string }[] };
  return entries.filter(({ capability }) => !['read', 'auth', 'poll'].includes(capability)).map(({ method }) => method);
}

test('the clients fit the types of what they use', () => {
  const tsc = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'tsc');
  const { status, stdout } = spawnSync(tsc, ['--noEmit', '-p', FOLDER], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
});

describe.each(CLIENTS)('%s', (client) => {
  test('connects, lists, finds, reads, is refused a write as a read, and a write needs a person', async () => {
    const before = (await writesAtPlatform()).length;
    const { steps, exit, stderr } = await walkOf(client);
    const step = (name: Step['step']) => steps.find((each) => each.step === name);
    expect(exit, stderr).toBe(0);
    expect(step('list')?.['tools']).toEqual(['find_tool', 'invoke_read_tool', 'invoke_tool']);
    expect(step('find')?.['names']).toContain('mgmt_list_wlan_ssids');
    expect(step('read')?.['ssid']).toEqual(expect.any(String));
    expect(step('refused')?.['code']).toEqual(expect.any(String));
    expect(step('preview')).toMatchObject({ status: 'dry_run' });
    const mute = MUTE.has(client);
    expect(step('apply')?.['code']).toBe(mute ? 'confirmation_unavailable' : null);
    expect((await writesAtPlatform()).slice(before)).toEqual(mute ? [] : ['PATCH']);
  });

  test('does not get in with another token', async () => {
    const { steps, exit } = await walkOf(client, 'another-token');
    expect(steps).toEqual([]);
    expect(exit).not.toBe(0);
  });
});
