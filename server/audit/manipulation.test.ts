/** Random manipulations of a log that spans several files: each is found with the key, and with the public key alone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { runNode } from '../test/support/running-process.ts';
import { publicKeyOf, readAuditKeys, readPublicKey } from './audit-key.ts';
import { AuditLog, checkpointPath } from './audit-log.ts';
import { auditFiles, GENESIS, hashOf, verifyAudit } from './chain.ts';

const MANIPULATIONS = 300;
const LINES = 24;

let folder: string;
let path: string;
let exported: string;
let publicKey: string;
let whole: Map<string, string>;
const keyPath = () => join(folder, 'audit-key');
const restore = () => {
  for (const [file, text] of whole) writeFileSync(file, text, { mode: 0o600 });
};
const command = (...words: string[]) =>
  runNode([join(import.meta.dirname, '..', 'cli', 'verify-audit.ts'), path, ...words]);

function write(log: AuditLog, count: number): void {
  for (let n = 0; n < count; n++)
    log.record({
      kind: n % 3 === 0 ? 'intent' : 'call',
      id: `call-${n}`,
      dispatcher: 'invoke_tool',
      tool: 'mgmt_update_wlan',
      platform: 'mgmt',
      capability: 'write',
      principal: n % 2 === 0 ? 'local' : 'reporting-agent',
      argument_keys: ['ssid'],
      argument_digest: 'x',
      outcome: 'success',
      approver: 'console:ada',
    });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-audit-'));
  path = join(folder, 'tool-audit.jsonl');
  exported = join(folder, 'exported');
  const log = new AuditLog({ path, keyPath: keyPath(), secrets: new KnownSecrets(), maxBytes: 4_000 });
  write(log, LINES);
  log.close();
  const { code, stdout } = await command('--export', exported);
  expect(code).toBe(0);
  publicKey = /public key ([\w-]{43})$/m.exec(stdout)?.[1] ?? '';
  expect(publicKey).toBe(publicKeyOf(readAuditKeys(keyPath())[0]!));
  whole = new Map(
    [...auditFiles(path), checkpointPath(path, keyPath())].map((file) => [file, readFileSync(file, 'utf8')]),
  );
  expect(auditFiles(path).length).toBeGreaterThan(2);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Change = (all: string[], a: number, b: number) => string[];

const without: Change = (all, a) => all.filter((_, n) => n !== a);

const swapped: Change = (all, a, b) => {
  const other = a === b ? (a + 1) % all.length : b;
  return all.map((line, n) => (n === a ? all[other]! : n === other ? all[a]! : line));
};

/** What somebody without the key does to the lines; numbers are drawn. */
const CHANGES: Record<string, Change> = {
  remove: without,
  reorder: swapped,
  repeat: (all, a, b) => all.toSpliced(b, 0, all[a]!),
  edit: (all, a, b) => all.with(a, flipped(all[a]!, b)),
  'edit and rehash': (all, a, b) => rehashed(all.with(a, all[a]!.replace('"success"', `"failed ${b}"`)), b),
  'remove and rehash': (all, a, b) => rehashed(without(all, a, b), b),
  'reorder and rehash': (all, a, b) => rehashed(swapped(all, a, b), b),
  'cut the end': (all, a) => all.slice(0, a),
  'cut the end and rehash': (all, a, b) => rehashed(all.slice(0, a), b),
  'cut the beginning': (all, a) => all.slice(a + 1),
};

const flipped = (line: string, at: number): string => {
  const n = at % line.length;
  return line.slice(0, n) + String.fromCharCode(line.charCodeAt(n) ^ 1) + line.slice(n + 1);
};

/** Numbers and hashes are right afterwards; the HMACs are kept, left out or made up. */
function rehashed(all: string[], way: number): string[] {
  let prev = GENESIS;
  return all.map((line, n) => {
    const { mac, ...record } = JSON.parse(line) as Record<string, unknown>;
    const fields = { ...record, seq: n + 1, prev };
    const own = [{ mac }, {}, { mac: hashOf(JSON.stringify(fields)) }][way % 3];
    const text = JSON.stringify({ ...fields, ...own });
    prev = hashOf(text);
    return text;
  });
}

/** Puts the lines into as many files as before. */
function lay(lines: readonly string[], perFile: number): void {
  const files = auditFiles(path);
  for (const [n, file] of files.entries()) {
    const part = n === files.length - 1 ? lines.slice(n * perFile) : lines.slice(n * perFile, (n + 1) * perFile);
    writeFileSync(file, part.map((line) => `${line}\n`).join(''));
  }
}

const withKey = () =>
  verifyAudit(path, { keys: readAuditKeys(keyPath()), checkpoint: checkpointPath(path, keyPath()), exported });
const withPublicKey = () => verifyAudit(path, { publicKey: readPublicKey(publicKey), exported });

