/** The life of an approval, over files and over a real Redis: one digest, one use, whichever replica takes the answer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RouterError } from '../errors.ts';
import { RedisLink } from '../storage/redis-link.ts';
import { createLogger } from '../telemetry/logger.ts';
import { missing, startRedis } from '../test/support/programs.ts';
import type { Approval, ShownRequest } from './approval.ts';
import {
  type Answering,
  APPROVAL_LIMITS,
  ApprovalService,
  type Asking,
  type DecisionLine,
} from './approval-service.ts';
import type { ApprovalStore } from './approval-store.ts';
import { FileApprovalStore } from './file-approval-store.ts';
import type { Operator } from './operators.ts';
import { RedisApprovalStore } from './redis-approval-store.ts';

const key = Buffer.alloc(32, 7);
const keys = { current: key, all: [key] };
const LIFE = 900_000;
const ID = 'a'.repeat(43);
const SECRET_TEXT = 'guest-passphrase-of-the-request';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function files() {
  const folder = mkdtempSync(join(tmpdir(), 'approvals-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  return { folder, open: (now: () => number) => new FileApprovalStore(join(folder, 'approvals'), now) };
}

async function redis() {
  const server = await startRedis();
  closing.push(() => server[Symbol.asyncDispose]());
  const address = { host: '127.0.0.1', port: server.port, tls: false, database: 0, username: undefined };
  const link = async () => {
    const opened = new RedisLink({
      address: { ...address, passwordPath: server.passwordPath },
      logger: createLogger('silent'),
      answerMs: 10_000,
    });
    closing.push(() => opened.close());
    await opened.ready();
    return opened;
  };
  return { server, link };
}

const part = (capability = 'write', object = 'guest'): ShownRequest => ({
  tool: 'mgmt_update',
  platform: 'mgmt',
  capability,
  documentText: '',
  account: 'mgmt',
  host: 'https://mgmt.test',
  method: 'PATCH',
  target: `/things/${object}`,
  headers: [],
  body: { contentType: 'application/json', bytes: 2, text: `"${SECRET_TEXT}"`, form: 'as sent', masked: false },
  notes: [],
  object,
  path: `/things/${object}`,
  operation: 'PATCH /things/{id}',
});
const asking = (more: Partial<Asking> = {}): Asking => ({
  id: ID,
  digest: 'digest-1',
  principal: 'agent',
  tool: 'mgmt_update',
  about: '',
  requests: [part()],
  notAfter: undefined,
  ...more,
});
const person = (name: string, more: Partial<Operator> = {}): Operator => ({
  name,
  principals: [],
  stamp: name,
  ...more,
});
const answering = (more: Partial<Answering> = {}): Answering => ({
  operator: person('ada'),
  verdict: 'approve',
  where: 'console',
  reason: '',
  digest: 'digest-1',
  objects: [],
  ...more,
});

function serviceOn(store: (now: () => number) => ApprovalStore, more: { two?: boolean } = {}) {
  const clock = { now: 1_800_000_000_000 };
  const lines: DecisionLine[] = [];
  const changed = new Map<string, Operator | undefined>();
  const make = () =>
    new ApprovalService({
      store: store(() => clock.now),
      keys,
      lifeMs: LIFE,
      twoForDestructive: more.two ?? false,
      findOperator: (name) => (changed.has(name) ? changed.get(name) : person(name)),
      record: (line) => lines.push(line),
      now: () => clock.now,
    });
  return { clock, lines, changed, service: make(), other: make() };
}

const absent = missing('redis-server');
const STORES: [string, () => Promise<(now: () => number) => ApprovalStore>][] = [
  ['files', async () => files().open],
  ...(absent
    ? []
    : ([
        [
          'Redis',
          async () => {
            const { link } = await redis();
            const links = [await link(), await link()];
            let at = 0;
            return () => new RedisApprovalStore(links[at++ % 2] as RedisLink, Date.now);
          },
        ],
      ] as [string, () => Promise<(now: () => number) => ApprovalStore>][])),
];

describe.each(STORES)('over %s', (kind, open) => {
  const settled = async (more: { two?: boolean } = {}) => {
    const bench = serviceOn(await open(), more);
    // Redis expires keys by its own clock.
    if (kind === 'Redis') bench.clock.now = Date.now();
    return bench;
  };

  test('an approval asked at one replica is approved at another and used once, wherever', async () => {
    const { service, other, lines } = await settled();
    expect(await service.ask(asking())).toMatchObject({ created: true, approval: { state: 'pending', needed: 1 } });
    expect(await other.ask(asking())).toMatchObject({ created: false });
    expect(await other.answer(ID, answering({ reason: 'planned' }))).toMatchObject({ ok: true });
    expect(await service.use(ID, 'digest-2')).toBeUndefined();
    const uses = await Promise.all([
      service.use(ID, 'digest-1'),
      other.use(ID, 'digest-1'),
      service.use(ID, 'digest-1'),
    ]);
    expect(uses.filter((use) => use !== undefined)).toMatchObject([
      { state: 'used', decisions: [{ operator: 'ada', where: 'console' }] },
    ]);
    expect(await service.read(ID)).toMatchObject({ state: 'used', requests: [] });
    expect(lines.map(({ event, operator }) => [event, operator])).toEqual([
      ['asked', undefined],
      ['approved', 'ada'],
    ]);
  });

  test('two answers at once: one counts', async () => {
    const { service, other } = await settled();
    await service.ask(asking());
    const answers = await Promise.all([
      service.answer(ID, answering({ operator: person('ada') })),
      other.answer(ID, answering({ operator: person('bob'), verdict: 'decline' })),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toEqual({ ok: false, problem: 'decided' });
  });

  test('of a yes, a no and a withdrawal at once the log names the one that counted, and that the others did not', async () => {
    const { service, other, lines } = await settled();
    await service.ask(asking());
    await Promise.all([
      service.answer(ID, answering({ operator: person('ben'), verdict: 'decline' })),
      other.answer(ID, answering({ operator: person('ada') })),
      service.withdraw(ID),
    ]);
    const { state } = (await service.read(ID)) as Approval;
    const first = { ben: 'declined', ada: 'approved', agent: 'cancelled' };
    for (const [who, said] of Object.entries(first)) {
      const events = lines.filter(({ operator = 'agent' }) => operator === who).map(({ event }) => event);
      const own = events.filter((event) => event !== 'asked');
      // Who came when it was decided has no line at all.
      expect([[], [said], [said, 'overtaken']]).toContainEqual(own);
      expect([who, own.length === 1]).toEqual([who, said === state]);
    }
  });

  test('two operators who agree at once both count, with one line each', async () => {
    const { service, other, lines } = await settled({ two: true });
    await service.ask(asking({ requests: [part('destructive', 'guest')] }));
    const yes = answering({ objects: ['guest'] });
    await Promise.all([service.answer(ID, yes), other.answer(ID, { ...yes, operator: person('bob') })]);
    expect(await service.read(ID)).toMatchObject({ state: 'approved' });
    expect(lines.map(({ event, operator = '' }) => `${event} ${operator}`).sort()).toEqual([
      'approved ada',
      'approved bob',
      'asked ',
    ]);
  });

  test('two operators are needed for a destructive request, and one of them is not two', async () => {
    const { service, other } = await settled({ two: true });
    await service.ask(asking({ requests: [part('destructive', 'guest')] }));
    const yes = answering({ objects: ['guest'] });
    expect(await service.answer(ID, yes)).toMatchObject({ ok: true, approval: { state: 'pending' } });
    expect(await service.use(ID, 'digest-1')).toBeUndefined();
    expect(await other.answer(ID, yes)).toEqual({ ok: false, problem: 'same operator' });
    expect(await other.answer(ID, { ...yes, operator: person('bob') })).toMatchObject({
      ok: true,
      approval: { state: 'approved' },
    });
    expect(await service.use(ID, 'digest-1')).toMatchObject({ decisions: [{ operator: 'ada' }, { operator: 'bob' }] });
  });

  test.each<[string, Operator | undefined]>([
    ['who is removed', undefined],
    ['who has another password', person('ada', { stamp: 'another' })],
    ['whose agent turned out to ask', person('ada', { principals: ['agent'] })],
  ])('the yes of one %s counts no more: it waits for another one', async (_, now) => {
    const { service, other, lines, changed } = await settled({ two: true });
    await service.ask(asking({ requests: [part('destructive', 'guest')] }));
    const yes = answering({ objects: ['guest'] });
    await service.answer(ID, yes);
    await service.answer(ID, { ...yes, operator: person('bob') });
    changed.set('ada', now);
    expect(await other.use(ID, 'digest-1')).toMatchObject({ state: 'pending', decisions: [{ operator: 'bob' }] });
    expect(await service.use(ID, 'digest-1')).toBeUndefined();
    await other.answer(ID, { ...yes, operator: person('cy') });
    expect(await service.use(ID, 'digest-1')).toMatchObject({ state: 'used' });
    expect(lines.map(({ event, operator }) => `${event} ${operator}`).slice(2)).toEqual([
      'approved bob',
      'revoked ada',
      'approved cy',
    ]);
  });

  test('one yes of before is not enough once two are wanted', async () => {
    const store = await open();
    const [before, after] = [serviceOn(store), serviceOn(store, { two: true })];
    if (kind === 'Redis') before.clock.now = after.clock.now = Date.now();
    await before.service.ask(asking({ requests: [part('destructive', 'guest')] }));
    await before.service.answer(ID, answering({ objects: ['guest'] }));
    expect(await after.service.use(ID, 'digest-1')).toMatchObject({ state: 'pending', needed: 2 });
    await after.service.answer(ID, answering({ objects: ['guest'], operator: person('bob') }));
    expect(await after.service.use(ID, 'digest-1')).toMatchObject({ state: 'used' });
  });

  test('the first yes of two is gone with its operator', async () => {
    const { service, other, changed } = await settled({ two: true });
    await service.ask(asking({ requests: [part('destructive', 'guest')] }));
    const yes = answering({ objects: ['guest'] });
    await service.answer(ID, yes);
    changed.set('ada', undefined);
    const second = await other.answer(ID, { ...yes, operator: person('bob') });
    expect(second).toMatchObject({ ok: true, approval: { state: 'pending', decisions: [{ operator: 'bob' }] } });
  });

  test.each<[string, Partial<Answering>, string]>([
    ['another digest than the one shown', { digest: 'digest-2' }, 'changed'],
    ['the operator whose agent asked', { operator: person('ada', { principals: ['agent'] }) }, 'own request'],
    ['no name of the object', { objects: [] }, 'object not named'],
    ['another name', { objects: ['staff'] }, 'object not named'],
    ['more names than objects', { objects: ['guest', 'staff'] }, 'object not named'],
  ])('%s approves nothing', async (_, wrong, problem) => {
    const { service } = await settled();
    await service.ask(asking({ requests: [part('destructive', 'guest')] }));
    expect(await service.answer(ID, answering({ objects: ['guest'], ...wrong }))).toEqual({ ok: false, problem });
    expect(await service.use(ID, 'digest-1')).toBeUndefined();
    expect(await service.read(ID)).toMatchObject({ state: 'pending', decisions: [] });
  });

  test('declined and withdrawn ones stay so and hold no request any more', async () => {
    const { service, other } = await settled();
    await service.ask(asking());
    await other.answer(ID, answering({ verdict: 'decline', reason: 'not today' }));
    expect(await service.answer(ID, answering())).toEqual({ ok: false, problem: 'decided' });
    expect(await service.read(ID)).toMatchObject({
      state: 'declined',
      requests: [],
      decisions: [{ reason: 'not today' }],
    });
    const second = 'b'.repeat(43);
    await service.ask(asking({ id: second }));
    await service.withdraw(second);
    expect(await other.answer(second, answering())).toEqual({ ok: false, problem: 'decided' });
    expect(await service.use(second, 'digest-1')).toBeUndefined();
  });

  test('what an answer of an unknown id approves is nothing', async () => {
    const { service } = await settled();
    expect(await service.answer('c'.repeat(43), answering())).toEqual({ ok: false, problem: 'gone' });
  });

  test('what one caller may leave open is bounded', async () => {
    const { service } = await settled();
    const idOf = (n: number) => `${'d'.repeat(40)}${String(n).padStart(3, '0')}`;
    for (let n = 0; n < APPROVAL_LIMITS.principal; n++) await service.ask(asking({ id: idOf(n) }));
    await expect(service.ask(asking({ id: idOf(999) }))).rejects.toMatchObject({ code: 'APPROVAL_LIMIT' });
    expect(await service.ask(asking({ id: idOf(998), principal: 'another' }))).toMatchObject({ created: true });
    const few = { principal: 'narrow', mostOfPrincipal: 2 };
    for (const n of [1_001, 1_002]) await service.ask(asking({ id: `${'e'.repeat(39)}${n}`, ...few }));
    const third = service.ask(asking({ id: `${'e'.repeat(39)}1003`, ...few }));
    await expect(third).rejects.toMatchObject({ code: 'APPROVAL_LIMIT', details: { retry_after_seconds: 30 } });
  });
});

test('what ended is not read again to count what waits', async () => {
  const { open } = files();
  let reads = 0;
  const { service } = serviceOn((now) => {
    const store = open(now);
    return Object.assign(Object.create(store) as ApprovalStore, {
      create: store.create.bind(store),
      replace: store.replace.bind(store),
      ids: store.ids.bind(store),
      read: (id: string) => {
        reads += 1;
        return store.read(id);
      },
    });
  });
  for (let n = 0; n < 40; n++) {
    const id = `${'e'.repeat(40)}${String(n).padStart(3, '0')}`;
    await service.ask(asking({ id }));
    await service.answer(id, answering({ verdict: 'decline' }));
  }
  await service.pending();
  reads = 0;
  expect(await service.pending()).toEqual([]);
  expect(reads).toBe(0);
});

describe('time', () => {
  test('an approval ends after its life, or with its plan token if that ends first', async () => {
    const { service, clock } = serviceOn(files().open);
    await service.ask(asking({ notAfter: clock.now + 60_000 }));
    clock.now += 60_000;
    expect(await service.answer(ID, answering())).toEqual({ ok: false, problem: 'expired' });
    const second = 'b'.repeat(43);
    await service.ask(asking({ id: second }));
    await service.answer(second, answering());
    clock.now += LIFE;
    expect(await service.use(second, 'digest-1')).toBeUndefined();
  });

  test('what expired loses its requests, is on record once, and is forgotten an hour later', async () => {
    const { folder, open } = files();
    const { service, other, clock, lines } = serviceOn(open);
    await service.ask(asking());
    clock.now += LIFE + 1;
    await Promise.all([service.sweep(), other.sweep()]);
    await other.sweep();
    expect(lines.map(({ event }) => event)).toEqual(['asked', 'expired']);
    expect(await service.read(ID)).toMatchObject({ requests: [] });
    clock.now += 3_600_001;
    await service.sweep();
    expect(readdirSync(join(folder, 'approvals')).filter((name) => name.endsWith('.approval'))).toEqual([]);
  });
});

test.each([false, true])(
  'what one replica has expired stays so for another whose clock is behind, approved before or not: %s',
  async (isApproved) => {
    const { open } = files();
    const ahead = serviceOn(open);
    const behind = serviceOn(open);
    await behind.service.ask(asking({ requests: [part('destructive')] }));
    if (isApproved) await behind.service.answer(ID, answering({ objects: ['guest'] }));
    ahead.clock.now += LIFE + 1;
    await ahead.service.sweep();
    expect(await behind.service.answer(ID, answering({ objects: [] }))).toEqual({ ok: false, problem: 'expired' });
    expect(await behind.service.use(ID, 'digest-1')).toBeUndefined();
  },
);

test('an answer whose lock was taken over while the disk stood still overwrites nothing', async () => {
  const { folder, open } = files();
  const [slow, quick] = [open(Date.now), open(Date.now)];
  const kept = Date.now() + LIFE;
  await slow.create(ID, 'pending', kept);
  const disk = process.getBuiltinModule('node:fs');
  const { fsyncSync } = disk;
  closing.push(() => {
    disk.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  });
  let declined: Promise<boolean> | undefined;
  disk.fsyncSync = () => {
    disk.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
    rmSync(join(folder, 'approvals', 'lock'));
    declined = quick.replace(ID, 'pending', 'declined', kept);
  };
  syncBuiltinESMExports();
  expect(await slow.replace(ID, 'pending', 'approved', kept)).toBe(false);
  expect([await declined, await slow.read(ID)]).toEqual([true, 'declined']);
});

describe('at rest', () => {
  const stored = async () => {
    const { folder, open } = files();
    const bench = serviceOn(open);
    await bench.service.ask(asking());
    const path = join(folder, 'approvals', `${ID}.approval`);
    return { ...bench, path };
  };

  test('a request is not readable, and its file is private', async () => {
    const { path } = await stored();
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(SECRET_TEXT);
    expect(Buffer.from(text.split('\n')[1] as string, 'base64').toString('latin1')).not.toContain('guest');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('an altered one, one of another id and one of another key are none', async () => {
    const { service, path, clock } = await stored();
    const [until, sealed = ''] = readFileSync(path, 'utf8').split('\n');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    writeFileSync(path, `${until}\n${bytes.toString('base64')}`);
    expect(await service.read(ID)).toBeUndefined();
    const second = 'b'.repeat(43);
    writeFileSync(path.replace(ID, second), `${until}\n${sealed}`);
    expect(await service.read(second)).toBeUndefined();
    writeFileSync(path, `${until}\n${sealed}`);
    const otherKey = Buffer.alloc(32, 8);
    const foreign = new ApprovalService({
      store: new FileApprovalStore(join(path, '..'), () => clock.now),
      keys: { current: otherKey, all: [otherKey] },
      lifeMs: LIFE,
      twoForDestructive: false,
      findOperator: person,
    });
    expect([await foreign.read(ID), await service.read(ID)]).toMatchObject([undefined, { id: ID }]);
  });

  test('an answer that cannot be recorded does not count', async () => {
    const { open } = files();
    const { service } = serviceOn(open);
    await service.ask(asking());
    const unrecorded = new ApprovalService({
      store: open(() => 1_800_000_000_000),
      keys,
      lifeMs: LIFE,
      twoForDestructive: false,
      findOperator: person,
      now: () => 1_800_000_000_000,
      record: () => {
        throw new Error('disk full');
      },
    });
    await expect(unrecorded.answer(ID, answering())).rejects.toThrow('disk full');
    expect(await service.read(ID)).toMatchObject({ state: 'pending' });
  });
});

test('an id of another form never becomes a path', async () => {
  const { open } = files();
  await expect(open(Date.now).read('../../etc/passwd')).rejects.toThrow(TypeError);
});

test('a question that is too long to be kept is refused', async () => {
  const { service } = serviceOn(files().open);
  const long = part();
  const body = { ...(long.body as object), text: 'x'.repeat(APPROVAL_LIMITS.characters) } as ShownRequest['body'];
  const refused = service.ask(asking({ requests: [{ ...long, body }] }));
  await expect(refused).rejects.toMatchObject({ code: 'APPROVAL_TOO_LARGE' } satisfies Partial<RouterError>);
});
