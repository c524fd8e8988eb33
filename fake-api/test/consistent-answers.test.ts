/** Answers of the shipped platforms that fit the question, and each other. */
import { beforeAll, expect, it } from 'vitest';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';
import { wholeList } from './whole-list.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation(['mgmt', 'nac', 'cloudwlan', 'legacy', 'workspace']);
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
