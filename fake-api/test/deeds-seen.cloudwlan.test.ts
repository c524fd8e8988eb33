/** What an action of the cloud WLAN did is seen wherever the thing is shown. */
import { expect, it } from 'vitest';
import { items, one, openerOf, type Row } from './deeds-testbed.ts';
import type { PlatformClient } from './platform-client.ts';

const opened = await openerOf('cloudwlan');

function placeOf(cloudwlan: PlatformClient, name = 'North Depot'): { org: string; site: string } {
  const site = items(cloudwlan.get('/api/v1/sites?limit=100')).find((each) => each['name'] === name);
  return { org: `/api/v1/orgs/${site?.['org_id']}`, site: `/api/v1/sites/${site?.['site_id']}` };
}

const accessPoints = (cloudwlan: PlatformClient, site: string): Row[] =>
  items(cloudwlan.get(`${site}/devices?type=ap&limit=100`));

it('a device that gets another host name has it in every list', () => {
  const cloudwlan = opened();
  const { org, site } = placeOf(cloudwlan);
  const [{ device_id: id, mac } = {}] = accessPoints(cloudwlan, site);
  expect(cloudwlan.call('POST', `${site}/devices/${id}/change_hostname`, { hostname: 'dock-3' }).status).toBe(200);
  const names = [
    one(cloudwlan, `${site}/devices/${id}`),
    one(cloudwlan, `${site}/stats/devices/${id}`),
    one(cloudwlan, `${org}/inventory/${mac}`),
  ].map(({ name }) => name);
  expect(names).toEqual(['dock-3', 'dock-3', 'dock-3']);
});

it('devices that are put onto a floor plan are on it in every list and in its count, and those of other sites stay', () => {
  const cloudwlan = opened();
  const { org, site } = placeOf(cloudwlan, 'Harbour House');
  const plans = items(cloudwlan.get(`${site}/maps`)).map(({ map_id: id }) => id);
  const [device] = accessPoints(cloudwlan, site).filter((each) => each['map_id'] === plans[0]);
  const [stranger] = accessPoints(cloudwlan, placeOf(cloudwlan).site);
  const stats = (plan: unknown) => one(cloudwlan, `${site}/maps/${plan}/stats`)['num_aps'];
  const [from, to] = [Number(stats(plans[0])), Number(stats(plans[1]))];
  const macs = [String(device?.['mac']).toUpperCase(), stranger?.['mac']];
  cloudwlan.call('POST', `${site}/maps/${plans[1]}/set_map`, { macs });
  const inOrg = (mac: unknown) =>
    items(cloudwlan.get(`${org}/devices?limit=1000`)).find((each) => each['mac'] === mac)?.['map_id'];
  expect(one(cloudwlan, `${site}/devices/${device?.['device_id']}`)['map_id']).toBe(plans[1]);
  expect(one(cloudwlan, `${org}/installer/devices/${device?.['mac']}`)['map_id']).toBe(plans[1]);
  expect([inOrg(device?.['mac']), inOrg(stranger?.['mac'])]).toEqual([plans[1], stranger?.['map_id']]);
  expect([stats(plans[0]), stats(plans[1])]).toEqual([from - 1, to + 1]);
});

it('a list of devices that is imported sets what it says, and names those it does not know', () => {
  const cloudwlan = opened();
  const { site } = placeOf(cloudwlan);
  const [{ device_id: id, mac, map_id: plan } = {}] = accessPoints(cloudwlan, site);
  const devices = [{ mac, name: 'dock-4', notes: null, x: 12.5, map_name: 'nowhere' }, { mac: '02:00:00:00:00:aa' }];
  expect(cloudwlan.call('POST', `${site}/devices/import`, { devices }).json).toEqual({
    updated: 1,
    unknown: ['02:00:00:00:00:aa'],
  });
  expect(one(cloudwlan, `${site}/devices/${id}`)).toMatchObject({ name: 'dock-4', x: 12.5, y: null, map_id: plan });
});

