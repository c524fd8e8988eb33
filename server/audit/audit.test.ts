import fs, {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { leaveLock } from '../test/support/left-lock.ts';
import { runNode } from '../test/support/running-process.ts';
import { readAuditKeys } from './audit-key.ts';
import { AuditLog, type AuditOptions, checkpointPath } from './audit-log.ts';
import type { AuditRecord } from './audit-record.ts';
import { auditFiles, GENESIS, hashOf, type Verified, verifyAudit } from './chain.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-audit-'));
  path = join(folder, 'state', 'tool-audit.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RECORD: AuditRecord = {
  kind: 'call',
  id: 'a1',
  dispatcher: 'invoke_read_tool',
  tool: 'mgmt_get_wlan',
  platform: 'mgmt',
  capability: 'read',
  principal: 'local',
  argument_keys: ['ssid'],
  argument_digest: 'x',
  outcome: 'success',
  ms: 3,
};
const keyPath = () => join(folder, 'state', 'audit-key');
const open = (more: Partial<AuditOptions> = {}) =>
  new AuditLog({ path, keyPath: keyPath(), secrets: new KnownSecrets(), ...more });
const verified = () =>
  verifyAudit(path, { keys: readAuditKeys(keyPath()), checkpoint: checkpointPath(path, keyPath()) });
