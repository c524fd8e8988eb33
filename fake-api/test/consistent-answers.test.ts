/** Answers of the shipped platforms that fit the question, and each other. */
import { beforeAll, describe, expect, it } from 'vitest';
import { rowParts } from '../engine/state/collection.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';
import { wholeList } from './whole-list.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation([
    'mgmt',
    'nac',
    'cloudwlan',
    'fabric',
    'legacy',
    'sdwan',
    'sensors',
    'sse',
    'workspace',
  ]);
});

type Row = Record<string, unknown>;

const opened = (platform: string) => new PlatformClient(installation, platform);

function listed(client: PlatformClient, operationId: string, query = ''): Row[] {
  const operation = client.platform.byId.get(operationId);
  if (operation === undefined) throw new Error(`operation: expected one of the platform, got "${operationId}"`);
  return wholeList(client, operation, { path: operation.template, query }).entries as Row[];
}

it('a MAC address in capitals is the key of the same object', () => {
  const mgmt = opened('mgmt');
  const [first] = listed(mgmt, 'listClients');
  const mac = String(first?.['macAddress']);
  const one = (key: string) => mgmt.get(`/network-monitoring/v1/clients/${key}`);
  expect(one(mac.toUpperCase()).json).toEqual(one(mac).json);
  expect(one(mac).status).toBe(200);

  const nac = opened('nac');
  const endpoint = String(listed(nac, 'listEndpoints')[0]?.['mac_address']);
  const by = nac.platform.byId.get('getEndpointByMacAddress')?.template ?? '';
  expect(nac.get(by.replace(/\{[^}]*\}/, endpoint.toUpperCase())).json).toMatchObject({ mac_address: endpoint });
});

it('a device has the parts of its type, and no port of an access point is bounced', () => {
  const cloudwlan = opened('cloudwlan');
  const parts = { ap: ['wireless', 'rrm_considerations'], switch: ['lan', 'vc'], gateway: ['wan', 'ha'] };
  const seen = new Set<unknown>();
  for (const { id, value } of cloudwlan.state.rows('cloudwlan', 'site-devices').all()) {
    const [site, device] = rowParts(id);
    const at = `/api/v1/sites/${site}/devices/${device}`;
    const { type, name } = value;
    seen.add(type);
    for (const [owner, names] of Object.entries(parts))
      for (const part of names)
        expect(cloudwlan.get(`${at}/${part}`).status, `${name} ${part}`).toBe(type === owner ? 200 : 404);
    const bounced = cloudwlan.send({ method: 'POST', path: `${at}/lan/bounce_port`, body: { ports: ['1/1/5'] } });
    expect(bounced.status, String(name)).toBe(type === 'switch' ? 200 : 404);
  }
  expect([...seen].sort()).toEqual(Object.keys(parts).sort());
});

it('only a switch is a switch of the older family', () => {
  const mgmt = opened('mgmt');
  for (const device of listed(mgmt, 'listDevices')) {
    const of = `/network-troubleshooting/v1/legacy-switches/${String(device['serialNumber'])}`;
    const status = device['deviceType'] === 'SWITCH' ? 200 : 404;
    expect(mgmt.get(`${of}/tasks`).status, String(device['deviceName'])).toBe(status);
    expect(mgmt.get(`${of}/show-commands-catalogue`).status).toBe(status);
  }
});

const sum = (rows: Row[], field: string) => rows.reduce((total, row) => total + Number(row[field]), 0);

it('the health of clients is the same for the tenant, by site and in the list', () => {
  const mgmt = opened('mgmt');
  const scores = listed(mgmt, 'listClients').map((row) => row['healthScore']);
  const between = (low: number, high: number) =>
    scores.filter((score) => typeof score === 'number' && score >= low && score < high).length;
  const counts = { poorClients: between(0, 40), fairClients: between(40, 70), goodClients: between(70, 101) };
  const sites = listed(mgmt, 'listSitesClientHealth');
  expect({
    poorClients: sum(sites, 'poorClients'),
    fairClients: sum(sites, 'fairClients'),
    goodClients: sum(sites, 'goodClients'),
  }).toEqual(counts);
  const tenant = mgmt.get(mgmt.platform.byId.get('getTenantClientHealth')?.template ?? '').json as Row;
  expect(tenant).toMatchObject({
    ...counts,
    unscoredClients: scores.filter((score) => score === null).length,
  });
  expect(sites.map((row) => row['siteId'])).toContain(tenant['worstSiteId']);
});