it('a device that is erased is off the cloud, with its clients', () => {
  const cloudwlan = opened();
  const { org, site } = placeOf(cloudwlan);
  const devices = accessPoints(cloudwlan, site);
  const statusOf = ({ device_id: id, mac }: Row) => {
    const { status, num_clients: clients } = one(cloudwlan, `${site}/stats/devices/${id}`);
    const { connected } = one(cloudwlan, `${org}/inventory/${mac}`);
    return { status, clients, connected };
  };
  const [first, second] = devices.filter((each) => statusOf(each).connected) as [Row, Row];
  const all = () => items(cloudwlan.get(`${site}/clients/wireless/search?limit=1000`)).length;
  const before = all();
  const attached = [first, second].map((each) => Number(statusOf(each).clients));
  expect(Math.min(...attached)).toBeGreaterThan(0);
  const password = 'only-for-this-test';
  cloudwlan.call('POST', `${site}/devices/${first['device_id']}/zeroize`, { password });
  const gone = { status: 'disconnected', clients: 0, connected: false };
  expect([statusOf(first), all()]).toEqual([gone, before - (attached[0] as number)]);
  const macs = [second['mac'], '02:00:00:00:00:aa'];
  expect(cloudwlan.call('POST', `${org}/devices/zeroize`, { macs, password }).json).toEqual({ erased: 1 });
  expect([statusOf(second), all()]).toEqual([gone, before - Number(attached[0]) - Number(attached[1])]);
});

it('a comment is in its ticket, and a file among the attachments', () => {
  const cloudwlan = opened();
  const { org } = placeOf(cloudwlan);
  const [ticket] = items(cloudwlan.get(`${org}/tickets`));
  const at = `${org}/tickets/${ticket?.['ticket_id']}`;
  const comments = () => one(cloudwlan, at)['comments'] as Row[];
  const [before, names] = [comments(), one(cloudwlan, `${at}/attachments`)['names'] as string[]];
  const answer = cloudwlan.call('POST', `${at}/comment`, { comment: 'It restarted twice this morning.' }).json;
  expect(answer).toEqual({ comment_id: expect.any(String), status: ticket?.['status'] });
  expect(comments().slice(0, -1)).toEqual(before);
  expect(comments().at(-1)).toMatchObject({
    text: 'It restarted twice this morning.',
    author: 'demo@harbour.example',
    created_at: one(cloudwlan, at)['updated_at'],
  });
  cloudwlan.call('POST', `${at}/attachments`, { name: 'port.log', file: 'bGluZSBkb3du' });
  const files = one(cloudwlan, `${at}/attachments`) as { names: string[]; urls: string[] };
  expect(files.names).toEqual([...names, 'port.log']);
  expect(files.urls).toHaveLength(files.names.length);
});

it('whoever is invited is on the list of administrators, once, and one who works here is not invited', () => {
  const cloudwlan = opened();
  const { org } = placeOf(cloudwlan);
  const admins = () => items(cloudwlan.get(`${org}/admins?limit=100`));
  const before = admins();
  const invite = (email: unknown, hours: number) =>
    cloudwlan.call('POST', `${org}/invites`, {
      email,
      first_name: 'Orla',
      last_name: 'Quinn',
      privileges: [{ scope: 'org', role: 'read' }],
      hours,
    });
  const first = invite('o.quinn@harbour.example', 24).json as Row;
  const again = invite('O.Quinn@harbour.example', 48).json as Row;
  expect(again['invite_id']).toBe(first['invite_id']);
  expect(admins()).toHaveLength(before.length + 1);
  const at = `${org}/admins/${first['invite_id']}`;
  expect(one(cloudwlan, at)).toMatchObject({ state: 'invited', expires_at: again['expires_at'], last_login_at: null });
  cloudwlan.call('POST', `${at}/uninvite`);
  expect(one(cloudwlan, at)['state']).toBe('expired');
  cloudwlan.call('POST', `${at}/reinvite`);
  expect(one(cloudwlan, at)['state']).toBe('invited');
  expect([invite(before[0]?.['email'], 24).status, admins()[0]?.['state']]).toEqual([409, before[0]?.['state']]);
});

