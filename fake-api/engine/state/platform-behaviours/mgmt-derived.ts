/** Values of the management cloud that follow from other rows: mirrors of a device, counts, scores, compliance. */
import { isoSeconds } from '../clock.ts';
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';
import { CLASSIC_DERIVE } from './mgmt-classic.ts';
import { CONFIG_DERIVE } from './mgmt-config-derived.ts';
import { LICENCE_DERIVE } from './mgmt-licences.ts';
import { rowsBy } from './mgmt-rows.ts';
import { portCounts, SWITCH_DERIVE } from './mgmt-switch-derived.ts';
import { topology } from './mgmt-topology.ts';
import { USAGE_DERIVE } from './mgmt-usage.ts';
import { isOff, onAir, siteOf } from './mgmt-wlan-derived.ts';

const OPEN_ALERT = new Set(['ACTIVE', 'ACKNOWLEDGED', 'DEFERRED']);

function device(row: Values, look: Look): Values | undefined {
  return look.one('devices', String(row['serialNumber']));
}

function connectedTo(look: Look, serial: unknown): Values[] {
  return (rowsBy(look, 'clients', 'connectedDeviceSerial').get(serial) ?? []).filter(
    (client) => client['status'] === 'CONNECTED',
  );
}

function uptimeMs(row: Values, look: Look): number | null {
  if (row['status'] !== 'ONLINE') return null;
  const booted = look.state.notes.get(`boot ${String(row['serialNumber'])}`);
  return typeof booted === 'number'
    ? Math.max(0, look.now() - booted)
    : ((row['uptimeInMillis'] as number | null | undefined) ?? null);
}

/** A heartbeat comes every minute; an offline device keeps the time of its last one. */
function lastSeen(row: Values, look: Look): unknown {
  return row['status'] === 'ONLINE' ? isoSeconds(look.now() - (look.now() % 60_000)) : row['lastSeenAt'];
}

function mirrored(row: Values, look: Look, nameField: string): Values {
  const of = device(row, look);
  if (of === undefined) return {};
  const uptime = of['uptimeInMillis'];
  return {
    [nameField]: of['deviceName'],
    status: of['status'],
    firmwareVersion: of['softwareVersion'],
    // A device that is at no site was at this one last.
    siteId: of['siteId'] ?? row['siteId'],
    siteName: of['siteName'] ?? row['siteName'],
    clientCount: of['clientCount'],
    configStatus: of['configStatus'],
    uptimeSeconds: typeof uptime === 'number' ? Math.round(uptime / 1000) : null,
    lastSeenAt: of['lastSeenAt'],
  };
}

/** Nothing goes through a gateway that is off. */
function forwarded({ tunnelsUp, tunnelsDown }: Values, status: unknown): Values {
  if (status !== 'OFFLINE' || tunnelsUp === undefined) return {};
  return { sessions: 0, tunnelsUp: 0, tunnelsDown: Number(tunnelsUp) + Number(tunnelsDown ?? 0) };
}

function usage(clients: Values[]): number {
  return clients.reduce((sum, client) => sum + Number(client['usageBytes'] ?? 0), 0);
}

/** What a gateway forwards is of clients that are attached to other devices; null for those. */
function carried({ deviceType, serialNumber }: Values, look: Look): unknown {
  if (deviceType !== 'GATEWAY') return null;
  return look.state.rows('mgmt', 'gateways').get(String(serialNumber))?.value['usageBytes'] ?? null;
}

function split(rows: Values[]): { poor: number; fair: number; good: number } {
  const scored = rows.map((row) => row['healthScore']).filter((score): score is number => typeof score === 'number');
  return {
    poor: scored.filter((score) => score < 40).length,
    fair: scored.filter((score) => score >= 40 && score < 70).length,
    good: scored.filter((score) => score >= 70).length,
  };
}

/** Devices with a score: one that is offline keeps a zero, which rates nothing. */
function online(devices: Values[]): Values[] {
  return devices.filter((each) => each['status'] === 'ONLINE');
}