it('a device that is offline has no health in any sum', () => {
  const mgmt = opened('mgmt');
  const rows = listed(mgmt, 'listSitesDeviceHealth');
  const away = rows.filter((row) => Number(row['unknownDevices']) > 0);
  expect(away).not.toEqual([]);
  for (const siteId of new Set(away.map((row) => row['siteId']))) {
    const own = rows.filter((row) => row['siteId'] === siteId);
    const site = mgmt.get(`/network-monitoring/v1/sites-health/${siteId}`).json as Row;
    expect(site['deviceHealth']).toEqual({
      poor: sum(own, 'poorDevices'),
      fair: sum(own, 'fairDevices'),
      good: sum(own, 'goodDevices'),
    });
  }
});

it('clients that are away with their access point are counted nowhere', () => {
  const mgmt = opened('mgmt');
  const ap = listed(mgmt, 'listAps').find((row) => Number(row['clientCount']) > 2 && row['status'] === 'ONLINE') ?? {};
  const connected = () =>
    listed(mgmt, 'listClients').filter((row) => row['siteId'] === ap['siteId'] && row['status'] === 'CONNECTED').length;
  const counted = () =>
    (mgmt.get(`/network-monitoring/v1/sites-health/${ap['siteId']}`).json as { clients: Row }).clients['total'];
  const before = connected();
  const started = mgmt.call('POST', `/network-troubleshooting/v1/aps/${ap['serialNumber']}/reboot`, {});
  mgmt.get(String(started.headers['location']));
  expect(connected()).toBeLessThan(before);
  expect(counted()).toBe(connected());
});

describe('a list of what happened', () => {
  const countOf = (operationId: string, query: string) => {
    const cloud = opened('cloudwlan');
    const [org] = installation.fixture.rows.of('cloudwlan', 'orgs').keys();
    const path = cloud.platform.byId.get(operationId)?.template.replace('{org_id}', String(org)) ?? '';
    const { status, json } = cloud.get(`${path}?${query}`);
    expect(status).toBe(200);
    return Number((json as Row)['total']);
  };

  it('has what happened in the window that was asked for', () => {
    const [hour, day] = [
      countOf('countOrgClientEvents', 'duration=1h'),
      countOf('countOrgClientEvents', 'duration=1d'),
    ];
    expect(hour).toBeGreaterThan(0);
    expect(hour).toBeLessThan(day);
    expect(countOf('countOrgWirelessSessions', 'duration=1d')).toBeGreaterThan(0);
  });

  it('has that of the last day where the document says so and nobody asks', () => {
    const usual = countOf('searchOrgAlarms', '');
    expect(usual).toBe(countOf('searchOrgAlarms', 'duration=1d'));
    expect(usual).toBeLessThan(countOf('searchOrgAlarms', 'duration=30d'));
  });

  it('has every object that is set up, however old it is', () => {
    expect(countOf('countOrgWebhooks', '')).toBe(installation.fixture.rows.of('cloudwlan', 'org-webhooks').size);
  });
});

it('a forecast of what runs out adds up the subscriptions that end in its window', () => {
  const workspace = opened('workspace');
  const subscriptions = listed(workspace, 'listSubscriptions');
  const ends = subscriptions.map((row) => Date.parse(String(row['endAt'])));
  const forecasts = listed(workspace, 'listExpiryForecasts');
  expect(forecasts).not.toEqual([]);
  for (const { window, tier, count } of forecasts) {
    const until = workspace.state.clock.ms + Number.parseInt(String(window), 10) * 86_400_000;
    const ending = subscriptions.filter((row, at) => {
      const end = ends[at] ?? 0;
      return row['tier'] === tier && end >= workspace.state.clock.ms && end <= until;
    });
    expect(count).toBe(sum(ending, 'quantity'));
  }
});

