/** What an action of the policy server did is seen in what it is about. */
import { expect, it } from 'vitest';
import { items, one, openerOf } from './deeds-testbed.ts';

const opened = await openerOf('nac');

it('a network device that joins or leaves a device group is counted in it once, or no longer', () => {
  const nac = opened();
  const counts = () => [1, 2].map((id) => one(nac, `/api/network-device-group/${id}`)['member_count'] as number);
  const [own, other] = counts() as [number, number];
  const ask = (word: string, group: number) => nac.call('POST', `/api/network-device/1/${word}`, { group_id: group });
  for (let asked = 0; asked < 2; asked++)
    expect(ask('add-to-group', 2).json).toEqual({ group_names: ['Harbour House', 'North Depot'] });
  expect(counts()).toEqual([own, other + 1]);
  for (let asked = 0; asked < 2; asked++)
    expect(ask('remove-from-group', 1).json).toEqual({ group_names: ['North Depot'] });
  expect(counts()).toEqual([own - 1, other + 1]);
  expect([ask('add-to-group', 99).status, counts()]).toEqual([400, [own - 1, other + 1]]);
});

it('a group that lists its addresses has the one of a device that joins it', () => {
  const nac = opened();
  const made = nac.call('POST', '/api/network-device-group', {
    name: 'Core',
    group_format: 'list',
    value: '10.10.255.1, 10.10.255.2',
  });
  const { id } = made.json as { id: number };
  const value = () => one(nac, `/api/network-device-group/${id}`)['value'];
  nac.call('POST', '/api/network-device/1/add-to-group', { group_id: id });
  expect(value()).toBe('10.10.255.1,10.10.255.2,10.10.10.100');
  nac.call('POST', '/api/network-device/1/remove-from-group', { group_id: id });
  expect(value()).toBe('10.10.255.1,10.10.255.2');
});

it('a purge of backups takes the old ones, and leaves the latest whatever their age', () => {
  const nac = opened();
  const names = () => items(nac.get('/api/backup')).map(({ name }) => name);
  const before = names();
  const purge = (body: object) => nac.call('POST', '/api/backup/purge', body).json;
  expect(purge({ older_than_days: 1 })).toEqual({ removed: 0, freed_bytes: 0 });
  expect(purge({ older_than_days: 7, keep_latest: 1 })).toEqual({ removed: 1, freed_bytes: 2_208_514_048 });
  expect(names()).toEqual(before.filter((name) => name !== 'before-6.12.4'));
  expect(purge({ older_than_days: 7, keep_latest: 1 })).toEqual({ removed: 0, freed_bytes: 0 });
});

it('a certificate that is issued or signed is on the list, with the serial number that was told', () => {
  const nac = opened();
  const subjects = (serial: unknown) =>
    items(nac.get(`/api/certificate?filter={"serial_number":"${serial}"}`)).map(({ subject, status }) => [
      subject,
      status,
    ]);
  const order = { ca_id: 2, common_name: 'printer-7.harbour.example', type: 'tls-client' };
  const issued = nac.call('POST', '/api/certificate-request/new', order).json as Record<string, unknown>;
  const subject = 'CN=printer-7.harbour.example,O=Harbour Campus,C=IE';
  expect(subjects(issued['serial_number'])).toEqual([[subject, 'valid']]);
  expect(one(nac, `/api/certificate/${issued['certificate_id']}`)).toMatchObject({ ca_id: 2, key_type: 'rsa-2048' });

  const { request_id: request, subject: found } = nac.call('POST', '/api/certificate-request/import', {
    csr: `-----BEGIN CERTIFICATE REQUEST-----\n${SENSOR}\n-----END CERTIFICATE REQUEST-----`,
    type: 'tls-client',
  }).json as Record<string, unknown>;
  const at = `/api/certificate-request/${request}`;
  expect([found, one(nac, at)]).toMatchObject([
    'CN=sensor-4.harbour.example',
    { status: 'requested', common_name: 'sensor-4.harbour.example' },
  ]);
  const signed = nac.call('POST', `${at}/sign`, { ca_id: 2 }).json as Record<string, unknown>;
  expect(one(nac, at)).toMatchObject({ status: 'signed', ca_id: 2 });
  expect(subjects(signed['certificate_serial'])).toHaveLength(1);
  expect(nac.call('POST', '/api/certificate-request/new', { ...order, ca_id: 99 }).status).toBe(400);
});

/** The name of a request as DER has it, with bytes around it. */
const SENSOR = Buffer.concat([
  Buffer.alloc(32, 0x30),
  Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 24]),
  Buffer.from('sensor-4.harbour.example'),
  Buffer.alloc(32, 0x31),
]).toString('base64');

it('whoever watches an alert rule is on its list once', () => {
  const nac = opened();
  const watchers = ['s.kaur', 'j.murphy', 'demo'];
  for (let asked = 0; asked < 2; asked++)
    expect(nac.call('POST', '/api/insight/alert/1/watch', {}).json).toEqual({ watchers });
  expect(one(nac, '/api/insight/alert/1')).toMatchObject({ watchers });
});
