/** The management cloud as a world: what its actions do, what its tests print, and when it says no. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuse } from '../../http/platform-answer.ts';
import type { Resource } from '../../openapi/stored-resource.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowId } from '../collection.ts';
import { Dice } from '../determinism.ts';
import type { JsonObject } from '../json-value.ts';
import {
  NO_PLATFORM_BEHAVIOUR,
  type PlatformBehaviour,
  type Subject,
  type TaskCall,
  type Values,
} from '../platform-behaviour.ts';
import type { State } from '../state.ts';
import { lookAt } from '../stored-rows.ts';
import { scopeProblem, unknownScope } from './mgmt-assignments.ts';
import { CONFIG_HIDES } from './mgmt-config-derived.ts';
import { configurationWritten } from './mgmt-config-writes.ts';
import { DEEDS, PROBLEMS } from './mgmt-deeds.ts';
import { DERIVE, tenantClientHealth, tenantDeviceHealth } from './mgmt-derived.ts';
import { diagnosticOutput } from './mgmt-diagnostics.ts';
import { accessPointVerdict, clientVerdict } from './mgmt-verdicts.ts';
import { CLIENT_HIDES } from './mgmt-wlan-derived.ts';

const PLATFORM = 'mgmt';
/** Lists of clients that a disconnected one is missing from. */
const POLLS_AWAY = 2;

/** Serial number of the device an operation is about, from its subject or path. */
function serialOf(subject: Subject | null): string | null {
  const serial = subject?.values['serialNumber'] ?? subject?.values['serial'];
  return typeof serial === 'string' ? serial : null;
}

function deviceRow(state: State, serial: string | null) {
  return serial === null ? undefined : state.rows(PLATFORM, 'devices').get(serial);
}

function restart(of: TaskCall, serial: string | null, reason: string): void {
  if (serial === null) return;
  of.state.notes.set(`boot ${serial}`, of.state.clock.ms);
  changeRow(of, 'devices', serial, { lastRebootReason: reason });
}

function taskName(operationId: string): string {
  return operationId.toLowerCase();
}

function objects(call: AcceptedRequest, subject: Subject | null): Answer | null {
  const { operation } = call;
  if (operation.resource === 'config-assignments' && operation.kind !== 'delete')
    return scopeProblem(call, subject?.values ?? {});
  if (operation.scope === 'local' && typeof call.query['scope-id'] === 'string') {
    const unknown = unknownScope(call, 'query parameter "scope-id"', call.query['scope-id']);
    if (unknown !== null) return unknown;
  }
  if (operation.resource === 'firmware-upgrades' && operation.kind === 'create') {
    return unknownRelease(call, String(subject?.values['version']), String(subject?.values['deviceType']));
  }
  if (operation.kind !== 'action' && operation.kind !== 'diagnostic') return null;
  const device = deviceRow(call.state, serialOf(subject));
  return (
    endedCampaign(call, subject) ??
    offlineDevice(call, device) ??
    unknownServer(call) ??
    unknownUpgradeRelease(call, device) ??
    PROBLEMS.get(taskName(operation.id))?.(call, subject) ??
    null
  );
}

function endedCampaign({ operation }: AcceptedRequest, subject: Subject | null): Answer | null {
  const campaign = operation.resource === 'firmware-upgrades' ? subject?.values['state'] : undefined;
  if (typeof campaign !== 'string' || !['COMPLETED', 'CANCELLED', 'FAILED'].includes(campaign)) return null;
  return refuse(409, 'CAMPAIGN_ENDED', `campaign: expected it to be SCHEDULED or RUNNING, got ${campaign}`);
}

function offlineDevice({ operation }: AcceptedRequest, device: Row | undefined): Answer | null {
  if (device?.value['status'] !== 'OFFLINE' || operation.async === null) return null;
  const message = `device ${String(device.value['deviceName'])}: expected it to be ONLINE, got OFFLINE`;
  return refuse(409, 'DEVICE_OFFLINE', message);
}

function unknownServer(call: AcceptedRequest): Answer | null {
  const server = (call.body as Values | undefined)?.['serverName'];
  if (typeof server !== 'string' || isServer(call, server)) return null;
  const message = `field "serverName": expected the name of a configured server, got "${server}"`;
  return refuse(400, 'REFERENCE_NOT_FOUND', message);
}

function unknownUpgradeRelease(call: AcceptedRequest, device: Row | undefined): Answer | null {
  if (device === undefined || !taskName(call.operation.id).includes('firmwareupgrade')) return null;
  const version = (call.body as Values | undefined)?.['version'];
  return typeof version === 'string' ? unknownRelease(call, version, String(device.value['deviceType'])) : null;
}