const everyLine = () =>
  auditFiles(path)
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter(Boolean);

test('the log as it was written is whole, however its lines are spread over files', () => {
  restore();
  expect(withKey()).toMatchObject({ ok: true, lines: LINES, unchecked: 0, checkpoint: { seq: LINES } });
  expect(withPublicKey()).toMatchObject({ ok: true, lines: LINES, unchecked: 0, checkpoint: { seq: LINES } });
  lay(everyLine(), 5);
  expect(withKey()).toMatchObject({ ok: true, lines: LINES });
});

test.each(Object.entries(CHANGES))('%s: every drawn manipulation is found', (name, change) => {
  const line = fc.nat({ max: LINES - 1 });
  fc.assert(
    fc.property(line, fc.nat({ max: 5_000 }), fc.integer({ min: 3, max: 9 }), (a, b, perFile) => {
      restore();
      const second = name.startsWith('reorder') || name === 'repeat' ? b % LINES : b;
      lay(change(everyLine(), a, second), perFile);
      return !withKey().ok && !withPublicKey().ok;
    }),
    { numRuns: MANIPULATIONS / Object.keys(CHANGES).length, seed: 31 },
  );
});

describe('what only an exported checkpoint finds', () => {
  test('lines cut off together with the checkpoint of the router, or the whole log', async () => {
    restore();
    lay(everyLine().slice(0, 10), 5);
    rmSync(checkpointPath(path, keyPath()));
    expect((await command()).code).toBe(0);
    expect(await command('--checkpoint', exported)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/lines 11 to 24 are missing/),
    });
    for (const file of auditFiles(path)) rmSync(file);
    expect((await command('--checkpoint', exported)).code).toBe(1);
    expect((await command()).code).toBe(3);
    expect((await command('--checkpoint', join(folder, 'nowhere'))).code).toBe(3);
  });

  test('files that the router let go since the export are no removal, and its own checkpoint says so', () => {
    const keyed = { path: join(folder, 'let-go.jsonl'), keyPath: keyPath(), secrets: new KnownSecrets() };
    const log = new AuditLog({ ...keyed, maxBytes: 1_500, keep: 2 });
    write(log, 6);
    const earlier = join(folder, 'earlier');
    const own = checkpointPath(keyed.path, keyPath());
    writeFileSync(earlier, readFileSync(own));
    write(log, 30);
    const keys = readAuditKeys(keyPath());
    expect(verifyAudit(keyed.path, { keys, checkpoint: own, exported: earlier })).toMatchObject({
      ok: true,
      startsLater: true,
    });
    expect(verifyAudit(keyed.path, { keys, exported: earlier }).ok).toBe(false);
  });

  test('a checkpoint that somebody else signed is refused', () => {
    restore();
    const forged = join(folder, 'forged');
    writeFileSync(forged, readFileSync(exported, 'utf8').replace(`"seq":${LINES}`, '"seq":3'));
    expect(verifyAudit(path, { publicKey: readPublicKey(publicKey), exported: forged })).toMatchObject({
      ok: false,
      file: forged,
    });
  });
});

describe('a line that a crash left unfinished', () => {
  test('at any length is told apart from tampering', () => {
    restore();
    const lines = everyLine();
    const last = lines.pop() as string;
    for (let length = 1; length <= last.length; length += 7) {
      lay(lines, 5);
      writeFileSync(path, readFileSync(path, 'utf8') + last.slice(0, length));
      expect(verifyAudit(path, { keys: readAuditKeys(keyPath()) }), `${length}`).toMatchObject({
        ok: true,
        lines: LINES - 1,
        torn: { file: path },
      });
      // A line that a checkpoint covers was whole on the disk: no crash takes it back.
      expect(withKey().ok, `${length}`).toBe(false);
    }
  });

  test.each([
    ['of another line', (last: string) => last.replace(`"seq":${LINES}`, '"seq":99').slice(0, 200)],
    ['after another line', (last: string) => last.replace(/"prev":"./, '"prev":"z').slice(0, 200)],
    ['with something behind it', (last: string) => `${last} `],
    ['that is no record', () => 'hello'],
  ])('is tampering where it is the beginning %s', (_, change) => {
    restore();
    const lines = everyLine();
    const last = lines.pop() as string;
    lay(lines, 5);
    writeFileSync(path, readFileSync(path, 'utf8') + change(last));
    expect(verifyAudit(path, { keys: readAuditKeys(keyPath()) })).toMatchObject({
      ok: false,
      problem: 'the last line is not whole, and no crash leaves it so',
    });
  });

  test('is a warning of the command', async () => {
    restore();
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"seq":${LINES + 1},"at":"2026-`);
    expect(await command()).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^warning: .*is not whole: a crash or a full disk left it/),
    });
  });
});
