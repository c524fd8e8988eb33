/** Same seed and same calls give the same bytes: bodies, headers and ledger. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Campus, type CampusTestbed, campus } from './campus-testbed.ts';
import { shippedInstallation } from './full-installation.ts';
import { mixedDay, playDay } from './mixed-day.ts';

const REPLAYS = 25;
const CONFIG = '/network-config/v1alpha1';
const MONITOR = '/network-monitoring/v1';
const TROUBLE = '/network-troubleshooting/v1';
const SECRET = { 'shared-secret-config': { 'plaintext-value': 'not-a-real-one' } };

let shipped: Campus;

beforeAll(async () => {
  shipped = await campus();
});

/** A day of work: reads, filters, pages, writes, refusals, tests and their polls, a destructive action. */
function play(testbed: CampusTestbed): { text: string; calls: number } {
  const lines: string[] = [];
  const call = (method: string, target: string, body?: unknown) => {
    const answer = testbed.call(method, target, body);
    lines.push(`${answer.status} ${JSON.stringify(answer.headers)} ${answer.body}`);
    return answer;
  };
  const where = (text: string) => encodeURIComponent(text);
  const ap = String(call('GET', `${MONITOR}/aps?filter=${where("apName eq 'hq-ap-01'")}`).items[0]?.['serialNumber']);
  const dead = String(call('GET', `${MONITOR}/aps?filter=${where("status eq 'OFFLINE'")}`).items[0]?.['serialNumber']);
  call('GET', `${MONITOR}/devices?limit=7`);
  const page = call('GET', `${MONITOR}/clients?limit=20&sort=${where('usageBytes desc')}`);
  call('GET', `${MONITOR}/clients?limit=20&sort=${where('usageBytes desc')}&next=${String(page.json['next'])}`);
  call('GET', `${MONITOR}/clients?limit=20&next=${String(page.json['next'])}`);
  call('GET', `${MONITOR}/aps/${ap}`);
  call('GET', `${MONITOR}/aps/${ap}/radios`);
  call('GET', `${MONITOR}/aps/${ap}/cpu-utilization-trends`);
  call('GET', `${MONITOR}/aps/${ap}/throughput-trends?interval=1h`);
  call('GET', `${MONITOR}/aps/PHNOTHING99`);
  call('GET', `${MONITOR}/top-aps-by-usage?limit=3`);
  call('GET', `${MONITOR}/devices/count?groupBy=status`);
  call('GET', `${MONITOR}/sites-health/hq`);
  call('GET', `${MONITOR}/topology/depot`);
  call('POST', `${MONITOR}/devices/search`, { text: 'depot-ap' });
  call('GET', '/network-notifications/v1/alerts');
  call('GET', `${CONFIG}/auth-servers?limit=2`);
  call('GET', `${CONFIG}/auth-servers/radius-1`);
  call('POST', `${CONFIG}/auth-servers/radius-9`, { type: 'RADIUS', 'auth-server-address': 'nine.example', ...SECRET });
  call('POST', `${CONFIG}/auth-servers/radius-9`, { type: 'RADIUS', 'auth-server-address': 'nine.example', ...SECRET });
  call('PATCH', `${CONFIG}/auth-servers/radius-9`, { timeout: 9 });
  call('PATCH', `${CONFIG}/auth-servers/radius-9`, { timeout: 900 });
  call('POST', `${CONFIG}/server-groups/night-radius`, { servers: [{ 'server-name': 'radius-9' }] });
  call('POST', `${CONFIG}/server-groups/ghost-radius`, { servers: [{ 'server-name': 'nobody' }] });
  call('DELETE', `${CONFIG}/auth-servers/radius-9`);
  call('PUT', `${CONFIG}/wlan-ssids/pop-up`, { essid: { name: 'Pop-Up' }, opmode: 'OPEN' });
  call('POST', `${CONFIG}/config-assignments`, [
    { 'scope-id': 'depot', 'device-function': 'CAMPUS_AP', 'profile-type': 'wlan-ssids', 'profile-instance': 'pop-up' },
  ]);
  call('GET', `${CONFIG}/config-assignments?scope-id=depot&device-function=CAMPUS_AP`);
  call('GET', `${CONFIG}/wlan-ssids?scope-id=depot&effective=true`);
  call('DELETE', `${CONFIG}/wlan-ssids/pop-up`);
  call('DELETE', `${CONFIG}/config-assignments/depot/CAMPUS_AP/wlan-ssids/pop-up`);
  call('DELETE', `${CONFIG}/wlan-ssids/pop-up`);
  const ping = call('POST', `${TROUBLE}/aps/${ap}/ping`, { destination: 'radius-1', count: 4 });
  call('GET', String(ping.json['location']));
  call('GET', String(ping.json['location']));
  call('POST', `${TROUBLE}/aps/${dead}/ping`, { destination: 'radius-1' });
  const login = call('POST', `${TROUBLE}/aps/${ap}/aaa`, {
    serverName: 'radius-1',
    username: 'probe',
    password: 'not-a-real-one',
  });
  call('GET', String(login.json['location']));
  call('GET', String(login.json['location']));
  const reboot = call('POST', `${TROUBLE}/aps/${ap}/reboot`, {});
  call('GET', String(reboot.json['location']));
  call('GET', String(reboot.json['location']));
  call('GET', `${MONITOR}/aps/${ap}`);
  call('GET', '/nowhere');
  call('GET', `${MONITOR}/aps?colour=red`);
  lines.push(JSON.stringify(testbed.ledger()), testbed.state.hash());
  return { text: lines.join('\n'), calls: testbed.ledger().length };
}

