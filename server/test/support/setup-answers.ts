/** Answers that a setup can be given, and what must be true of the router that follows them: host and container are judged alike. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { readPlatformFiles } from '../../config/platform-file.ts';
import { LOCAL_TOOLS } from '../../tools/local/registry.ts';
import type { modernClient } from './modern-client.ts';

const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));

/** One tool of each capability and platform, from the lock of the published names. */
const lock = readFileSync(join(packageRoot, 'server/catalog/tools.lock'), 'utf8')
  .split('\n')
  .map((line) => line.split(/\s+/))
  .filter(([name]) => !LOCAL_TOOLS.some((tool) => tool.name === name));
export const toolOf = (platform: string, capability: string) =>
  lock.find(([name = '', kind]) => name.startsWith(`${platform}_`) && kind === capability)?.[0] ?? '';

export interface Answer {
  words: string[];
  banner: Record<string, string>;
  served: string[];
  open: string[];
  tools?: number;
  /** Address that other machines may call; by default this machine only. */
  published?: string;
}

const BASE = ['mgmt', 'workspace'];
const ALL = platforms.map(({ id }) => id);
const GATED = platforms.filter(({ gate }) => gate !== null).map(({ id }) => id);

export const ANSWERS: Record<string, Answer> = {
  'nothing but Enter': {
    words: [],
    banner: { profile: 'custom', 'open gates': 'none', mode: 'minimal', bearer: 'enabled', products: 'none' },
    served: BASE,
    open: [],
    tools: 3,
  },
  'one toolset': {
    words: ['--toolsets', 'mgmt'],
    banner: { toolsets: 'mgmt' },
    served: ['mgmt'],
    open: [],
  },
  'one product and no toolset': {
    words: ['--toolsets', '', '--products', 'nac', '--access-profile', 'full-read-write'],
    banner: { toolsets: 'none', products: 'nac', 'open gates': 'nac' },
    served: ['nac'],
    open: ['nac'],
  },
  'products by name': {
    words: ['--products', 'nac,sensors'],
    banner: { products: 'nac, sensors' },
    served: [...BASE, 'nac', 'sensors'],
    open: [],
  },
  'every product': { words: ['--products', 'all'], banner: { 'optional access': 'read-only' }, served: ALL, open: [] },
  'products that may be changed': {
    words: ['--products', 'nac,sse', '--product-access', 'read-write'],
    banner: { 'optional access': 'read-write', 'open gates': 'nac, sse' },
    served: [...BASE, 'nac', 'sse'],
    open: ['nac', 'sse'],
  },
  'writes on two platforms': {
    words: ['--products', 'fabric', '--writes', 'mgmt,fabric'],
    banner: { 'open gates': 'fabric, mgmt' },
    served: [...BASE, 'fabric'],
    open: ['mgmt', 'fabric'],
  },
  'safe-read-only': {
    words: ['--access-profile', 'safe-read-only', '--products', 'all'],
    banner: { profile: 'safe-read-only', 'open gates': 'none' },
    served: ALL,
    open: [],
  },
  'full-read-write': {
    words: ['--access-profile', 'full-read-write', '--products', 'all'],
    banner: { profile: 'full-read-write' },
    served: ALL,
    open: GATED,
  },
  'published on an address': {
    words: ['--expose', '127.0.0.2', '--expose', '127.0.0.2', '--host', 'router.lan'],
    banner: { profile: 'custom' },
    served: BASE,
    open: [],
    published: '127.0.0.2',
  },
  'the default mode': { words: ['--router-mode', 'default'], banner: { mode: 'default' }, served: BASE, open: [] },
};

/** Which platforms answer, and whose writes are found with an open gate, as a client sees it. */
export async function asked(client: ReturnType<typeof modernClient>, answer: Answer): Promise<void> {
  const found = async (name: string) => {
    const { texts } = await client.call('find_tool', { query: name });
    return (JSON.parse(texts[0] ?? '[]') as { name: string; gate?: string }[]).find((tool) => tool.name === name);
  };
  const served: string[] = [];
  const open: string[] = [];
  for (const id of ALL) {
    const { texts } = await client.call('invoke_read_tool', { name: toolOf(id, 'read'), arguments: {} });
    if (JSON.parse(texts[0] ?? '{}').code !== 'platform_not_configured') served.push(id);
    const write = toolOf(id, 'write');
    const tool = write === '' ? undefined : await found(write);
    if (tool !== undefined && tool.gate !== 'closed') open.push(id);
    expect(write !== '' && served.includes(id) && answer.banner['profile'] !== 'safe-read-only').toBe(
      tool !== undefined,
    );
  }
  expect({ served, open }).toEqual({ served: [...answer.served].sort(), open: [...answer.open].sort() });
}

/** The fields that a router prints at its start. */
export function bannerIn(said: string): Record<string, string> {
  return Object.fromEntries([...said.matchAll(/^ {2}([a-z ]+?) {2,}(.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** The status of a request that names a host. */
export function calledAs(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) =>
    request(url, { method: 'POST', headers: { host } }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end(),
  );
}
