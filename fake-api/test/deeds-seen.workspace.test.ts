/** What an action of the workspace did is seen in what it is about. */
import { expect, it } from 'vitest';
import { ended, items, one, openerOf, type Row } from './deeds-testbed.ts';
import type { PlatformClient } from './platform-client.ts';

const opened = await openerOf('workspace');

const SUBSCRIPTIONS = '/subscriptions/v1/subscriptions';
const DEVICES = '/devices/v1/devices';

const all = (workspace: PlatformClient): Row[] =>
  items(workspace.get(`${SUBSCRIPTIONS}?limit=100`)).filter(({ tier }) => tier === 'FOUNDATION');
const of = (workspace: PlatformClient, type: string): Row[] => all(workspace).filter((row) => row['type'] === type);
const holders = (workspace: PlatformClient, { id }: Row): unknown[] =>
  items(workspace.get(`${SUBSCRIPTIONS}/${id}/assignments`)).map(({ deviceId }) => deviceId);
const keysOf = (workspace: PlatformClient, device: unknown): unknown[] =>
  (one(workspace, `${DEVICES}/${device}`)['subscriptions'] as Row[]).map(({ key }) => key);

it('subscriptions that are united have the seats and the devices of all, and can be divided where seats are free', () => {
  const workspace = opened();
  const [first, second] = of(workspace, 'SWITCH') as [Row, Row];
  const [accessPoint] = of(workspace, 'ACCESS_POINT') as [Row];
  const at = `${SUBSCRIPTIONS}/${first['id']}`;
  const merge = (...otherIds: unknown[]) => workspace.call('POST', `${at}/merge`, { otherIds });
  expect([merge(first['id']).status, merge(accessPoint['id']).status]).toEqual([400, 409]);
  const devices = [...holders(workspace, first), ...holders(workspace, second)];
  const ends = [first, second].map(({ endAt }) => Date.parse(String(endAt)));
  const done = ended(workspace, merge(second['id']))['result'] as Row;
  expect(done).toMatchObject({ quantity: 2, absorbedKeys: [second['key']] });
  expect(Date.parse(String(done['endAt']))).toBe(((ends[0] as number) + (ends[1] as number)) / 2);
  expect(one(workspace, at)).toMatchObject({ quantity: 2, available: 0, endAt: done['endAt'] });
  expect(workspace.get(`${SUBSCRIPTIONS}/${second['id']}`).status).toBe(404);
  expect(holders(workspace, first).toSorted()).toEqual(devices.toSorted());
  expect(devices.map((device) => keysOf(workspace, device))).toEqual([[first['key']], [first['key']]]);

  const split = (quantity: number) => workspace.call('POST', `${at}/split`, { quantity });
  expect([split(1).status, split(2).status]).toEqual([409, 409]);
  ended(
    workspace,
    workspace.call('POST', `${DEVICES}/${devices[1]}/unassign-subscription`, { subscriptionId: first['id'] }),
  );
  expect(holders(workspace, first)).toEqual([devices[0]]);
  const { newSubscriptionId: id, remaining } = split(1).json as Row;
  expect([remaining, one(workspace, at)]).toMatchObject([1, { quantity: 1, available: 0, usedPercent: 100 }]);
  expect(one(workspace, `${SUBSCRIPTIONS}/${id}`)).toMatchObject({ quantity: 1, available: 1, endAt: done['endAt'] });
  ended(workspace, workspace.call('POST', `${DEVICES}/${devices[1]}/assign-subscription`, { subscriptionId: id }));
  expect(holders(workspace, { id })).toEqual([devices[1]]);
});

it('a subscription that is given away is gone, and its devices have no seat of it', () => {
  const workspace = opened();
  const rows = of(workspace, 'ACCESS_POINT').map(({ id }) => one(workspace, `${SUBSCRIPTIONS}/${id}`));
  const given = rows.find(({ transferable }) => transferable === true) as Row;
  const kept = rows.find(({ transferable }) => transferable === false) as Row;
  const transfer = ({ id }: Row, more: Row = {}) =>
    workspace.call('POST', `${SUBSCRIPTIONS}/${id}/transfer`, {
      targetWorkspaceId: '0f46d2d8-b9a3-472f-bd4e-abf786e7029a',
      ...more,
    });
  expect([transfer(kept).status, transfer(given, { quantity: 2 }).status]).toEqual([409, 409]);
  const [device] = holders(workspace, given);
  expect(ended(workspace, transfer(given))['result']).toMatchObject({ movedQuantity: 1 });
  expect(workspace.get(`${SUBSCRIPTIONS}/${given['id']}`).status).toBe(404);
  expect(keysOf(workspace, device)).toEqual([]);
  expect(workspace.get(`${SUBSCRIPTIONS}/${kept['id']}`).status).toBe(200);
});

it('places that are united have the devices and the people of all', () => {
  const workspace = opened();
  const at = '/locations/v1/locations';
  const named = (name: string) => items(workspace.get(at)).find((row) => row['name'] === name) as Row;
  const [pier, clinic] = [named('South Pier'), named('Mill Clinic')];
  const devices = items(workspace.get(`${at}/${clinic['id']}/devices?limit=100`)).map(({ deviceId }) => deviceId);
  expect(devices.length).toBe(Number(one(workspace, `${at}/${clinic['id']}`)['deviceCount']));
  const merge = (...duplicateIds: unknown[]) => workspace.call('POST', `${at}/${pier['id']}/merge`, { duplicateIds });
  expect(merge(pier['id']).status).toBe(400);
  const done = ended(workspace, merge(clinic['id']));
  expect(done).toMatchObject({ result: { devicesMoved: devices.length, contactsMoved: 1 } });
  expect(workspace.get(`${at}/${clinic['id']}`).status).toBe(404);
  expect(one(workspace, `${at}/${pier['id']}`)).toMatchObject({
    deviceCount: devices.length,
    contacts: [{ email: 'd.nolan@harbour.example' }],
  });
  const onSite = items(workspace.get(`${at}/${pier['id']}/devices?limit=100`)).map(({ deviceId }) => deviceId);
  expect(onSite.toSorted()).toEqual(devices.toSorted());
  expect(one(workspace, `${DEVICES}/${devices[0]}`)['locationId']).toBe(pier['id']);
});

it('a comment on a support case is among its comments', () => {
  const workspace = opened();
  const [{ id } = {}] = items(workspace.get('/support/v1/cases'));
  const comments = () => items(workspace.get(`/support/v1/cases/${id}/comments`));
  const before = comments().length;
  const text = 'The port was moved, and nothing changed.';
  const { commentId, addedAt } = workspace.call('POST', `/support/v1/cases/${id}/comment`, { text }).json as Row;
  expect(comments()).toHaveLength(before + 1);
  expect(comments().find((each) => each['commentId'] === commentId)).toMatchObject({
    text,
    writtenAt: addedAt,
    fromSupport: false,
  });
});