it('a network that is switched off has neither clients nor radios that send it', () => {
  const mgmt = opened('mgmt');
  const ssid = 'staff';
  const row = () => mgmt.get(`/network-monitoring/v1/wlans/${ssid}`).json as Row;
  const { essid } = row();
  const seen = () => ({
    clients: listed(mgmt, 'listClients').filter((each) => each['wlan'] === ssid).length,
    bssids: listed(mgmt, 'listBssids').filter((each) => each['essid'] === essid).length,
    counted: Number(row()['clientCount']),
    total: sum(listed(mgmt, 'listSitesClientHealth'), 'goodClients'),
  });
  const before = seen();
  expect(Object.values(before)).not.toContain(0);
  const path = `/network-config/v1alpha1/wlan-ssids/${ssid}`;
  expect(mgmt.call('PATCH', path, { enable: false }).status).toBe(200);
  const off = seen();
  expect(off).toMatchObject({ clients: 0, bssids: 0, counted: 0 });
  expect(off.total).toBeLessThan(before.total);
  mgmt.call('PATCH', path, { enable: true });
  expect(seen()).toEqual(before);
});

it('a device of the cloud WLAN that is renamed has its new name in every list', () => {
  const cloud = opened('cloudwlan');
  const [first] = installation.fixture.rows.of('cloudwlan', 'site-devices').values();
  const [site, device] = rowParts(first?.id ?? '');
  const [org] = installation.fixture.rows.of('cloudwlan', 'orgs').keys();
  const path = `/api/v1/sites/${site}/devices/${device}`;
  expect(cloud.call('PUT', path, { name: 'hall-ap-77' }).status).toBe(200);
  const found = ['searchOrgDevices', 'listOrgInventoryDevices', 'listSiteDeviceStats'].map((operationId) => {
    const operation = cloud.platform.byId.get(operationId);
    const target = (operation?.template ?? '').replace('{org_id}', String(org)).replace('{site_id}', String(site));
    const { json } = cloud.get(`${target}?limit=1000`);
    const rows = (Array.isArray(json) ? json : (json as { results: Row[] }).results) as Row[];
    return rows.find(({ mac }) => mac === first?.value['mac'])?.['name'];
  });
  expect(found).toEqual(['hall-ap-77', 'hall-ap-77', 'hall-ap-77']);
});

it('the series of the clients of a site leads to those that are connected', () => {
  const mgmt = opened('mgmt');
  const template = mgmt.platform.byId.get('getSiteHealthClientCountTrend')?.template ?? '';
  const connected = listed(mgmt, 'listClients').filter((row) => row['status'] === 'CONNECTED');
  for (const siteId of ['hq', 'depot', 'clinic']) {
    const { json } = mgmt.get(template.replace(/\{[^}]*\}/, siteId));
    const [samples = []] = Object.values(json as Row).filter(Array.isArray) as Row[][];
    for (const [field, medium] of [
      ['wireless', 'WIRELESS'],
      ['wired', 'WIRED'],
    ] as const) {
      const now = connected.filter((row) => row['siteId'] === siteId && row['connectionType'] === medium).length;
      const latest = Number(samples.at(-1)?.[field]);
      expect(Math.abs(latest - now), `${siteId} ${field}: ${latest} beside ${now}`).toBeLessThanOrEqual(2 + now * 0.15);
    }
  }
});

it('the series of a fabric counts the anomalies that its list has', () => {
  const fabric = opened('fabric');
  const counts = listed(fabric, 'listBlueprints').map(({ blueprint_id: id }) => {
    const list = fabric.get(`/api/blueprints/${id}/anomalies`).json as { total: number };
    const series = fabric.get(`/api/blueprints/${id}/anomalies/count-trend`).json as { samples: Row[] };
    return { open: Number(series.samples.at(-1)?.['open']), listed: list.total };
  });
  expect(counts.map(({ listed: total }) => total)).toEqual(expect.arrayContaining([0, 2]));
  for (const { open, listed: total } of counts) expect(open).toBe(total);
});

