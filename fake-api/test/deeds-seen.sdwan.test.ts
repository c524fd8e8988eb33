/** What an action of the SD-WAN orchestrator did is seen in what it is about. */
import { expect, it } from 'vitest';
import { ended, items, one, openerOf, type Row } from './deeds-testbed.ts';
import type { PlatformClient } from './platform-client.ts';

const opened = await openerOf('sdwan');

const taken = (sdwan: PlatformClient, appliance: string): Row =>
  one(sdwan, `/rest/appliance/${appliance}/template-association`);

it('an appliance takes the template groups that were applied to it, in the order that was given', () => {
  const sdwan = opened();
  const before = taken(sdwan, '45.NE');
  const done = ended(
    sdwan,
    sdwan.call('POST', '/rest/template-group/Branches/apply', { applianceIds: ['45.NE', '54.NE'] }),
  );
  expect(done).toMatchObject({ result: { succeeded: 2, failed: 0 } });
  expect(before['groups']).toEqual(['Default']);
  expect(taken(sdwan, '45.NE')).toMatchObject({ groups: ['Branches', 'Default'], applied: true });
  expect(taken(sdwan, '45.NE')['lastApplied']).not.toBe(before['lastApplied']);
  const history = one(sdwan, '/rest/appliance/45.NE/template-association/history');
  expect((history['appliedGroups'] as string[])[0]).toBe('Branches');
  const members = () => one(sdwan, '/rest/template-group/Branches/associations')['members'];
  const inStep = (position: number) =>
    ['45.NE', '54.NE'].map((applianceId) => ({ applianceId, inStep: true, position }));
  expect(members()).toEqual(inStep(1));
  for (const changed of [2, 0])
    expect(sdwan.call('POST', '/rest/template-group/prioritise', { order: ['Default'] }).json).toEqual({ changed });
  expect(taken(sdwan, '45.NE')['groups']).toEqual(['Default', 'Branches']);
  expect(members()).toEqual(inStep(2));
  expect(taken(sdwan, '32.NE')['groups']).toEqual(['Default']);
});

it('a flow that is reset is gone from the list, and counted once', () => {
  const sdwan = opened();
  const [first, second] = items(sdwan.get('/rest/stats/realtime/flow')) as [Row, Row];
  const flowIds = [first['flowId'], second['flowId'], '999999'];
  const reset = (applianceId: unknown) =>
    sdwan.call('POST', '/rest/stats/realtime/flow/reset', { applianceId, flowIds }).json;
  expect(reset('54.NE')).toEqual({ reset: 0 });
  expect([reset(first['applianceId']), reset(first['applianceId'])]).toEqual([{ reset: 2 }, { reset: 0 }]);
  expect(sdwan.get(`/rest/stats/realtime/flow/${first['flowId']}`).status).toBe(404);
  expect(sdwan.call('POST', '/rest/stats/realtime/flow/reset', { applianceId: '1.NE', flowIds }).status).toBe(400);
});

it('hit counts of a zone policy that are reset start anew', () => {
  const sdwan = opened();
  const at = '/rest/firewall-zone-policy/0_0';
  const hits = () => (one(sdwan, `${at}/hit-counts`)['rows'] as Row[]).map((row) => [row['hits'], row['lastHit']]);
  expect(hits()[0]?.[0]).toBeGreaterThan(0);
  const { resetAt } = sdwan.call('POST', `${at}/reset-counters`).json as Row;
  expect(hits()).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(one(sdwan, `${at}/hit-counts`)['since']).toBe(resetAt);
});

it('a protection profile watches the zone that it was assigned to, and no other does', () => {
  const sdwan = opened();
  const mapping = (id: number) => one(sdwan, `/rest/firewall-protection-profile/${id}/mapping`);
  const assign = (id: number, zoneId: string, more: Row = {}) =>
    sdwan.call('POST', `/rest/firewall-protection-profile/${id}/assign`, { zoneId, ...more });
  const guests = { applianceId: null, segmentId: '1', zoneId: '2' };
  expect(mapping(1)).toEqual({ activeDevices: 4, targets: [guests] });
  expect(assign(2, '2', { segmentId: '1' }).json).toEqual({ devices: 4 });
  expect(mapping(1)).toEqual({ activeDevices: 0, targets: [] });
  expect(mapping(2)['targets']).toContainEqual(guests);
  for (let asked = 0; asked < 2; asked++)
    expect(assign(1, '3', { applianceIds: ['54.NE'] }).json).toEqual({ devices: 1 });
  expect(mapping(1)).toEqual({
    activeDevices: 1,
    targets: [{ applianceId: '54.NE', segmentId: null, zoneId: '3' }],
  });
  expect(assign(1, '77').status).toBe(400);
});

it('a file is counted in its ticket, and an appliance that is looked up at its address waits for a decision', () => {
  const sdwan = opened();
  const at = '/rest/cloud-portal/ticket/20417731';
  const before = Number(one(sdwan, at)['attachments']);
  expect(sdwan.call('POST', `${at}/attach`, { fileId: '33' }).json).toEqual({ attachments: before + 1 });
  expect(one(sdwan, at)['attachments']).toBe(before + 1);
  expect(sdwan.call('POST', `${at}/attach`, { fileId: '99' }).status).toBe(400);

  const found = () => items(sdwan.get('/rest/appliance/discovered'));
  const all = found().length;
  const look = () =>
    sdwan.call('POST', '/rest/appliance/discovered/add', {
      address: '203.0.113.99',
      userName: 'admin',
      accessPassword: 'only-for-this-test',
    }).json as Row;
  const { serial } = look();
  expect([look()['serial'], found().length]).toEqual([serial, all + 1]);
  expect(found().find((each) => each['serial'] === serial)).toMatchObject({
    ip: '203.0.113.99',
    discoveredFrom: 'ADDRESS',
    decision: 'PENDING',
  });
});