const write = (log: AuditLog, count: number) => {
  for (let n = 0; n < count; n++) log.record({ ...RECORD, id: `call-${n}` });
};
/** Runs `work` on a disk that takes no more after so many renames of files of the log. */
function cutRename(after: number, work: () => void): void {
  const { renameSync } = fs;
  let left = after;
  fs.renameSync = (from, to) => {
    if (/\.jsonl(\.\d+)?$/.test(String(from)) && left-- <= 0) throw new Error('power cut');
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
}
const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof RouterError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

test('a line has the caller, the call and its outcome, and follows the one before', () => {
  const log = open({ now: () => new Date('2026-03-02T09:00:00Z') });
  write(log, 2);
  expect(JSON.parse(lines()[0]!)).toEqual({
    seq: 1,
    at: '2026-03-02T09:00:00.000Z',
    prev: GENESIS,
    ...RECORD,
    id: 'call-0',
    mac: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.parse(lines()[1]!)).toMatchObject({ seq: 2, prev: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(verified()).toMatchObject({ ok: true, files: 1, lines: 2, last: { seq: 2 }, startsLater: false });
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'state')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('the next process continues the chain, also after a crash within a line', () => {
  write(open(), 3);
  appendFileSync(path, '{"seq":4,"prev":"half');
  write(open(), 2);
  expect(verified()).toMatchObject({ ok: true, lines: 5, last: { seq: 5 } });
});

describe('a line longer than any other', () => {
  const LONG = { ...RECORD, principal: 'x'.repeat(200_000) };

  test('is continued by the next process, also after a crash within such a line', () => {
    open().record(LONG);
    write(open(), 1);
    open().record(LONG);
    appendFileSync(path, lines().at(-1)!.slice(0, 150_000).replace('"seq":3', '"seq":4'));
    write(open(), 1);
    expect(verified()).toMatchObject({ ok: true, lines: 4, last: { seq: 4 } });
  });

  test('may begin the oldest file that is kept', () => {
    const log = open({ maxBytes: 1, keep: 2 });
    write(log, 2);
    log.record(LONG);
    write(log, 1);
    expect(verified()).toMatchObject({ ok: true, lines: 2, checkpoint: { first: 3 } });
  });
});

// No process has a number above the system's limit.
test.each([
  ['another process', 4_194_999],
  ['an earlier process of our own number', process.pid],
])('a lock that %s left when it was killed within a line keeps nobody out', (_, pid) => {
  const log = open();
  leaveLock(`${path}.lock`, { pid });
  log.record(RECORD);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('a lock without a holder keeps nobody out', () => {
  const log = open();
  writeFileSync(`${path}.lock`, '');
  write(log, 1);
  expect(lines()).toHaveLength(1);
});

test('a process that stood still until another one took its lock goes on behind the line of that one', () => {
  const other = open();
  let standStill = () => {};
  const log = open({
    now: () => {
      standStill();
      return new Date();
    },
  });
  write(log, 1);
  standStill = () => {
    standStill = () => {};
    rmSync(`${path}.lock`);
    write(other, 1);
  };
  log.record({ ...RECORD, id: 'slow' });
  expect(verified()).toMatchObject({ ok: true, lines: 3, last: { seq: 3 } });
  expect(JSON.parse(lines()[2]!)).toMatchObject({ id: 'slow' });
});

test('several processes at once keep one chain', async () => {
  const script = `
    const { AuditLog } = await import('${join(import.meta.dirname, 'audit-log.ts')}');
    const { KnownSecrets } = await import('${join(import.meta.dirname, '..', 'telemetry', 'known-secrets.ts')}');
    const log = new AuditLog({ path: process.argv[1], keyPath: process.argv[2], secrets: new KnownSecrets(), maxBytes: 20_000 });
    for (let n = 0; n < 200; n++) log.record({ ...${JSON.stringify(RECORD)}, id: process.pid + '-' + n });`;
  const children = [1, 2, 3].map(() => runNode(['--input-type=module', '-e', script, path, keyPath()]));
  expect(await Promise.all(children)).toEqual(Array(3).fill({ code: 0, signal: null, stdout: '', stderr: '' }));
  expect(verified()).toMatchObject({ ok: true, lines: 600, last: { seq: 600 } });
});

describe('a full file is put aside', () => {
  test('and the chain goes through all of them', () => {
    write(open({ maxBytes: 2_000 }), 30);
    const files = auditFiles(path);
    expect(files.length).toBeGreaterThan(3);
    expect(files.every((file) => statSync(file).size < 2_600)).toBe(true);
    expect(verified()).toMatchObject({ ok: true, lines: 30, startsLater: false });
  });

  test('old files are deleted; the rest is reported to begin later', () => {
    write(open({ maxBytes: 2_000, keep: 2 }), 60);
    expect(auditFiles(path).length).toBeLessThanOrEqual(3);
    expect(verified()).toMatchObject({ ok: true, last: { seq: 60 }, startsLater: true });
  });

  test('also while the log is verified', () => {
    const log = open({ maxBytes: 1_000, keep: 2 });
    write(log, 20);
    const keys = readAuditKeys(keyPath());
    let asides = 1;
    const found = verifyAudit(path, {
      checkpoint: checkpointPath(path, keyPath()),
      // Asked for after the files were listed.
      get keys() {
        if (asides-- > 0) write(log, 4);
        return keys;
      },
    });
    expect([asides < 0, found]).toEqual([true, expect.objectContaining({ ok: true })]);
  });

  test.each([
    ['before the limit', 16, 5],
    ['at the limit', 4, 4],
  ])('and a power cut between any two of its renames loses nothing, %s', (_, keep, older) => {
    for (let cut = 1; cut < older; cut++) {
      rmSync(join(folder, 'state'), { recursive: true, force: true });
      const log = open({ maxBytes: 1_000, keep });
      while (auditFiles(path).length < 5) write(log, 1);
      cutRename(cut, () => codeOf(() => write(log, 6)));
      const { lines: kept, ...rest } = verified() as Verified;
      expect({ cut, ...rest }).toMatchObject({ cut, ok: true });
      // The rotation of the next router completes the one that was cut.
      write(open({ maxBytes: 1_000, keep }), 1);
      expect(verified()).toMatchObject({ ok: true, files: older, lines: kept + 1 });
      expect(auditFiles(path)).toEqual(Array.from({ length: older }, (_, n) => `${path}.${older - n}`));
    }
  });

  test('a process that finds only rotated files continues their chain', () => {
    write(open({ maxBytes: 300 }), 1);
    write(open({ maxBytes: 30_000 }), 1);
    expect(verified()).toMatchObject({ ok: true, files: 2, lines: 2 });
  });
});

describe('the chain breaks where', () => {
  const tamper = (change: (all: string[]) => string[]) => {
    write(open(), 6);
    writeFileSync(path, `${change(lines()).join('\n')}\n`);
    return verified();
  };

  test.each<[string, (all: string[]) => string[], number]>([
    ['a line was changed', (all) => all.map((line, at) => (at === 2 ? line.replace('success', 'failed') : line)), 3],
    ['a line was taken out', (all) => all.filter((_, at) => at !== 2), 3],
    ['a line was put in', (all) => [...all.slice(0, 2), all[1]!, ...all.slice(2)], 3],
    ['two lines changed places', (all) => [all[0]!, all[2]!, all[1]!, ...all.slice(3)], 2],
    [
      'the first was taken out and the rest renumbered',
      (all) => all.slice(1).map((line) => line.replace(/"seq":(\d)/, (_, n) => `"seq":${Number(n) - 1}`)),
      1,
    ],
    ['something else stands', (all) => [...all.slice(0, 3), 'hello', ...all.slice(3)], 4],
  ])('%s', (_name, change, line) => {
    expect(tamper(change)).toMatchObject({ ok: false, file: path, line });
  });

  test('every single byte counts', () => {
    write(open(), 3);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = whole[at]! ^ 1;
      writeFileSync(path, changed);
      expect(verified().ok, `byte ${at}`).toBe(false);
    }
  });
});

test('the command reports where the chain is broken', async () => {
  const verify = async (...words: string[]) => {
    const script = join(import.meta.dirname, '..', 'cli', 'verify-audit.ts');
    const { code, stdout, stderr } = await runNode([script, ...words]);
    return { code, said: stdout + stderr };
  };
  const log = open();
  write(log, 3);
  expect(await verify(path)).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^3 lines in 1 file, whole\nlast 3 [0-9a-f]{64}\nwarning: there is no checkpoint, so lines cut off at the end would not/,
    ),
  });
  writeFileSync(path, readFileSync(path, 'utf8').replace('call-1', 'call-9'));
  expect(await verify(path)).toMatchObject({ code: 1, said: expect.stringContaining(`${path}:2: `) });
  expect((await verify(join(folder, 'nothing'))).code).toBe(3);
  expect(await verify(folder)).toMatchObject({
    code: 2,
    said: expect.stringContaining(`such as tool-audit.jsonl, got the folder ${folder}`),
  });
  expect(await verify(path, '--checkpoint', folder)).toMatchObject({
    code: 2,
    said: expect.stringContaining('--checkpoint should be a file, got the folder'),
  });
  expect(await verify()).toMatchObject({ code: 2, said: expect.stringContaining("missing required argument 'path'") });
  expect(await verify(path, '--keys', 'x')).toMatchObject({ code: 2, said: expect.stringContaining('--key') });
  expect(await verify('--help')).toMatchObject({ code: 0, said: expect.stringContaining('--checkpoint <file>') });
});

/** Rewrites lines as somebody would who has no key: numbers, hashes and, where asked, made-up HMACs. */
function rehashed(all: string[], mac: 'kept' | 'left out' | 'made up'): string[] {
  let prev = GENESIS;
  return all.map((line, at) => {
    const { mac: own, ...record } = JSON.parse(line) as Record<string, unknown>;
    const fields = { ...record, seq: at + 1, prev };
    const text = JSON.stringify(
      mac === 'left out' ? fields : { ...fields, mac: mac === 'kept' ? own : hashOf(JSON.stringify(fields)) },
    );
    prev = hashOf(text);
    return text;
  });
}

describe('an attacker without the key who rewrites the whole chain', () => {
  const INTENT = { ...RECORD, kind: 'intent' as const, id: 'write' };

  test.each(['kept', 'left out', 'made up'] as const)('with HMACs %s is found', (mac) => {
    for (const change of [
      (all: string[]) => all.filter((_, at) => at !== 2),
      (all: string[]) => all.slice(2),
      (all: string[]) => [all[1]!, all[0]!, ...all.slice(2)],
      (all: string[]) => all.map((line) => line.replace('success', 'failed')),
      (all: string[]) => all,
    ]) {
      rmSync(join(folder, 'state'), { recursive: true, force: true });
      const log = open();
      write(log, 5);
      log.close();
      const forged = rehashed(change(lines()), mac);
      const same = forged.join() === lines().join();
      writeFileSync(path, `${forged.join('\n')}\n`);
      expect(verified().ok).toBe(same);
      // The hashes alone are right: without the key nobody could tell.
      expect(verifyAudit(path)).toMatchObject({ ok: true });
    }
  });

  test('with a key of his own is found', () => {
    const log = open();
    write(log, 5);
    log.close();
    const forger = new AuditLog({
      path: join(folder, 'forged', 'tool-audit.jsonl'),
      keyPath: join(folder, 'forged', 'audit-key'),
      secrets: new KnownSecrets(),
    });
    write(forger, 5);
    writeFileSync(path, readFileSync(join(folder, 'forged', 'tool-audit.jsonl')));
    expect(verified()).toMatchObject({ ok: false, line: 1, problem: 'the HMAC is not one of this key' });
  });

  test('a cut end is found, at once for what changed something, after 64 lines or at the end for the rest', () => {
    const log = open();
    write(log, 3);
    log.record(INTENT);
    const cut = (most: number) => {
      const all = lines();
      writeFileSync(path, `${all.slice(0, most).join('\n')}\n`);
      const found = verified();
      writeFileSync(path, `${all.join('\n')}\n`);
      return found;
    };
    expect(verified()).toMatchObject({ ok: true, checkpoint: { seq: 4, first: 1, count: 4 } });
    expect(cut(3)).toMatchObject({ ok: false, problem: expect.stringMatching(/^lines 4 to 4 are missing/) });
    write(log, 64);
    expect(verified()).toMatchObject({ ok: true, checkpoint: { seq: 68 } });
    write(log, 2);
    log.close();
    expect(cut(69)).toMatchObject({ ok: false, problem: expect.stringMatching(/^lines 70 to 70 are missing/) });
    expect(cut(0).ok).toBe(false);
  });

  test('a cut end is not covered up by what is written next, nor is a log that was taken away', () => {
    const log = open();
    write(log, 3);
    log.record(INTENT);
    log.close();
    writeFileSync(path, `${lines().slice(0, 2).join('\n')}\n`);
    write(open(), 3);
    expect(verified()).toMatchObject({ ok: false, line: 3, problem: '`seq` should be 3, got 5' });
    rmSync(path);
    write(open(), 3);
    expect(verified()).toMatchObject({
      ok: false,
      line: 1,
      problem: expect.stringMatching(/^lines 1 to \d are missing/),
    });
  });

  test('a checkpoint that was changed, or is one of before, is found', () => {
    const log = open();
    const file = checkpointPath(path, keyPath());
    log.record(INTENT);
    const before = readFileSync(file);
    log.record(INTENT);
    const now = readFileSync(file, 'utf8');
    writeFileSync(file, now.replace('"seq":2', '"seq":1'));
    expect(verified()).toMatchObject({ ok: false, problem: 'the checkpoint is not signed with the key' });
    writeFileSync(file, before);
    expect(verified()).toMatchObject({ ok: true, checkpoint: { seq: 1 } });
    // Kept elsewhere, it tells what was cut off here.
    writeFileSync(path, `${lines().slice(0, 1).join('\n')}\n`);
    const kept = join(folder, 'kept');
    writeFileSync(kept, now);
    expect(verifyAudit(path, { keys: readAuditKeys(keyPath()), checkpoint: kept })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^lines 2 to 2 are missing/),
    });
  });

  test('rotated files that were deleted too early are reported missing', () => {
    const log = open({ maxBytes: 2_000 });
    write(log, 30);
    const [oldest] = auditFiles(path);
    rmSync(oldest!);
    expect(verified()).toMatchObject({
      ok: false,
      line: 1,
      problem: expect.stringMatching(/^lines 1 to \d+ are missing/),
    });
  });
});

describe('a log of 0.1.0', () => {
  /** As 0.1.0 wrote it: hashes, and no HMAC. */
  const old = (count: number) => {
    write(open(), count);
    const unkeyed = rehashed(lines(), 'left out');
    rmSync(join(folder, 'state'), { recursive: true });
    mkdirSync(join(folder, 'state'), { mode: 0o700 });
    writeFileSync(path, `${unkeyed.join('\n')}\n`, { mode: 0o600 });
  };

  test('still verifies, as one that has no HMAC', () => {
    old(4);
    expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 4, unkeyed: 4, unchecked: 0 });
  });

  test('is continued, and the change has a line of its own', () => {
    old(4);
    write(open(), 2);
    expect(lines()).toHaveLength(7);
    expect(JSON.parse(lines()[4]!)).toMatchObject({ seq: 5, kind: 'scheme', scheme: 'hmac-sha256', before: 'sha-256' });
    expect(verified()).toMatchObject({
      ok: true,
      lines: 7,
      unkeyed: 4,
      unchecked: 0,
      checkpoint: { seq: 6, first: 1 },
    });
    write(open(), 1);
    expect(lines()).toHaveLength(8);
  });

  test('cannot be changed any more, nor can what follows be made one', () => {
    old(4);
    write(open(), 3);
    const all = lines();
    for (const forged of [
      rehashed(
        all.map((line) => line.replace('call-1', 'call-9')),
        'kept',
      ),
      rehashed(all, 'left out'),
      rehashed(
        all.filter((line) => !line.includes('"scheme"')),
        'kept',
      ),
      [...rehashed(all.slice(0, 5), 'left out'), ...all.slice(5)],
    ]) {
      writeFileSync(path, `${forged.join('\n')}\n`);
      expect(verified().ok).toBe(false);
    }
  });
});

