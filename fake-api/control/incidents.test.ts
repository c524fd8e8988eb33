/** Incidents over the control port, and from the command line. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../fake.ts';
import { killFakeProcesses, startFakeProcess } from '../test/fake-process.ts';
import type { IncidentStartedAnswer, IncidentsAnswer, ResetAnswer } from './ledger.ts';

const NAME = 'dhcp-pool-exhausted';
let fake: FakeApi;

beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt', 'sensors'] });
});
afterAll(async () => {
  killFakeProcesses();
  await fake.close();
});

async function ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; json: T }> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${fake.control}/namespaces${path}`, { method, ...sent });
  return { status: answer.status, json: (await answer.json()) as T };
}

const reset = (namespace: string, incident?: string) =>
  ask<ResetAnswer>('POST', `/${namespace}/reset`, incident === undefined ? {} : { incident });
const hashOf = async (namespace: string) => (await ask<{ hash: string }>('GET', `/${namespace}/state-hash`)).json.hash;
const startedAt = async (namespace: string) => {
  const { json } = await ask<IncidentsAnswer>('GET', `/${namespace}/incidents`);
  return json.incidents.find(({ name }) => name === NAME)?.startedAt;
};

describe('POST, GET and DELETE incidents', () => {
  test('start one in a namespace, list it as running, and put back what it changed', async () => {
    await reset('one');
    const before = await hashOf('one');
    expect(await startedAt('one')).toBeNull();
    const started = await ask<IncidentStartedAnswer>('POST', '/one/incidents', { name: NAME });
    expect([started.status, started.json]).toEqual([
      200,
      expect.objectContaining({
        name: NAME,
        startedAt: '2026-03-02T09:00:00Z',
        cause: expect.stringContaining('hq-gw-01'),
        rows: { mgmt: expect.objectContaining({ 'gateway-dhcp-pools': 1 }), sensors: { issues: 1, 'test-results': 1 } },
      }),
    ]);
    expect(await startedAt('one')).toBe('2026-03-02T09:00:00Z');
    const ended = await ask('DELETE', `/one/incidents/${NAME}`);
    expect(ended.json).toEqual({ name: NAME, rowsPutBack: expect.any(Number) });
    expect(await hashOf('one')).toBe(before);
  });

  test('a snapshot holds what runs, and a restore brings it back', async () => {
    await reset('two');
    await ask('POST', '/two/incidents', { name: NAME });
    const { json } = await ask<{ id: string }>('POST', '/two/snapshot');
    await ask('DELETE', `/two/incidents/${NAME}`);
    expect(await startedAt('two')).toBeNull();
    await ask('POST', '/two/restore', { id: json.id });
    expect(await startedAt('two')).toBe('2026-03-02T09:00:00Z');
  });

  test.each([
    ['POST', '', { name: 'nothing' }, 404, /name: expected one of .*dhcp-pool-exhausted.*, got "nothing"/],
    ['POST', '', {}, 400, /request body/],
    ['DELETE', `/${NAME}`, undefined, 409, /expected an incident that runs, got "dhcp-pool-exhausted", which does not/],
    ['DELETE', '/nothing', undefined, 404, /got "nothing"/],
  ])('%s …/incidents%s with %j is refused with %i', async (method, path, body, status, message) => {
    await reset('three');
    const refused = await ask<{ message: string }>(method, `/three/incidents${path}`, body);
    expect([refused.status, refused.json.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('refuses a second start', async () => {
    await reset('four', NAME);
    const { status, json } = await ask<{ message: string }>('POST', '/four/incidents', { name: NAME });
    expect([status, json.message]).toEqual([409, expect.stringContaining('runs since 2026-03-02T09:00:00Z')]);
  });

  test('says which rows a fixture lacks', async () => {
    await ask('POST', '/five/reset', { fixture: 'tiny' });
    const { status, json } = await ask<{ message: string }>('POST', '/five/incidents', { name: NAME });
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(/dhcp-pool-exhausted\.yaml:\d+: field rows\.\w+\.where: expected at least one row/),
    ]);
  });
});

test('a reset with an incident gives a fixture identity of its own', async () => {
  const { fixture: alone } = (await reset('six')).json;
  const { fixture: both } = (await reset('six', NAME)).json;
  expect(both).toEqual({ ...alone, bundle: `small-campus+${NAME}`, digest: expect.stringMatching(/^sha256:/) });
  expect(both.digest).not.toBe(alone.digest);
  expect(await startedAt('six')).toBe('2026-03-02T09:00:00Z');
});

describe('fake incident', () => {
  const run = (...args: string[]) => startFakeProcess('incident', ...args, '--control', fake.control).ended;

  test('start, list and stop', async () => {
    await reset('shell');
    const started = await run('start', NAME, '--namespace', 'shell');
    expect([started.code, started.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^dhcp-pool-exhausted: New devices.*\n {2}mgmt .*gateway-dhcp-pools 1[\s\S]*\ncause: The address pool/,
      ),
    ]);
    const list = await run('list', '--namespace', 'shell');
    expect(list.stdout).toMatch(/^\* dhcp-pool-exhausted +New devices/m);
    expect(list.stdout).toMatch(/^ {2}switch-power-lost +One half/m);
    const stopped = await run('stop', NAME, '--namespace', 'shell');
    expect(stopped.stdout).toMatch(/^dhcp-pool-exhausted ended, \d+ rows are as before/);
  });

  test.each([
    [['start', 'nothing'], 2, /CONTROL_REFUSED: name: expected one of .*, got "nothing"/],
    [['start'], 2, /FAKE_USAGE: missing required argument 'name'/],
    [['stop', NAME, '--namespace', 'nowhere'], 2, /namespace: expected one of .*, got "nowhere"/],
    [['fly'], 2, /FAKE_USAGE/],
  ])('%j is refused', async (args, code, message) => {
    const refused = await run(...args);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringMatching(message)]);
  });

  test('a port where nobody listens', async () => {
    const { code, stderr } = await startFakeProcess('incident', 'list', '--control', 'http://127.0.0.1:9').ended;
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/CONTROL_UNREACHABLE: a running fake should listen at http:\/\/127\.0\.0\.1:9, got /),
    ]);
  });
});