it.each(['fabric', 'sensors', 'sse'])('no object of %s has the identifier of another thing', (platform) => {
  const shared = [...installation.platforms.get(platform)!.resources.keys()].flatMap((resource) =>
    Array.from(installation.fixture.rows.of(platform, resource).values(), ({ value }) => value as Row).flatMap(
      (row) => {
        const own = row['id'] ?? row['recordId'];
        const named = Object.keys(row).filter((name) => row[name] === own && /^[a-z]+_?Id$|_id$/i.test(name));
        return /^[0-9a-f-]{36}$/.test(String(own)) && named.some((name) => name !== 'recordId')
          ? [`${resource}: ${named.join(' ')}`]
          : [];
      },
    ),
  );
  expect([...new Set(shared)]).toEqual([]);
});

it('a port of the cloud WLAN without a link forwards nothing, and a tunnel is no older than its gateways', () => {
  const ports = Array.from(installation.fixture.rows.of('cloudwlan', 'org-port-stats').values(), ({ value }) => value);
  const down = ports.filter(({ up }) => up === false);
  expect(down.length).toBeGreaterThan(10);
  expect(down.filter((row) => row['stp_state'] !== 'disabled' || row['mac_count'] !== 0)).toEqual([]);

  const mgmt = installation.fixture.rows;
  const age = new Map(
    Array.from(mgmt.of('mgmt', 'gateways').entries(), ([key, { value }]) => [key, Number(value['uptimeSeconds'])]),
  );
  const tunnels = [...mgmt.of('mgmt', 'gateway-tunnels').values()];
  expect(tunnels.length).toBeGreaterThan(4);
  for (const { id, value } of tunnels)
    for (const serial of [rowParts(id)[0], value['peerSerial']])
      expect(Number(value['uptimeSeconds'])).toBeLessThanOrEqual(age.get(String(serial)) ?? 0);
});

it('the log of a server or manager tells of more than logins', () => {
  const kinds = (platform: string, resource: string, field: string) =>
    new Set(Array.from(installation.fixture.rows.of(platform, resource).values(), ({ value }) => value[field])).size;
  expect(kinds('nac', 'system-event', 'category')).toBeGreaterThan(2);
  expect(kinds('fabric', 'audit-events', 'activity')).toBeGreaterThan(2);
  expect(kinds('sse', 'admin-log', 'change')).toBeGreaterThan(2);
});

it('a map that was stated without entries has none', () => {
  const [types] = installation.fixture.rows.of('cloudwlan', 'org-licenses-by_type').values();
  expect(types?.value['expired']).toEqual({});
});

it('a local object of the management cloud lives at a scope that exists, for devices of the kind that it is about', () => {
  const { rows } = installation.fixture;
  const kinds = new Map(
    Array.from(rows.of('mgmt', 'devices').values(), ({ value }) => [
      String(value['serialNumber']),
      { siteId: value['siteId'], deviceFunction: value['deviceFunction'] },
    ]),
  );
  const scopes = new Set(['global', ...Array.from(kinds.values(), ({ siteId }) => siteId)]);
  const local = [...(installation.platforms.get('mgmt')?.resources.keys() ?? [])].flatMap((resource) =>
    Array.from(rows.of('mgmt', resource).values(), ({ value }) => value as Row).filter(
      (row) => (row['metadata'] as Row | undefined)?.['object-type'] === 'LOCAL',
    ),
  );
  expect(local.length).toBeGreaterThan(8);
  for (const row of local) {
    const marks = row['metadata'] as Row;
    const device = kinds.get(String(row['serial-number']));
    expect(scopes).toContain(marks['scope-id']);
    if (device !== undefined) expect(marks['device-function']).toBe(device.deviceFunction);
  }
});