test('a lost key is on record: what comes after is signed with the next one, and both are needed to check it', () => {
  write(open(), 2);
  const first = readFileSync(keyPath(), 'utf8');
  rmSync(keyPath());
  write(open(), 2);
  expect(JSON.parse(lines()[2]!)).toMatchObject({ kind: 'scheme', before: 'another key' });
  expect(verified()).toMatchObject({ ok: false, line: 1, problem: 'the HMAC is not one of this key' });
  writeFileSync(keyPath(), `${readFileSync(keyPath(), 'utf8')}${first}`);
  expect(verified()).toMatchObject({ ok: true, lines: 5 });
});

test('the key is private, made once, and no other user may have read it', () => {
  open().close();
  const key = readFileSync(keyPath(), 'utf8');
  expect(statSync(keyPath()).mode & 0o777).toBe(0o600);
  write(open(), 1);
  expect(readFileSync(keyPath(), 'utf8')).toBe(key);
  expect(readFileSync(path, 'utf8')).not.toContain(key.trim());
  chmodSync(keyPath(), 0o644);
  expect(codeOf(() => open())).toBe('CONFIG_INVALID');
});

test('no secret enters it, by name or by value', () => {
  const secrets = new KnownSecrets(['s3cr3t-value-of-the-router']);
  const log = open({ secrets });
  log.record({ ...RECORD, tool: 's3cr3t-value-of-the-router', code: 'password=hunter22' });
  expect(readFileSync(path, 'utf8')).not.toMatch(/s3cr3t-value|hunter22/);
  expect(verified().ok).toBe(true);
});

