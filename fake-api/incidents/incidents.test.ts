/** Every incident of the folder, started in the small campus: what each platform answers of it, and that it can be undone. */
import { expect, test } from 'vitest';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { State } from '../engine/state/state.ts';
import { answeredRow } from '../test/answered-row.ts';
import { shippedInstallation } from '../test/full-installation.ts';
import { PlatformClient } from '../test/platform-client.ts';
import { incidentNames, readIncident } from './incident-file.ts';
import { selectedRows } from './incident-rows.ts';
import { fieldAt, filled as filledIn, type Values } from './incident-values.ts';
import { endIncident, startIncident } from './running-incident.ts';
import { type IncidentChange, namedRows } from './unfolding.ts';

const installation = await shippedInstallation();
const names = await incidentNames();
const LEAST_INCIDENTS = 14;
const LEAST_PLATFORMS = 3;

const fresh = (): State => new State(installation.platforms, installation.fixture.rows, installation.fixture);
const clientsOf = (state: State) =>
  new Map(installation.ids.map((id) => [id, new PlatformClient(installation, id, state)]));

function resourceOf({ platform, resource }: Pick<IncidentChange, 'platform' | 'resource'>): Resource {
  return installation.platforms.get(platform)?.resources.get(resource) as Resource;
}

test(`there are at least ${LEAST_INCIDENTS}, which ${LEAST_PLATFORMS} platforms and more show`, async () => {
  expect(names.length).toBeGreaterThanOrEqual(LEAST_INCIDENTS);
  const platforms = await Promise.all(
    names.map(async (name) => new Set((await readIncident(name)).symptoms.map((each) => each.in.split('/')[0])).size),
  );
  expect(Math.min(...platforms)).toBeGreaterThanOrEqual(LEAST_PLATFORMS);
});

test.each(names)('%s: each symptom is answered, and no answer contradicts itself', async (name) => {
  const incident = await readIncident(name);
  const [before, state] = [fresh(), fresh()];
  const [quiet, troubled] = [clientsOf(before), clientsOf(state)];
  const { changes } = startIncident(state, incident);
  for (const [at, symptom] of incident.symptoms.entries()) {
    const own = changes.filter((change) => change.symptom === at);
    const shown = own.filter((change) => {
      const resource = resourceOf(change);
      const [old, now] = [quiet, troubled].map((clients) =>
        answeredRow(clients.get(change.platform) as PlatformClient, resource, change.id),
      );
      return JSON.stringify(old) !== JSON.stringify(now);
    });
    expect(shown.length, `${symptom.in} (symptom ${at})`).toBeGreaterThan(0);
  }
});

/** Where the other platforms say whether a device of the management cloud is there, and with which value if it is not. */
const PRESENCE = [
  ['cloudwlan/inventory', 'serial', 'connected', false],
  ['cloudwlan/site-device-stats', 'name', 'status', 'disconnected'],
  ['cloudwlan/org-device-stats', 'name', 'status', 'disconnected'],
  ['legacy/ap_database', 'serial', 'status', 'down'],
  ['fabric/systems', 'system_id', 'agent_reachable', false],
] as const;
/** Lists of clients that are connected, with the field of their address. */
const CONNECTED = [
  ['nac/active-session', 'mac_address'],
  ['cloudwlan/site-wireless-clients', 'mac'],
  ['cloudwlan/org-wireless-clients', 'mac'],
  ['cloudwlan/site-client-stats', 'client_mac'],
  ['legacy/station_table', 'mac'],
] as const;

test.each(names)('%s: no platform contradicts another about a device or a client', async (name) => {
  const state = fresh();
  startIncident(state, await readIncident(name));
  const rowsOf = (place: string) => [...state.rows(...(place.split('/') as [string, string])).all()];
  const devices = rowsOf('mgmt/devices').map(({ value }) => value);
  const isOff = new Map(
    devices.flatMap((each) =>
      [each['serialNumber'], each['deviceName']].map((id) => [id, each['status'] === 'OFFLINE']),
    ),
  );
  const differing = PRESENCE.flatMap(([place, key, field, off]) =>
    rowsOf(place).flatMap(({ value }) =>
      isOff.get(value[key] as string) === (value[field] === off) ? [] : [`${place} ${value[key]}`],
    ),
  );
  expect(differing).toEqual([]);
  const status = new Map(rowsOf('mgmt/clients').map(({ id, value }) => [id.toLowerCase(), value['status']]));
  const gone = CONNECTED.flatMap(([place, key]) =>
    rowsOf(place).flatMap(({ value }) =>
      status.get(String(value[key]).toLowerCase()) === 'CONNECTED' ? [] : [`${place} ${value[key]}`],
    ),
  );
  expect(gone).toEqual([]);
});

test.each(names)('%s: the cause can be read', async (name) => {
  const incident = await readIncident(name);
  const state = fresh();
  const scope = namedRows(state, incident);
  startIncident(state, incident);
  const [platform = '', resource = ''] = incident.cause.in.split('/');
  const where = filledIn(incident.cause.where, scope) as Values;
  const rows = selectedRows(state, resourceOf({ platform, resource }), where);
  expect(rows.length, JSON.stringify(where)).toBeGreaterThan(0);
  const client = clientsOf(state).get(platform) as PlatformClient;
  const answer = answeredRow(client, resourceOf({ platform, resource }), rows[0]?.id ?? '');
  expect(fieldAt(answer, incident.cause.field), JSON.stringify(answer)).toBeDefined();
});

test.each(names)('%s: two starts change the same rows, and the end puts each of them back', async (name) => {
  const incident = await readIncident(name);
  const [untouched, first, second] = [fresh(), fresh(), fresh()];
  const { changes } = startIncident(first, incident);
  expect(startIncident(second, incident).changes).toEqual(changes);
  expect(endIncident(first, name)).toBe(changes.length);
  for (const { platform, resource, id } of changes) {
    const [old, now] = [untouched, first].map((state) => state.rows(platform, resource).get(id));
    expect(now, `${platform}/${resource}/${id}`).toEqual(old);
  }
});

test('the state hash knows a running incident, and forgets an ended one', async () => {
  const incident = await readIncident('switch-power-lost');
  const [first, second] = [fresh(), fresh()];
  const untouched = first.hash();
  startIncident(first, incident);
  startIncident(second, incident);
  expect(first.hash()).not.toBe(untouched);
  expect(second.hash()).toBe(first.hash());
  endIncident(first, incident.name);
  expect(first.hash()).toBe(untouched);
});

test('an end leaves alone what a write changed meanwhile', async () => {
  const incident = await readIncident('switch-settings-drifted');
  const state = fresh();
  startIncident(state, incident);
  const resource = resourceOf({ platform: 'mgmt', resource: 'alerts' });
  const alert = selectedRows(state, resource, { alertType: 'CONFIG_DRIFT', summary: { contains: 'hq-sw-06' } })[0];
  const client = clientsOf(state).get('mgmt') as PlatformClient;
  const path = `/network-notifications/v1/alerts/${alert?.id}/acknowledge`;
  expect(client.call('POST', path, { comment: 'on my way' }).status).toBeLessThan(300);
  endIncident(state, incident.name);
  expect(state.rows('mgmt', 'alerts').get(alert?.id ?? '')?.value['status']).toBe('ACKNOWLEDGED');
  const drifted = selectedRows(state, resourceOf({ platform: 'mgmt', resource: 'config-health-devices' }), {
    deviceName: 'hq-sw-06',
  });
  expect(drifted[0]?.value['syncState']).toBe('SYNCHRONIZED');
});