it('a client of the cloud WLAN is on a band on which its network is sent at its site, and 6 GHz has no WPA2', () => {
  const { rows } = installation.fixture;
  const sent = new Map(
    Array.from(rows.of('cloudwlan', 'site-wlans').values(), ({ id, value }) => [
      `${rowParts(id)[0]} ${value['ssid']}`,
      value['bands'] as string[],
    ]),
  );
  const clients = Array.from(rows.of('cloudwlan', 'site-client-stats').values(), ({ id, value }) => ({
    place: `${rowParts(id)[0]} ${value['ssid']}`,
    band: String(value['band']),
  }));
  expect(clients.length).toBeGreaterThan(100);
  expect(clients.filter(({ place, band }) => sent.get(place)?.includes(band) !== true)).toEqual([]);
  const modes = new Map(
    Array.from(rows.of('mgmt', 'wlans').values(), ({ value }) => [value['essid'], value['opmode']]),
  );
  const onSix = [...sent].filter(([, bands]) => bands.includes('6')).map(([place]) => modes.get(place.slice(37)));
  expect(onSix).not.toEqual([]);
  for (const mode of onSix) expect(mode).toMatch(/^(WPA3|ENHANCED_OPEN)/);
});

describe('alarms of the cloud WLAN', () => {
  const alarms = (cloud: PlatformClient, resource: string) => [...cloud.state.rows('cloudwlan', resource).all()];
  const waiting = (cloud: PlatformClient) =>
    ['org-alarms', 'site-alarms'].map(
      (name) =>
        alarms(cloud, name).filter(({ value }) => value['status'] === 'open' && value['acked'] === false).length,
    );

  it('that are acknowledged at once are acknowledged in the organisation and at their sites', () => {
    const cloud = opened('cloudwlan');
    const [orgId] = rowParts(alarms(cloud, 'org-alarms')[0]?.id ?? '');
    const all = `/api/v1/orgs/${orgId}/alarms`;
    const [before = 0] = waiting(cloud);
    expect(before).toBeGreaterThan(1);
    expect(cloud.call('POST', `${all}/ack_all`, { note: 'on it' }).json).toEqual({ acknowledged: before });
    expect(waiting(cloud)).toEqual([0, 0]);
    const acked = alarms(cloud, 'site-alarms').find(({ value }) => value['note'] === 'on it');
    expect(acked?.value).toMatchObject({ acked: true, acked_by: 'demo', acked_time: '2026-03-02T09:00:00Z' });
    const ids = [rowParts(acked?.id ?? '').at(-1)];
    expect(cloud.call('POST', `${all}/unack`, { alarm_ids: ids }).json).toEqual({ reopened: 1 });
    expect(waiting(cloud)).toEqual([1, 1]);
  });

  it('are counted by the health of their site until somebody takes care of them', () => {
    const cloud = opened('cloudwlan');
    const sites = new Set(alarms(cloud, 'site-alarms').map(({ id }) => rowParts(id)[0]));
    const counted = () =>
      [...sites].map((site) => Number((cloud.get(`/api/v1/sites/${site}/health/summary`).json as Row)['open_alarms']));
    expect(counted().reduce((total, each) => total + each, 0)).toBe(waiting(cloud)[1]);
    for (const site of sites) cloud.call('POST', `/api/v1/sites/${site}/alarms/ack_all`, {});
    expect(counted()).toEqual([...sites].map(() => 0));
  });

  it('of which one is acknowledged at its site are so in the organisation', () => {
    const cloud = opened('cloudwlan');
    const [first] = alarms(cloud, 'site-alarms').filter(({ value }) => value['acked'] === false);
    const [site, alarm] = rowParts(first?.id ?? '');
    expect(cloud.call('POST', `/api/v1/sites/${site}/alarms/${alarm}/ack`, { note: 'mine' }).status).toBe(200);
    const [own] = alarms(cloud, 'org-alarms').filter(({ id }) => rowParts(id).at(-1) === alarm);
    expect(own?.value).toMatchObject({ acked: true, acked_by: 'demo', note: 'mine' });
  });
});