function mean(values: number[]): number {
  return values.length === 0 ? 100 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function scoreOf(rows: Values[]): number {
  return mean(rows.map((row) => Number(row['healthScore'] ?? 0)));
}

const LONGEST_NAME = 64;

/** The site of a device as it is called now; none once it is removed. */
function siteOfDevice({ siteId, siteName }: Values, look: Look): Values {
  const site = look.state.rows('mgmt', 'sites').get(String(siteId));
  if (site === undefined) return { siteId: null, siteName: null };
  return { siteId, siteName: String(site.value['name'] ?? siteName).slice(0, LONGEST_NAME) };
}

/** Name and place of a site are those of its configuration. */
function placeOfSite(siteId: unknown, look: Look): Values {
  const site = look.state.rows('mgmt', 'sites').get(String(siteId))?.value;
  if (site === undefined) return {};
  const { name, street, city, country, 'postal-code': postalCode, timezone, latitude, longitude } = site;
  return {
    siteName: String(name).slice(0, LONGEST_NAME),
    address: { street: street ?? null, city, country, postalCode: postalCode ?? null },
    timezone,
    latitude: latitude ?? null,
    longitude: longitude ?? null,
  };
}

function siteHealth(row: Values, look: Look): Values {
  const siteId = row['siteId'];
  const devices = rowsBy(look, 'devices', 'siteId').get(siteId) ?? [];
  const clients = rowsBy(look, 'clients', 'siteId').get(siteId) ?? [];
  const alerts = (rowsBy(look, 'alerts', 'siteId').get(siteId) ?? []).filter((alert) =>
    OPEN_ALERT.has(String(alert['status'])),
  );
  const severity = (wanted: string) => alerts.filter((alert) => alert['severity'] === wanted).length;
  const healthScore = Math.round((scoreOf(devices) + scoreOf(clients)) / 2);
  const connected = clients.filter((client) => client['status'] === 'CONNECTED');
  const by = (medium: string) => connected.filter((client) => client['connectionType'] === medium).length;
  return {
    ...placeOfSite(siteId, look),
    // In no answer: the series of the site lead to them.
    wireless: by('WIRELESS'),
    wired: by('WIRED'),
    healthScore,
    healthBand: healthScore < 40 ? 'POOR' : healthScore < 70 ? 'FAIR' : 'GOOD',
    deviceHealth: split(online(devices)),
    devices: { total: devices.length, offline: devices.filter((each) => each['status'] === 'OFFLINE').length },
    clients: {
      total: connected.length,
      failed: clients.filter((client) => client['status'] === 'FAILED').length,
    },
    alerts: {
      critical: severity('CRITICAL'),
      major: severity('MAJOR'),
      minor: severity('MINOR') + severity('WARNING'),
    },
    computedAt: isoSeconds(look.now() - (look.now() % 60_000)),
  };
}

function firmware(row: Values, look: Look): Values {
  const of = device(row, look);
  if (of === undefined) return {};
  const running = of['softwareVersion'];
  const isCompliant = running === row['recommendedVersion'];
  const planned = typeof row['upgradeScheduledAt'] === 'string';
  return {
    deviceName: of['deviceName'],
    siteId: of['siteId'],
    runningVersion: running,
    isCompliant,
    upgradeState: isCompliant ? 'UP_TO_DATE' : planned ? 'SCHEDULED' : 'UPGRADE_AVAILABLE',
  };
}

function complianceRow(row: Values, look: Look): Values {
  const own = (rowsBy(look, 'devices', 'siteId').get(row['siteId']) ?? []).filter(
    (each) => each['deviceType'] === row['deviceType'],
  );
  const compliant = own.filter((each) => each['softwareVersion'] === row['targetVersion']).length;
  const versions = own.map((each) => String(each['softwareVersion'])).sort();
  return {
    compliantDevices: compliant,
    outdatedDevices: own.length - compliant,
    unknownDevices: 0,
    oldestVersion: versions[0] ?? row['oldestVersion'],
  };
}

function clientScore(row: Values, look: Look): Values {
  const client = look.one('clients', String(row['macAddress']));
  const score = Number(client?.['healthScore'] ?? 0);
  const wireless = client?.['connectionType'] === 'WIRELESS';
  const failed = client?.['status'] === 'FAILED';
  const signal = wireless ? Math.min(100, Number(client?.['snrDb'] ?? 0) * 2) : null;
  return {
    score,
    band: score < 40 ? 'POOR' : score < 70 ? 'FAIR' : 'GOOD',
    parts: {
      signal,
      onboarding: failed ? 5 : 96,
      addressing: failed ? 0 : 97,
      roaming: wireless ? 90 : null,
      throughput: failed ? 0 : 88,
    },
    worstPart: failed ? 'ONBOARDING' : signal !== null && signal < 60 ? 'SIGNAL' : 'NONE',
    ratedAt: isoSeconds(look.now() - (look.now() % 60_000)),
  };
}

function wlan(row: Values, look: Look): Values {
  const clients = rowsBy(look, 'clients', 'wlan').get(row['wlanName']) ?? [];
  const connected = clients.filter((client) => client['status'] === 'CONNECTED');
  return {
    ...onAir(row, look),
    clientCount: connected.length,
    failedClients: clients.filter((client) => client['status'] === 'FAILED').length,
    usageBytes: usage(connected),
  };
}

function classification(row: Values, look: Look): Values {
  const fitting = look
    .all('alerts')
    .filter((alert) => alert['severity'] === row['severity'] && alert['category'] === row['category']);
  const open = fitting.filter((alert) => OPEN_ALERT.has(String(alert['status'])));
  return {
    openAlerts: open.length,
    activeAlerts: open.filter((alert) => alert['status'] === 'ACTIVE').length,
    oldestRaisedAt: open.map((alert) => String(alert['raisedAt'])).sort()[0] ?? null,
  };
}

export const DERIVE: PlatformBehaviour['derive'] = {
  devices: (row, look) => {
    const health = look.one('config-health-devices', String(row['serialNumber']));
    const state = health?.['syncState'];
    const clients = connectedTo(look, row['serialNumber']);
    return {
      ...siteOfDevice(row, look),
      uptimeInMillis: uptimeMs(row, look),
      lastSeenAt: lastSeen(row, look),
      clientCount: clients.length,
      usageBytes: carried(row, look) ?? usage(clients),
      configStatus: state === 'UNREACHABLE' || state === undefined ? row['configStatus'] : state,
    };
  },
  aps: (row, look) => ({ ...mirrored(row, look, 'apName'), usageBytes: usage(connectedTo(look, row['serialNumber'])) }),
  switches: (row, look) => ({ ...mirrored(row, look, 'switchName'), ...portCounts(row, look) }),
  gateways: (row, look) => {
    const { clientCount: _own, ...same } = mirrored(row, look, 'gatewayName');
    const clients = (rowsBy(look, 'clients', 'siteId').get(row['siteId']) ?? []).filter(
      (client) => client['status'] === 'CONNECTED',
    );
    return { ...same, ...forwarded(row, same['status']), clientCount: clients.length };
  },
  'config-health-devices': (row, look) => {
    // Only plain values of the device are read here: its own derived ones ask for this row.
    const of = look.state.rows('mgmt', 'devices').get(String(row['serialNumber']))?.value;
    return of === undefined ? {} : { deviceName: of['deviceName'], siteId: of['siteId'] };
  },
  'firmware-details': firmware,
  'firmware-compliance-sites': complianceRow,
  'sites-health': siteHealth,
  topology,
  bssids: (row, look) => {
    const radio = rowsBy(look, 'radios', 'radioMac').get(row['radioMac'])?.[0];
    return radio === undefined ? {} : { channel: radio['channel'] };
  },
  'client-score': clientScore,
  wlans: wlan,
  'alert-classification': classification,
  'ap-wlans': (row, look) => {
    const serial = row['serialNumber'] ?? row['apSerial'];
    const clients = connectedTo(look, serial);
    return {
      clientsOnAp: clients.filter((client) => client['wlan'] === row['wlanName']).length,
      ...(isOff(row['wlanName'], siteOf(serial, look), look) ? { status: 'DISABLED' } : {}),
    };
  },
  'sites-device-health': (row, look) => {
    const own = (rowsBy(look, 'devices', 'siteId').get(row['siteId']) ?? []).filter(
      (each) => each['deviceType'] === row['deviceType'],
    );
    const { poor, fair, good } = split(online(own));
    const offline = own.filter((each) => each['status'] === 'OFFLINE').length;
    return { poorDevices: poor, fairDevices: fair, goodDevices: good, unknownDevices: offline };
  },
  'sites-client-health': (row, look) => {
    const own = (rowsBy(look, 'clients', 'siteId').get(row['siteId']) ?? []).filter(
      (client) => client['connectionType'] === row['medium'],
    );
    const { poor, fair, good } = split(own);
    const failed = own.filter((client) => client['status'] === 'FAILED').length;
    return {
      poorClients: poor,
      fairClients: fair,
      goodClients: good,
      failedClients: failed,
      totalClients: own.length,
    };
  },
  'client-experience-scores': (row, look) => {
    const own = rowsBy(look, 'clients', 'siteId').get(row['siteId']) ?? [];
    const failed = own.filter((client) => client['status'] === 'FAILED').length;
    const authentication = own.length === 0 ? 100 : Math.round(100 * (1 - failed / own.length));
    return { score: Math.round((scoreOf(own) + authentication) / 2), authentication, ratedClients: own.length };
  },
  ...CLASSIC_DERIVE,
  ...CONFIG_DERIVE,
  ...LICENCE_DERIVE,
  ...SWITCH_DERIVE,
  ...USAGE_DERIVE,
};

/** The devices of the tenant in one answer. */
export function tenantDeviceHealth(look: Look): Values {
  const devices = look.all('devices');
  const scored = online(devices);
  const offline = devices.length - scored.length;
  return { ...split(scored), unknown: offline, offline, scoredAt: isoSeconds(look.now() - (look.now() % 60_000)) };
}

/** The clients of the tenant in one answer. */
export function tenantClientHealth(look: Look): Values {
  const clients = look.all('clients');
  const scored = clients.filter((client) => typeof client['healthScore'] === 'number');
  const { poor, fair, good } = split(scored);
  const means = [...Map.groupBy(scored, (client) => client['siteId'])].map(
    ([siteId, own]) => [siteId, scoreOf(own)] as const,
  );
  return {
    poorClients: poor,
    fairClients: fair,
    goodClients: good,
    unscoredClients: clients.length - scored.length,
    meanScore: scoreOf(scored),
    worstSiteId: means.sort(([, left], [, right]) => left - right)[0]?.[0] ?? null,
    generatedAt: isoSeconds(look.now() - (look.now() % 60_000)),
  };
}
