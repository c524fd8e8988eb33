/** What platforms say of people and of devices that are down fits their logs and their states. */
import { expect, it } from 'vitest';
import { shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';

type Row = Record<string, unknown>;

it('a local user logged in last when the access log says so, from the device that it names', async () => {
  const nac = new PlatformClient(await shippedInstallation(['nac']), 'nac');
  const log = [...nac.state.rows('nac', 'access-log').all()].map(({ value }) => value as Row);
  const logins = Map.groupBy(
    log.filter(({ result }) => result === 'accept'),
    ({ username }) => username,
  );
  const people = [...nac.state.rows('nac', 'local-user').all()].map(({ value }) => value as Row);
  let seen = 0;
  for (const { id, email } of people) {
    const person = nac.get(`/api/local-user/${id}`).json as Row;
    const times = (logins.get(email) ?? []).map(({ time }) => String(time)).sort();
    const latest = logins.get(email)?.find(({ time }) => time === times.at(-1));
    expect(person['last_device_mac'], String(email)).toBe(latest?.['mac_address'] ?? null);
    expect(Number(person['login_count'])).toBeGreaterThanOrEqual(person['last_login_at'] === null ? 0 : 1);
    if (latest === undefined) continue;
    expect(person).toMatchObject({ last_login_at: latest['time'], last_nas_ip: latest['nas_ip'] });
    seen += 1;
  }
  expect(seen).toBeGreaterThan(50);
});

it('an access point that is disconnected receives and sends nothing', async () => {
  const cloud = new PlatformClient(await shippedInstallation(['cloudwlan']), 'cloudwlan');
  const rows = [...cloud.state.rows('cloudwlan', 'site-device-stats').all()].map(({ value }) => value as Row);
  const down = rows.filter(({ status }) => status === 'disconnected');
  expect(down).not.toEqual([]);
  const site = (row: Row) => `/api/v1/sites/${row['site_id']}/stats/devices`;
  for (const place of new Set(down.map(site))) {
    const shown = cloud.get(`${place}?limit=1000`).json as Row[];
    for (const row of shown.filter(({ status }) => status === 'disconnected'))
      expect([row['rx_bps'] ?? 0, row['tx_bps'] ?? 0]).toEqual([0, 0]);
  }
  expect(
    down.some(({ rx_bps }) => Number(rx_bps) > 0),
    'the state itself has rates',
  ).toBe(true);
});