describe('an order to sessions of the policy server', () => {
  const path = '/api/session-action';
  const active = (nac: PlatformClient) =>
    [...nac.state.rows('nac', 'session').all()].filter(({ value }) => value['state'] === 'active');
  const finished = (nac: PlatformClient, action: string, body: object) => {
    const location = String(nac.call('POST', `${path}/${action}`, body).headers['location']);
    nac.get(location);
    return nac.get(location).json;
  };

  it.each([
    ['username', 'username', 'username'],
    ['mac', 'mac_address', 'mac_address'],
    ['ip', 'ip_address', 'framed_ip'],
  ])('ends those of one %s, and nobody of them is online', (kind, field, own) => {
    const nac = opened('nac');
    const wanted = active(nac).find(({ value }) => typeof value[own] === 'string')?.value[own];
    const meant = active(nac).filter(({ value }) => value[own] === wanted);
    const told = finished(nac, `disconnect/${kind}`, { [field]: wanted });
    expect(JSON.stringify(told)).toContain(`"total":${meant.length},"succeeded":${meant.length},"failed":0`);
    expect(active(nac).filter(({ value }) => value[own] === wanted)).toEqual([]);
    for (const { value } of meant) {
      expect(nac.get(`/api/session/${value['id']}`).json).toMatchObject({
        state: 'closed',
        terminate_cause: 'Admin-Reset',
      });
      expect(nac.get(`/api/active-session/${value['mac_address']}`).status).toBe(404);
    }
  });

  it('ends what an expression selects', () => {
    const nac = opened('nac');
    const role = active(nac).find(({ value }) => typeof value['role'] === 'string')?.value['role'];
    const others = active(nac).filter(({ value }) => value['role'] !== role).length;
    finished(nac, 'disconnect', { filter: { role } });
    expect(active(nac)).toHaveLength(others);
  });

  it('to one active session ends that of the device', () => {
    const nac = opened('nac');
    const mac = String(listed(nac, 'listActiveSessions')[0]?.['mac_address']);
    expect(nac.call('POST', `/api/active-session/${mac}/disconnect`).status).toBeLessThan(300);
    expect(nac.get(`/api/active-session/${mac}`).status).toBe(404);
    expect(active(nac).filter(({ value }) => value['mac_address'] === mac)).toEqual([]);
  });
});

it('an alarm of an appliance that is acknowledged or cleared is no longer counted as open', () => {
  const sdwan = opened('sdwan');
  const alarm = [...sdwan.state.rows('sdwan', 'appliance-alarms').all()][0]?.value ?? {};
  const { applianceId, sequenceId, severity } = alarm;
  const field = { MINOR: 'minor', WARNING: 'warning' }[String(severity)] ?? 'major';
  const counts = () => {
    const summary = listed(sdwan, 'listAlarmSummaries').find((row) => row['summaryApplianceId'] === applianceId);
    const path = sdwan.platform.byId.get('getApplianceAlarmsSummary')?.template ?? '';
    const own = sdwan.get(path.replace(/\{[^}]*\}/, String(applianceId))).json as Row;
    return [Number(summary?.[field]), Number(own['unacknowledged'])];
  };
  const [open = 0, waiting = 0] = counts();
  sdwan.call('POST', `/rest/alarm/appliance/${sequenceId}/acknowledge`, {});
  expect(counts()).toEqual([open, waiting - 1]);
  sdwan.call('POST', `/rest/alarm/appliance/${sequenceId}/clear`);
  expect(counts()).toEqual([open - 1, waiting - 1]);
});

it('who is signed out is signed in nowhere', () => {
  const workspace = opened('workspace');
  const [first, ...others] = listed(workspace, 'listSignInSessions');
  const path = workspace.platform.byId.get('listUserSessions')?.template ?? '';
  const browsers = (user: unknown) =>
    ((workspace.get(path.replace(/\{[^}]*\}/, String(user))).json as Row)['items'] as Row[]).length;
  expect(browsers(first?.['userId'])).toBe(1);
  const all = workspace.platform.byId.get('revokeAllSessions')?.template ?? '';
  const body = { exceptUserIds: [first?.['userId']], reason: 'incident' };
  expect(workspace.call('POST', all, body).json).toEqual({ ended: others.length, kept: 1 });
  expect(listed(workspace, 'listSignInSessions')).toEqual([first]);
  expect([first, ...others].map((row) => browsers(row?.['userId']))).toEqual([1, ...others.map(() => 0)]);
});
