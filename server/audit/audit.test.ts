import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { AuditLog, type AuditOptions, type AuditRecord } from './audit-log.ts';
import { auditFiles, GENESIS, verifyAudit } from './chain.ts';

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
const open = (more: Partial<AuditOptions> = {}) => new AuditLog({ path, secrets: new KnownSecrets(), ...more });
const write = (log: AuditLog, count: number) => {
  for (let n = 0; n < count; n++) log.record({ ...RECORD, id: `call-${n}` });
};
const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof RouterError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

test('a line says who called what and how it ended, and follows the one before', () => {
  const log = open({ now: () => new Date('2026-03-02T09:00:00Z') });
  write(log, 2);
  expect(JSON.parse(lines()[0]!)).toEqual({
    seq: 1,
    at: '2026-03-02T09:00:00.000Z',
    prev: GENESIS,
    ...RECORD,
    id: 'call-0',
  });
  expect(JSON.parse(lines()[1]!)).toMatchObject({ seq: 2, prev: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(verifyAudit(path)).toMatchObject({ ok: true, files: 1, lines: 2, last: { seq: 2 }, startsLater: false });
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'state')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('the next process goes on with the chain, also after a crash within a line', () => {
  write(open(), 3);
  appendFileSync(path, '{"seq":4,"prev":"half');
  write(open(), 2);
  expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 5, last: { seq: 5 } });
});

// No process has a number above the system's limit.
test.each([
  ['another process', 4_194_999],
  ['an earlier process of our own number', process.pid],
])('a lock that %s left when it was killed within a line keeps nobody out', (_, pid) => {
  const log = new AuditLog({ path, secrets: new KnownSecrets() });
  writeFileSync(`${path}.lock`, `${pid} ${hostname()}`);
  log.record(RECORD);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('a lock whose process was killed before its name stood in it keeps nobody out for long', () => {
  const log = open();
  writeFileSync(`${path}.lock`, '');
  write(log, 1);
  expect(lines()).toHaveLength(1);
});

test('several processes at once keep one chain', async () => {
  const script = `
    const { AuditLog } = await import('${join(import.meta.dirname, 'audit-log.ts')}');
    const { KnownSecrets } = await import('${join(import.meta.dirname, '../telemetry/known-secrets.ts')}');
    const log = new AuditLog({ path: process.argv[1], secrets: new KnownSecrets(), maxBytes: 20_000 });
    for (let n = 0; n < 200; n++) log.record({ ...${JSON.stringify(RECORD)}, id: process.pid + '-' + n });`;
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', script, path], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0]);
  expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 600, last: { seq: 600 } });
});

describe('a full file is put aside', () => {
  test('and the chain goes through all of them', () => {
    write(open({ maxBytes: 2_000 }), 30);
    const files = auditFiles(path);
    expect(files.length).toBeGreaterThan(3);
    expect(files.every((file) => statSync(file).size < 2_600)).toBe(true);
    expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 30, startsLater: false });
  });

  test('only so many are kept; what is left says that it begins later', () => {
    write(open({ maxBytes: 2_000, keep: 2 }), 60);
    expect(auditFiles(path).length).toBeLessThanOrEqual(3);
    expect(verifyAudit(path)).toMatchObject({ ok: true, last: { seq: 60 }, startsLater: true });
  });

  test('a process that starts with nothing but files put aside goes on behind them', () => {
    write(open({ maxBytes: 300 }), 1);
    write(open({ maxBytes: 30_000 }), 1);
    expect(verifyAudit(path)).toMatchObject({ ok: true, files: 2, lines: 2 });
  });
});

describe('the chain breaks where', () => {
  const tamper = (change: (all: string[]) => string[]) => {
    write(open(), 6);
    writeFileSync(path, `${change(lines()).join('\n')}\n`);
    return verifyAudit(path);
  };

  test.each<[string, (all: string[]) => string[], number]>([
    ['a line was changed', (all) => all.map((line, at) => (at === 2 ? line.replace('success', 'failed') : line)), 4],
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
    // What stands in the last line is vouched for by the next one only.
    const vouched = whole.length - lines()[2]!.length - 1;
    for (let at = 0; at < vouched; at++) {
      const changed = Buffer.from(whole);
      changed[at] = whole[at]! ^ 1;
      writeFileSync(path, changed);
      expect(verifyAudit(path).ok, `byte ${at}`).toBe(false);
    }
  });
});

test('the command says where it is not whole', async () => {
  const verify = async (file: string) => {
    const script = join(import.meta.dirname, '../cli/verify-audit.ts');
    const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    const [code] = await once(child, 'close');
    return { code, said };
  };
  write(open(), 3);
  expect(await verify(path)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^3 lines in 1 file, whole\nlast 3 [0-9a-f]{64}\n$/),
  });
  writeFileSync(path, readFileSync(path, 'utf8').replace('call-1', 'call-9'));
  expect(await verify(path)).toMatchObject({ code: 1, said: expect.stringContaining(`${path}:3: `) });
  expect((await verify(join(folder, 'nothing'))).code).toBe(3);
});

test('no secret enters it, by name or by value', () => {
  const secrets = new KnownSecrets(['s3cr3t-value-of-the-router']);
  const log = open({ secrets });
  log.record({ ...RECORD, tool: 's3cr3t-value-of-the-router', code: 'password=hunter22' });
  expect(readFileSync(path, 'utf8')).not.toMatch(/s3cr3t-value|hunter22/);
  expect(verifyAudit(path).ok).toBe(true);
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
    expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 2 });
  });
});
