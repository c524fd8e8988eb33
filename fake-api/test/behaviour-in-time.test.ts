/** What the clock of a namespace moves, on every platform by the names of the fields, and what a device that restarts goes through. */
import { describe, expect, test } from 'vitest';
import { filled } from '../engine/openapi/route-template.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { type Row, rowParts } from '../engine/state/collection.ts';
import { State } from '../engine/state/state.ts';
import { answeredRow } from './answered-row.ts';
import { shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';

const HOUR = 3600;
const TEN_YEARS_DAYS = 3660;
const TEN_YEARS = TEN_YEARS_DAYS * 24 * HOUR;
const installation = await shippedInstallation();

interface Found {
  client: PlatformClient;
  resource: Resource;
  row: Row;
  read: () => Record<string, unknown> | undefined;
}

/** The first row of `platform/resource` for which this is so, in a namespace of its own. */
function found(place: string, isWanted: (value: Row['value']) => boolean): Found {
  const [id = '', name = ''] = place.split('/');
  const state = new State(installation.platforms, installation.fixture.rows, installation.fixture);
  const client = new PlatformClient(installation, id, state);
  const resource = installation.platforms.get(id)?.resources.get(name) as Resource;
  const row = [...state.rows(id, name).all()].find(({ value }) => isWanted(value));
  if (row === undefined) throw new Error(`${place}: expected such a row, got none`);
  return {
    client,
    resource,
    row,
    read: () => answeredRow(client, resource, row.id) as Record<string, unknown> | undefined,
  };
}

/** A row that is put off; where the fixture has none, one is put off until the next day. */
function foundOr(place: string, isPutOff: (value: Row['value']) => boolean, back: Row['value']): Found {
  const any = found(place, () => true);
  const rows = [...any.client.state.rows(any.resource.platform, any.resource.name).all()];
  if (!rows.some(({ value }) => isPutOff(value))) {
    const until = new Date(any.client.state.clock.ms + 86_400_000).toISOString();
    const value = { ...any.row.value, ...Object.fromEntries(Object.keys(back).map((field) => [field, until])) };
    any.client.state.putBack(any.resource, { ...any.row, value });
    return any;
  }
  return found(place, isPutOff);
}

function pass({ client }: Found, seconds: number): void {
  client.state.clock.advance(seconds);
  client.state.touch();
}

const isPast = (at: unknown, days: number) => Date.parse(String(at)) < Date.parse('2026-03-02') + days * 86_400_000;

describe('an hour', () => {
  test.each([
    ['mgmt/gateway-tunnels', 'uptimeSeconds', HOUR],
    ['cloudwlan/org-tunnel-stats', 'uptime', HOUR],
    ['sdwan/appliances', 'uptimeSeconds', HOUR],
    ['fabric/experience-systems', 'uptime_seconds', HOUR],
  ])('adds an hour to %s %s', (place, field, more) => {
    const one = found(place, (value) => Number(value[field]) > 0);
    const before = Number(one.read()?.[field]);
    pass(one, HOUR);
    expect(one.read()?.[field]).toBe(before + more);
  });

  test.each([
    ['mgmt/switch-interfaces', 'usageBytes'],
    ['cloudwlan/org-tunnel-stats', 'rx_bytes'],
    ['sdwan/interface-sums', 'rxBytes'],
    ['legacy/datapath_session', 'bytes'],
  ])('counts on in %s %s, and never back', (place, field) => {
    const one = found(place, (value) => Number(value[field]) > 10_000);
    const before = Number(one.read()?.[field]);
    pass(one, HOUR);
    const after = Number(one.read()?.[field]);
    expect(after).toBeGreaterThan(before);
    pass(one, HOUR);
    expect(one.read()?.[field]).toBeGreaterThan(after);
  });

  test.each([
    ['nac/active-session', 'idle_seconds'],
    ['sdwan/active-sessions', 'idleSeconds'],
    ['mgmt/gateway-sessions', 'ageSeconds'],
  ])('makes the session of %s older by its %s', (place, field) => {
    const one = found(place, (value) => Number(value[field]) > 0 && Number(value[field]) < 80_000);
    pass(one, HOUR);
    expect(one.read()?.[field]).toBe(Number(one.row.value[field]) + HOUR);
  });

  test('leaves alone what was written once, and what is over', () => {
    const image = found('mgmt/firmware-versions', (value) => Number(value['imageBytes']) > 0);
    const over = found('mgmt/client-sessions', (value) => Number(value['rxBytes']) > 0);
    const ended = { ...over.row.value, endedAt: '2026-03-02T09:00:00Z', disconnectReason: 'CLIENT_LEFT' };
    over.client.state.put(over.resource, { ...over.row, value: ended });
    for (const [one, field] of [
      [image, 'imageBytes'],
      [over, 'rxBytes'],
    ] as const) {
      pass(one, HOUR);
      expect(one.read()?.[field]).toBe(one.row.value[field]);
    }
  });

  test('is no hour for a few seconds: platforms read their counters once a minute', () => {
    const one = found('mgmt/switch-interfaces', (value) => Number(value['usageBytes']) > 10_000);
    const before = one.read();
    pass(one, 30);
    expect(one.read()?.['usageBytes']).toBe(before?.['usageBytes']);
  });
});

describe('ten years', () => {
  test.each([
    ['mgmt/nac-certificate', 'status', /^valid$/, 'expired'],
    ['nac/certificate', 'status', /^valid$/, 'expired'],
    ['nac/server-certificate', 'validity', /^(valid|expiring)$/, 'expired'],
    ['workspace/certificates', 'state', /^VALID$/, 'EXPIRED'],
    ['sdwan/license-tokens', 'state', /^VALID$/, 'EXPIRED'],
    ['mgmt/gateway-dhcp-clients', 'leaseState', /^(BOUND|OFFERED)$/, 'EXPIRED'],
  ])('end %s', (place, field, living, expired) => {
    const ends = /expir|not.?after|valid.?(to|until)|EndsAt/i;
    const endOf = (value: Row['value']) => Object.entries(value).find(([name]) => ends.test(name))?.[1];
    const one = found(place, (value) => living.test(String(value[field])) && isPast(endOf(value), TEN_YEARS_DAYS));
    expect(one.read()?.[field]).toMatch(living);
    pass(one, TEN_YEARS);
    expect(one.read()?.[field]).toBe(expired);
  });

  test.each(['legacy/dhcp_bindings', 'workspace/sessions', 'workspace/remote-support-sessions'])(
    'are too long for %s, which are gone',
    (place) => {
      const ends = (value: Row['value']) => value['expires'] ?? value['expiresAt'];
      const one = found(place, (value) => !isPast(ends(value), 0) && isPast(ends(value), TEN_YEARS_DAYS));
      expect(one.read()).toBeDefined();
      pass(one, TEN_YEARS);
      expect(one.read()).toBeUndefined();
    },
  );

  test.each([
    ['mgmt/alerts', { status: 'ACTIVE', deferredUntil: null }, (value: Row['value']) => value['status'] === 'DEFERRED'],
    ['sensors/alert-rules', { mutedUntil: null }, (value: Row['value']) => isPast(value['mutedUntil'], TEN_YEARS_DAYS)],
    ['nac/insight-alert', { muted_until: null }, (value: Row['value']) => isPast(value['muted_until'], TEN_YEARS_DAYS)],
  ])('bring back what was put off in %s', (place, back, isPutOff) => {
    const one = foundOr(place, isPutOff, back);
    pass(one, TEN_YEARS);
    expect(one.read()).toMatchObject(back);
  });
});

/** Starts the action on the device of a row, and says where to poll it, if anywhere. */
function start({ client, row }: Found, operationId: string, values: readonly string[], body: object = {}): string {
  const operation = client.platform.byId.get(operationId);
  const path = filled(operation?.template ?? '', [...values]);
  const answer = client.call('POST', path, body);
  expect(answer.status, `${row.id}: ${answer.body}`).toBeLessThan(300);
  return String(answer.headers['location'] ?? '');
}

describe('a restart', () => {
  const tasks = [
    [
      'mgmt/devices',
      'startApReboot',
      { status: 'ONLINE' },
      { status: 'OFFLINE', uptimeInMillis: null, clientCount: 0 },
      'uptimeInMillis',
      (row: Row) => row.value['deviceType'] === 'ACCESS_POINT' && row.value['status'] === 'ONLINE',
    ],
    [
      'mgmt/devices',
      'startSwitchReboot',
      { status: 'ONLINE' },
      { status: 'OFFLINE', uptimeInMillis: null },
      'uptimeInMillis',
      (row: Row) => row.value['deviceType'] === 'SWITCH',
    ],
    [
      'cloudwlan/site-device-stats',
      'startDeviceRestart',
      { status: 'connected' },
      { status: 'restarting', num_clients: 0 },
      'uptime',
      (row: Row) => row.value['status'] === 'connected',
    ],
    [
      'sdwan/appliances',
      'startApplianceReboot',
      { state: 'NORMAL' },
      { state: 'UNREACHABLE', uptimeSeconds: 0 },
      'uptimeSeconds',
      (row: Row) => row.value['state'] === 'NORMAL',
    ],
    [
      'fabric/systems',
      'startSystemReboot',
      { agent_reachable: true },
      { agent_reachable: false },
      null,
      (row: Row) => row.value['agent_reachable'] === true,
    ],
  ] as const;

  test.each(tasks)('of %s by %s is seen while its task runs', (place, operationId, up, away, uptime, isWanted) => {
    const one = found(place, (value) => isWanted({ value } as Row));
    const location = start(one, operationId, rowParts(one.row.id));
    expect(one.read()).toMatchObject(up);
    one.client.get(location);
    expect(one.read()).toMatchObject(away);
    one.client.get(location);
    expect(one.read()).toMatchObject({ ...up, ...(uptime === null ? {} : { [uptime]: 0 }) });
    pass(one, HOUR);
    if (uptime !== null) expect(one.read()?.[uptime]).toBe(uptime.includes('Millis') ? HOUR * 1000 : HOUR);
  });

  test.each([
    ['legacy/ap_database', 'rebootAp', { status: 'up' }, { status: 'rebooting', uptime: 0 }],
    ['sensors/sensors', 'rebootSensor', { online: true }, { online: false }],
  ])('of %s by %s is over after two looks, or after three minutes', (place, operationId, up, away) => {
    for (const waits of [true, false]) {
      const one = found(place, (value) => Object.entries(up).every(([name, each]) => value[name] === each));
      start(one, operationId, rowParts(one.row.id));
      expect(one.read()).toMatchObject(away);
      if (waits) pass(one, 180);
      else one.read();
      expect(one.read()).toMatchObject(up);
    }
  });

  test('takes the clients of the device away, and back', () => {
    const one = found(
      'mgmt/clients',
      (value) => value['status'] === 'CONNECTED' && value['connectionType'] === 'WIRELESS',
    );
    const location = start(one, 'startApReboot', [String(one.row.value['connectedDeviceSerial'])]);
    one.client.get(location);
    expect(one.read()).toBeUndefined();
    one.client.get(location);
    expect(one.read()).toMatchObject({ status: 'CONNECTED' });
  });
});

test.each([
  ['mgmt/devices', 'startSwitchReboot', (value: Row['value']) => value['deviceType'] === 'SWITCH', 'COMPLETED'],
  ['sdwan/appliances', 'startApplianceReboot', (value: Row['value']) => value['state'] === 'NORMAL', 'SUCCEEDED'],
  ['fabric/systems', 'startSystemReboot', (value: Row['value']) => value['agent_reachable'] === true, 'succeeded'],
])('a task of %s (%s) that nobody polled is done after two minutes', (place, operationId, isWanted, done) => {
  const one = found(place, isWanted);
  const location = start(one, operationId, rowParts(one.row.id));
  pass(one, 120);
  const task = one.client.get(location).json as Record<string, unknown>;
  expect(task['status'] ?? task['taskStatus']).toBe(done);
});