it('a code that is claimed adds licences to every balance, once', () => {
  const cloudwlan = opened();
  const { org } = placeOf(cloudwlan);
  const licences = () => items(cloudwlan.get(`${org}/licenses`));
  const entitled = (type: unknown) => {
    const balance = one(cloudwlan, `${org}/licenses/summary`)['by_type'] as Row[];
    const owned = one(cloudwlan, `${org}/licenses/by_type`)['contracts'] as Row;
    return [balance.find((entry) => entry['type'] === type)?.['entitled'], owned[String(type)]].map(Number);
  };
  const claim = () => cloudwlan.call('POST', `${org}/licenses/claim`, { code: 'DK5VR-ZGG2P-4Y8GZ' });
  const [before, all] = [
    licences(),
    new Map(['SUB-AP', 'SUB-SWITCH', 'SUB-GATEWAY'].map((each) => [each, entitled(each)])),
  ];
  const { added } = claim().json as { added: { type: string; entitled: number; used: number }[] };
  const { type, entitled: seats } = added[0] as (typeof added)[number];
  expect(entitled(type)).toEqual(all.get(type)?.map((each) => each + seats));
  expect(licences()).toHaveLength(before.length + 1);
  expect(claim().status).toBe(409);
  expect(licences()).toHaveLength(before.length + 1);
});

it('licences that are moved to another organisation are there, until the move is taken back', () => {
  const cloudwlan = opened();
  const { org } = placeOf(cloudwlan);
  const { org_id: other } = cloudwlan.call('POST', '/api/v1/orgs', { name: 'Ashgrove' }).json as Row;
  const owned = (at: string): Row[] => items(cloudwlan.get(`${at}/licenses`)) ?? [];
  const [{ subscription_id: contract, license_id: id, remaining } = {}] = owned(org);
  const move = (quantity: number, more: Row = {}) =>
    cloudwlan.call('POST', `${org}/licenses/move`, {
      subscription_id: contract,
      dst_org_id: other,
      quantity,
      ...more,
    }).status;
  expect(move(Number(remaining) + 1)).toBe(409);
  expect(move(1, { subscription_id: 'NOBODY' })).toBe(400);
  expect(move(2)).toBe(200);
  const given = () => owned(org).find((each) => each['license_id'] === id)?.['remaining'];
  expect(given()).toBe(Number(remaining) - 2);
  expect(owned(`/api/v1/orgs/${other}`)).toMatchObject([{ subscription_id: contract, quantity: 2 }]);
  // No list shows the moves of a licence, so the test looks at what is stored.
  const stored = [...cloudwlan.state.rows('cloudwlan', 'org-licenses').all()].flatMap(
    ({ value }) => value['amendments'],
  );
  const undo = { amendment_id: (stored as Row[])[0]?.['amendment_id'] };
  const answers = [1, 2].map(() => cloudwlan.call('POST', `${org}/licenses/undo_move`, undo).status);
  expect(answers).toEqual([200, 404]);
  expect(given()).toBe(remaining);
  expect(owned(`/api/v1/orgs/${other}`)).toEqual([]);
});

it('a broken device that is replaced is in stock, and the new one stands in its place under its name', () => {
  const cloudwlan = opened();
  const { org, site } = placeOf(cloudwlan);
  const [spare, broken] = accessPoints(cloudwlan, site) as [Row, Row];
  const [other] = accessPoints(cloudwlan, placeOf(cloudwlan, 'Harbour House').site) as [Row];
  const swap = (mac: unknown) =>
    cloudwlan.call('POST', `${org}/inventory/replace`, { old_mac: broken['mac'], new_mac: mac }).json;
  const stock = ({ mac }: Row) => one(cloudwlan, `${org}/inventory/${mac}`);
  expect(swap(other['mac'])).toMatchObject({ replaced: false });
  expect(stock(broken)['site_id']).toBe(site.split('/').at(-1));
  cloudwlan.call('POST', `${org}/inventory/unassign`, { macs: [spare['mac']] });
  expect(swap(spare['mac'])).toEqual({ replaced: true, site_id: site.split('/').at(-1) });
  const names = [
    one(cloudwlan, `${site}/devices/${spare['device_id']}`),
    one(cloudwlan, `${site}/stats/devices/${spare['device_id']}`),
    stock(spare),
  ].map(({ name }) => name);
  expect(names).toEqual([broken['name'], broken['name'], broken['name']]);
  expect(one(cloudwlan, `${site}/devices/${spare['device_id']}`)['map_id']).toBe(broken['map_id']);
  expect([stock(broken)['site_id'], cloudwlan.get(`${site}/devices/${broken['device_id']}`).status]).toEqual([
    null,
    404,
  ]);
  expect(swap(spare['mac'])).toMatchObject({ replaced: false });
});