test('a secret of digits is masked in texts and leaves the numbers of a line and its chain whole', () => {
  const log = open({ secrets: new KnownSecrets(['123456']) });
  log.record({ ...RECORD, tool: 'tool-123456', ms: 51_234_567 });
  const written = JSON.parse(lines()[0] as string) as Record<string, unknown>;
  expect(written).toMatchObject({ tool: 'tool-******', ms: 51_234_567 });
  expect(verified().ok).toBe(true);
});

describe('where nothing can be written', () => {
  test('opening is refused, and names the file', () => {
    writeFileSync(join(folder, 'state'), 'a file, not a folder');
    expect(codeOf(() => open())).toBe('AUDIT_UNWRITABLE');
  });

  test('a file that others can read is refused, and so is a link to somewhere else', () => {
    write(open(), 1);
    chmodSync(path, 0o644);
    expect(codeOf(() => open())).toBe('AUDIT_UNWRITABLE');
    rmSync(path);
    writeFileSync(join(folder, 'elsewhere'), '', { mode: 0o600 });
    symlinkSync(join(folder, 'elsewhere'), path);
    expect(codeOf(() => open())).toBe('AUDIT_UNWRITABLE');
  });

  test('a full disk is a refusal each time, and the chain is whole when there is room again', () => {
    const log = open();
    write(log, 2);
    rmSync(path);
    symlinkSync('/dev/full', path);
    expect(codeOf(() => write(log, 1))).toBe('AUDIT_UNWRITABLE');
    expect(codeOf(() => write(log, 1))).toBe('AUDIT_UNWRITABLE');
    rmSync(path);
    write(log, 2);
    expect(verified()).toMatchObject({ ok: true, lines: 2 });
  });
});