function isServer(call: AcceptedRequest, name: string): boolean {
  return ['auth-servers', 'authentication-health'].some(
    (resource) => call.state.rows(PLATFORM, resource).get(name) !== undefined,
  );
}

function unknownRelease(call: AcceptedRequest, version: string, deviceType: string): Answer | null {
  const releases = [...call.state.rows(PLATFORM, 'firmware-versions').all()].filter(
    (row) => row.value['deviceType'] === deviceType,
  );
  if (releases.length === 0 || releases.some((row) => row.value['version'] === version)) return null;
  const known = releases.map((row) => row.value['version']).join(', ');
  return refuse(
    422,
    'UNKNOWN_RELEASE',
    `field "version": expected a release of the catalogue for ${deviceType} (${known}), got "${version}"`,
  );
}

function effect(of: TaskCall, subject: Subject | null): Values {
  const name = taskName(of.operationId);
  if (name.includes('disconnect')) return disconnect(of, subject);
  const deed = DEEDS.get(name);
  if (deed !== undefined) return deed(of, subject);
  if (name.includes('firmwareupgrade')) return upgraded(of, serialOf(subject));
  if (name.includes('halt')) return halted(of, serialOf(subject));
  if (name.includes('reboot')) return rebooted(of, serialOf(subject));
  if (name.includes('configresync')) return resynchronized(of, subject);
  return {};
}

function upgraded(of: TaskCall, serial: string | null): Values {
  const version = of.input['version'] ?? of.input['firmware_version'];
  const device = deviceRow(of.state, serial);
  const previous = device?.value['softwareVersion'] ?? null;
  const isLater = Date.parse(String(of.input['scheduled_at'])) > of.state.clock.ms;
  const reboots = of.input['reboot'] !== false && !isLater;
  if (serial !== null && typeof version === 'string' && reboots) {
    restart(of, serial, 'FIRMWARE_UPGRADE');
    changeRow(of, 'devices', serial, { softwareVersion: version });
  }
  return { runningVersion: reboots ? (version ?? previous) : previous, previousVersion: previous, rebooted: reboots };
}

function rebooted(of: TaskCall, serial: string | null): Values {
  const now = isoSeconds(of.state.clock.ms);
  restart(of, serial, 'USER_REBOOT');
  const attached = clientsOn(of, serial).length;
  const feeding = [...of.state.rows(PLATFORM, 'switch-interfaces').under([serial ?? ''])].map((row) => row.value);
  return {
    rebootedAt: now,
    bootReason: 'USER_REBOOT',
    disconnectedClients: attached,
    affectedPorts: feeding.filter((port) => port['operStatus'] === 'UP').length,
    poweredDevices: feeding.filter((port) => port['poeState'] === 'DELIVERING').length,
  };
}

/** Off until somebody switches it on again at the device. */
function halted(of: TaskCall, serial: string | null): Values {
  const now = isoSeconds(of.state.clock.ms);
  if (serial !== null) changeRow(of, 'devices', serial, { status: 'OFFLINE', lastSeenAt: now });
  return { haltedAt: now };
}

function resynchronized(of: TaskCall, subject: Subject | null): Values {
  const intended = subject?.values['intendedRevision'];
  const row = of.state.rows(PLATFORM, 'config-health-devices').get(subject?.id ?? '');
  const resource = of.platform.resources.get('config-health-devices');
  if (row !== undefined && resource !== undefined) {
    of.state.put(resource, {
      ...row,
      value: { ...row.value, runningRevision: row.value['intendedRevision'] ?? null, openIssues: 0 } as JsonObject,
    });
  }
  const restored = Array.isArray(subject?.values['differences']) ? subject.values['differences'].length : 0;
  return { restoredSettings: restored, syncState: 'SYNCHRONIZED', runningRevision: intended };
}

/** The clients leave now and are back after some reads of them, as real ones are. */
function disconnect(of: TaskCall, subject: Subject | null): Values {
  const leaving = leavingBy(of, subject);
  for (const row of leaving) of.state.absences.push({ resource: 'clients', id: row.id, readsLeft: POLLS_AWAY });
  of.state.touch();
  const now = of.state.clock.ms;
  const { barMinutes } = of.input;
  return {
    disconnected: leaving.length,
    wasConnected: leaving.length > 0,
    requestedAt: isoSeconds(now),
    disconnectedFrom: leaving[0]?.value['connectedDeviceSerial'] ?? null,
    barredUntil: Number(barMinutes) > 0 ? isoSeconds(now + Number(barMinutes) * 60_000) : null,
  };
}

