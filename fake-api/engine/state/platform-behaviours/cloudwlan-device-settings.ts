/** What several devices of a site are told at once: their names, where they hang and on which floor plan, and to forget everything. */
import { changeRow } from '../changed-row.ts';
import type { Row } from '../collection.ts';
import type { JsonObject } from '../json-value.ts';
import type { Look, TaskCall, Values } from '../platform-behaviour.ts';
import { clientsOf } from './cloudwlan-counts.ts';
import { clientsLeave, listed } from './cloudwlan-devices.ts';

const PLATFORM = 'cloudwlan';
const STOCK = 'inventory';
/** Lists beside that of the site which say on which floor plan a device is. */
const PLANS = ['org-devices', 'installer-devices'];
const STATS = ['site-device-stats', 'org-device-stats'];

const rowsOf = (of: TaskCall, name: string): Row[] => [...of.state.rows(PLATFORM, name).all()];
const devicesAt = (of: TaskCall): readonly Row[] =>
  of.state.rows(PLATFORM, 'site-devices').under([String(of.values[0])]);
const macOf = ({ value }: Row): string => String(value['mac'] ?? value['device_mac']);

function renamed(of: TaskCall): Values {
  const device = devicesAt(of).find(({ value }) => value['device_id'] === of.values[1]);
  if (device !== undefined) changeRow(of, 'site-devices', device.id, { name: String(of.input['hostname']) });
  return {};
}

function putOnPlan(of: TaskCall, devices: readonly Row[], plan: string): void {
  const macs = new Set(devices.map(macOf));
  for (const { id } of devices) changeRow(of, 'site-devices', id, { map_id: plan });
  for (const name of PLANS)
    for (const row of rowsOf(of, name)) if (macs.has(macOf(row))) changeRow(of, name, row.id, { map_id: plan });
}

/** A device that is at another site cannot hang on a plan of this one. */
function planned(of: TaskCall): Values {
  const wanted = listed(of.input['macs']);
  const devices = devicesAt(of).filter((row) => wanted.includes(macOf(row)));
  putOnPlan(of, devices, String(of.values[1]));
  return {};
}

const SETTINGS = ['name', 'notes', 'x', 'y'];

/** A setting that the list leaves out, or leaves empty, stays. */
function imported(of: TaskCall): Values {
  const devices = new Map(devicesAt(of).map((row) => [macOf(row), row]));
  const entries = (of.input['devices'] ?? []) as JsonObject[];
  const unknown: string[] = [];
  for (const entry of entries) {
    const mac = String(entry['mac']).toLowerCase();
    const device = devices.get(mac);
    if (device === undefined) {
      unknown.push(mac);
      continue;
    }
    const told = SETTINGS.filter((name) => entry[name] !== undefined && entry[name] !== null);
    changeRow(of, 'site-devices', device.id, Object.fromEntries(told.map((name) => [name, entry[name] ?? null])));
    const plan = planNamed(of, entry['map_name']);
    if (plan !== undefined) putOnPlan(of, [device], plan);
  }
  return { updated: entries.length - unknown.length, unknown };
}

function planNamed(of: TaskCall, name: unknown): string | undefined {
  const plans = of.state.rows(PLATFORM, 'site-maps').under([String(of.values[0])]);
  const found = plans.find(({ value }) => value['name'] === name)?.value['map_id'];
  return found === undefined ? undefined : String(found);
}

/** A device without a configuration is off the cloud until somebody sets it up by hand, and its clients with it. */
function erased(of: TaskCall, macs: readonly string[]): Values {
  const known = rowsOf(of, STOCK).filter((row) => macs.includes(macOf(row)));
  const meant = new Set(known.map(macOf));
  for (const { id } of known) changeRow(of, STOCK, id, { connected: false });
  for (const row of rowsOf(of, 'installer-devices'))
    if (meant.has(macOf(row))) changeRow(of, 'installer-devices', row.id, { connected: false });
  for (const name of STATS)
    for (const row of rowsOf(of, name))
      if (meant.has(macOf(row))) changeRow(of, name, row.id, { status: 'disconnected', uptime: 0 });
  for (const mac of meant) clientsLeave(of, mac);
  return { erased: known.length };
}

function erasedOne(of: TaskCall): Values {
  const device = devicesAt(of).find(({ value }) => value['device_id'] === of.values[1]);
  if (device !== undefined) erased(of, [macOf(device)]);
  return {};
}

/** Access points on a floor plan, and their clients. */
export function planStats({ map_id: plan }: Values, look: Look): Values {
  const onPlan = [...look.state.rows(PLATFORM, 'site-devices').all()].filter(
    ({ value }) => value['map_id'] === plan && value['type'] === 'ap',
  );
  const clients = onPlan.map(({ value }) => Number(clientsOf(value, look)['num_clients']));
  return { num_aps: onPlan.length, num_clients: clients.reduce((sum, each) => sum + each, 0) };
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall) => Values> = new Map([
  ['changeDeviceHostname', renamed],
  ['setSiteMapDevices', planned],
  ['importSiteDevices', imported],
  ['zeroizeDevice', erasedOne],
  ['zeroizeOrgDevicesMultiple', (of: TaskCall) => erased(of, listed(of.input['macs']))],
]);

export function deedOnSettings(of: TaskCall): Values {
  return DEEDS.get(of.operationId)?.(of) ?? {};
}
