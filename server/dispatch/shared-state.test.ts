/** What replicas share, with real files: keys that rotate, and a memory of what was used that no race gets past. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { runNode } from '../test/support/running-process.ts';
import { KeyFile } from './keyring.ts';
import { type Plan, PlanTokens } from './plan-token.ts';
import { openSharedState } from './shared-state.ts';
import { Signer } from './signing.ts';
import { FileSingleUse } from './single-use.ts';

const plan: Plan = { tool: 't', arguments: [], principal: 'local', access: [], catalog: 'c', account: null };
const log: string[] = [];
const logger = createLogger('warn', (line) => log.push(line));
const hex = (digit: string) => digit.repeat(64);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-state-'));
  log.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = (more: { replicas?: number; signingKeysPath?: string; stateDir?: string } = {}) =>
  openSharedState({ stateDir: join(folder, 'state'), signingKeysPath: undefined, replicas: 1, ...more }, logger);

describe('two routers over one state folder', () => {
  test('accept each other’s tokens, and only one of them applies one', async () => {
    const [a, b] = [opened(), opened()].map(({ keys, used }) => new PlanTokens(keys, used)) as [PlanTokens, PlanTokens];
    const token = a.issue(plan);
    const check = await b.check(token, plan);
    if (!check.ok) throw new Error(check.reason);
    const won = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? a : b).consume(check)));
    expect(won.filter(Boolean)).toHaveLength(1);
    for (const tokens of [a, b])
      expect(await tokens.check(token, plan)).toEqual({ ok: false, reason: 'it was already used', used: true });
  });

  test('a restart keeps keys and consumed ids', async () => {
    const before = opened();
    const cursor = new Signer(before.keys, 'cursor').seal([1]);
    const expiresAt = Date.now() + 60_000;
    await before.used.consume('abc', expiresAt);
    const after = opened();
    expect(new Signer(after.keys, 'cursor').open(cursor)).toEqual([1]);
    expect(await after.used.isConsumed('abc', expiresAt)).toBe(true);
    expect(await after.used.consume('abc', expiresAt)).toBe(false);
  });

  test('processes that start together agree on one key and one store', async () => {
    const script = `
      const { openSharedState } = await import(${JSON.stringify(join(import.meta.dirname, 'shared-state.ts'))});
      const { createLogger } = await import(${JSON.stringify(join(import.meta.dirname, '..', 'telemetry', 'logger.ts'))});
      const { keys, used } = openSharedState({ stateDir: ${JSON.stringify(join(folder, 'state'))}, signingKeysPath: undefined, replicas: 3 }, createLogger('error'));
      console.log(Buffer.from(keys.current).toString('hex'), used.id);`;
    const run = () => runNode(['--input-type=module', '-e', script]);
    const said = await Promise.all([run(), run(), run()]);
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1);
  });

  test('no other user may read them', () => {
    opened();
    const mode = (path: string) => (statSync(join(folder, 'state', path)).mode & 0o777).toString(8);
    expect([mode('signing-keys'), mode('used'), mode('used/store-id')]).toEqual(['600', '700', '600']);
  });
});

describe('the memory of consumed ids', () => {
  test('what expired long ago is pruned, what may still be presented is not', async () => {
    let now = 1_800_000_000_000;
    const store = new FileSingleUse(join(folder, 'used'), () => now);
    await store.consume('old', now + 1_000);
    await store.consume('young', now + 4 * 3_600_000);
    now += 2 * 3_600_000;
    await store.consume('last', now + 1_000);
    const names = readdirSync(join(folder, 'used')).map((name) => name.split('.')[1] ?? name);
    expect(names.sort()).toEqual(['last', 'store-id', 'young']);
    expect(await store.consume('young', 1_800_000_000_000 + 4 * 3_600_000)).toBe(false);
  });

  test('if it cannot be stored, nothing counts as unused', async () => {
    const store = new FileSingleUse(join(folder, 'used'));
    rmSync(join(folder, 'used'), { recursive: true });
    writeFileSync(join(folder, 'used'), 'a file where the folder was');
    await expect(store.consume('abc', Date.now() + 1_000)).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' });
  });

  test.each(['../escape', 'a/b', '', 'x'.repeat(81)])('%j is no id', async (id) => {
    await expect(new FileSingleUse(join(folder, 'used')).consume(id, 1)).rejects.toThrow(TypeError);
  });
});

describe('the key file', () => {
  test('is read again when it changes, and the key before stays good', () => {
    const path = join(folder, 'keys');
    writeFileSync(path, `${hex('a')}\n`, { mode: 0o600 });
    const keys = new KeyFile(path);
    const signer = new Signer(keys, 'cursor');
    const sealed = signer.seal('x');
    writeFileSync(path, `${hex('b')}\n${hex('a')}\n`, { mode: 0o600 });
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('b'));
    expect(signer.open(sealed)).toBe('x');
    writeFileSync(path, `${hex('c')}\n${hex('b')}\n`, { mode: 0o600 });
    expect(signer.open(sealed)).toBeUndefined();
  });

  test('caught half-written or gone, the keys known before stay in use', () => {
    const path = join(folder, 'keys');
    writeFileSync(path, `${hex('a')}\n`, { mode: 0o600 });
    const keys = new KeyFile(path);
    writeFileSync(path, 'abc', { mode: 0o600 });
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('a'));
    rmSync(path);
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('a'));
    writeFileSync(path, `${hex('d')}\n`, { mode: 0o600 });
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('d'));
  });

  test.each([0o666, 0o644, 0o640, 0o620, 0o606])('of mode %o refuses the start with the command that helps', (mode) => {
    for (const path of [join(folder, 'keys'), join(folder, 'state', 'signing-keys')]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${hex('a')}\n`);
      chmodSync(path, mode);
      const start = () => opened(path.endsWith('/keys') ? { signingKeysPath: path } : {});
      expect(start).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', remedy: `chmod 600 ${path}` }));
      chmodSync(path, 0o400);
      expect(start).not.toThrow();
    }
  });

  test.skipIf(process.getuid?.() !== 0)('of another user refuses the start', () => {
    const path = join(folder, 'keys');
    writeFileSync(path, `${hex('a')}\n`, { mode: 0o600 });
    chownSync(path, 4711, 4711);
    expect(() => opened({ signingKeysPath: path })).toThrow(/belong to user .* or root, and belongs to 4711/);
  });

  test('that becomes readable for others when it is rotated is not taken over', () => {
    const path = join(folder, 'keys');
    writeFileSync(path, `${hex('a')}\n`, { mode: 0o600 });
    const keys = new KeyFile(path);
    writeFileSync(path, `${hex('b')}\n${hex('a')}\n`);
    chmodSync(path, 0o644);
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('a'));
    chmodSync(path, 0o600);
    expect(Buffer.from(keys.current).toString('hex')).toBe(hex('b'));
  });

  test.each([
    ['nothing', ''],
    ['three keys', `${hex('a')}\n${hex('b')}\n${hex('c')}\n`],
    ['a short key', 'abcdef\n'],
  ])('%s in it refuses the start, without a word of it in the message', (_, text) => {
    const path = join(folder, 'keys');
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => opened({ signingKeysPath: path })).toThrow(/should hold one or two keys of 64 hex digits/);
    if (text !== '') expect(() => opened({ signingKeysPath: path })).not.toThrow(new RegExp(text.slice(0, 6)));
  });

  test('is used as it is, and never made, where the operator names one', () => {
    expect(() => opened({ signingKeysPath: join(folder, 'nowhere') })).toThrow(/should be usable by this router/);
    writeFileSync(join(folder, 'keys'), hex('e'), { mode: 0o600 });
    expect(Buffer.from(opened({ signingKeysPath: join(folder, 'keys') }).keys.current).toString('hex')).toBe(hex('e'));
    expect(readFileSync(join(folder, 'keys'), 'utf8')).toBe(hex('e'));
  });
});

describe('a state folder that others can write', () => {
  test.each([0o777, 0o775, 0o757, 0o1777])('of mode %o refuses the start, with the command that helps', (mode) => {
    const stateDir = join(folder, 'state');
    mkdirSync(stateDir);
    chmodSync(stateDir, mode);
    for (const more of [{}, { replicas: 3 }])
      expect(() => opened({ stateDir, ...more })).toThrow(
        expect.objectContaining({ code: 'STATE_UNAVAILABLE', remedy: `chmod 700 ${stateDir}` }),
      );
    chmodSync(stateDir, 0o755);
    expect(() => opened({ stateDir })).not.toThrow();
  });
});

describe('a state folder that cannot be used', () => {
  // A file in its place stops everybody, also a test that runs as root.
  const broken = () => {
    writeFileSync(join(folder, 'file'), '');
    return join(folder, 'file', 'state');
  };

  test('leaves one router with a key that ends with it, and says so', async () => {
    const { keys, used } = opened({ stateDir: broken() });
    const other = opened({ stateDir: broken() });
    expect(
      await new PlanTokens(other.keys, other.used).check(new PlanTokens(keys, used).issue(plan), plan),
    ).toMatchObject({ ok: false });
    expect(log.join()).toContain('a restart voids plan tokens and cursors');
  });

  test('refuses the start of several', () => {
    expect(() => opened({ stateDir: broken(), replicas: 2 })).toThrow(/should be usable by this router/);
  });
});