/** The client of the path, or those of the device that the body selects. */
function leavingBy(of: TaskCall, subject: Subject | null): Row[] {
  if (subject?.resource.name === 'clients') {
    const row = of.state.rows(PLATFORM, 'clients').get(subject.id);
    return row?.value['status'] === 'CONNECTED' ? [row] : [];
  }
  const wanted = [of.input['macAddress'], of.input['clientMac'], of.input['mac']].find(
    (mac) => typeof mac === 'string',
  );
  const wlan = [of.input['wlan'], of.input['wlanName'], of.input['network'], of.input['essid']].find(
    (each) => typeof each === 'string',
  );
  const { role } = of.input;
  return clientsOf(of, serialOf(subject)).filter(
    ({ id, value }) =>
      (wanted === undefined || id.toLowerCase() === String(wanted).toLowerCase()) &&
      (wlan === undefined || value['wlan'] === wlan) &&
      (typeof role !== 'string' || value['role'] === role),
  );
}

/** Those that are attached to the device; the traffic of a whole site ends at its gateway. */
function clientsOf(of: TaskCall, serial: string | null): Row[] {
  const device = deviceRow(of.state, serial)?.value;
  if (device?.['deviceType'] !== 'GATEWAY') return clientsOn(of, serial);
  return [...of.state.rows(PLATFORM, 'clients').all()].filter(
    ({ value }) => value['siteId'] === device['siteId'] && value['status'] === 'CONNECTED',
  );
}

function clientsOn(of: TaskCall, serial: string | null): Row[] {
  return [...of.state.rows(PLATFORM, 'clients').all()].filter(
    (row) => row.value['connectedDeviceSerial'] === serial && row.value['status'] === 'CONNECTED',
  );
}

/** The older family is read among the switches, and no access point or gateway is one of it. */
function olderSwitch(call: AcceptedRequest): Subject | 'missing' | null {
  if (!call.operation.template.includes('/legacy-switches/{')) return null;
  const serial = call.values[0] ?? '';
  const resource = call.platform.resources.get('switches');
  const values = lookAt(call.platform, call.state, mgmtBehaviour).one('switches', serial);
  return resource === undefined || values === undefined ? 'missing' : { resource, id: serial, values };
}

/** The tests and interventions started on one device, latest state first known by the task itself. */
function startedTasks(call: AcceptedRequest, resource: Resource): Row[] | null {
  if (resource.name !== 'ap-test-tasks' && resource.name !== 'switch-test-tasks') return null;
  const serial = call.values[0] ?? '';
  const kind = resource.name === 'ap-test-tasks' ? '/aps/' : '/switches/';
  const rows: Row[] = [];
  for (const task of call.state.tasks.values()) {
    if (task.values[0] !== serial || !task.template.includes(kind)) continue;
    const value = {
      taskId: task.id,
      test: (task.template.split('/').at(-1) ?? '').replaceAll('-', '_').toUpperCase(),
      state: task.status,
      startedBy: 'demo-client',
      startedAt: task.startedAt,
      endedAt: task.endedAt,
    };
    rows.push({ id: rowId([serial, task.id]), value, secrets: {}, revision: 1 });
  }
  return rows;
}

const mgmtBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: DERIVE,
  hides: { ...CONFIG_HIDES, ...CLIENT_HIDES },
  rows: startedTasks,
  subject: olderSwitch,
  objects,
  effect,
  wrote: configurationWritten,
  output: (of, subject) => {
    const look = lookAt(of.platform, of.state, mgmtBehaviour);
    if (of.operationId === 'getTenantDeviceHealth') return tenantDeviceHealth(look);
    if (of.operationId === 'getTenantClientHealth') return tenantClientHealth(look);
    if (of.operationId === 'getApStatus' && subject !== null) return accessPointVerdict(subject.values, look);
    if (of.operationId === 'getClientScore' && subject !== null) return clientVerdict(subject.values, look);
    return diagnosticOutput(of, subject, look);
  },
  level: (call, subject, _name, bucketMs) => {
    const device = deviceRow(call.state, serialOf(subject));
    const lastSeen = device?.value['status'] === 'OFFLINE' ? Date.parse(String(device.value['lastSeenAt'])) : null;
    return lastSeen !== null && bucketMs >= lastSeen ? 0 : undefined;
  },
  measure: (call, _resource, values, name) => {
    if (!/client/i.test(name)) return undefined;
    const own = values['clientCount'];
    const dice = new Dice(call.state.seed, PLATFORM, 'peak', String(values['serialNumber'] ?? ''), name);
    return typeof own === 'number' ? own + dice.int(0, 6) : undefined;
  },
};

export default mgmtBehaviour;