describe('25 replays of one sequence', () => {
  it('differ in no byte of bodies, headers and ledger', () => {
    const first = play(shipped.open());
    expect(first.calls).toBeGreaterThanOrEqual(40);
    const digests = new Set([digest(first.text)]);
    for (let at = 1; at < REPLAYS; at += 1) digests.add(digest(play(shipped.open()).text));
    expect(digests.size).toBe(1);
  });

  it('hold what was meant: no call of the sequence failed by accident', () => {
    const testbed = shipped.open();
    play(testbed);
    const unexpected = testbed.ledger().filter((entry) => entry.status >= 400);
    expect(unexpected.map((entry) => [entry.status, entry.method, entry.operationId])).toEqual([
      [400, 'GET', 'listClients'],
      [404, 'GET', 'getAp'],
      [409, 'POST', 'createAuthServer'],
      [400, 'PATCH', 'updateAuthServer'],
      [400, 'POST', 'createServerGroup'],
      [409, 'DELETE', 'deleteAuthServer'],
      [409, 'DELETE', 'deleteWlanSsid'],
      [409, 'POST', 'startApPing'],
      [404, 'GET', null],
      [400, 'GET', 'listAps'],
    ]);
    expect(testbed.ledger().filter((entry) => entry.capability === 'poll')).toHaveLength(6);
  });
});

describe('a day over all platforms', () => {
  it('reads the same each time, and leaves the same state', async () => {
    const installation = await shippedInstallation();
    const day = mixedDay(installation);
    const first = playDay(installation, day, true);
    expect(new Set(day.map(({ platform }) => platform)).size).toBe(10);
    expect(day.length).toBeGreaterThan(250);
    expect(first.statuses.filter((status) => status < 300).length / day.length).toBeGreaterThan(0.9);
    const again = Array.from({ length: 10 }, (_, at) => playDay(installation, day, at === 9));
    expect(new Set(again.map((played) => played.digest))).toEqual(new Set([first.digest]));
    expect(again.at(-1)?.states).toEqual(first.states);
  });

  it('on another installation reads otherwise', async () => {
    const [installation, other] = [await shippedInstallation(['nac']), await shippedInstallation(['nac'], 'tiny')];
    const day = mixedDay(installation);
    expect(playDay(other, day).digest).not.toBe(playDay(installation, day).digest);
  });
});

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
