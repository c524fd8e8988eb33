/** Actions of the cloud WLAN on several devices or clients, by MAC address: where they stand, their profile, who is sent away. */
import { changeRow } from '../changed-row.ts';
import { type Row, rowId, rowParts } from '../collection.ts';
import { type JsonObject, textList } from '../json-value.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';
import { beginRestart } from '../restarts.ts';

const PLATFORM = 'cloudwlan';
/** Lists of clients that a disconnected one is missing from. */
const POLLS_AWAY = 2;
/** Fields in which the lists of clients name the client, and the device it is attached to. */
export const CLIENT = ['mac', 'client_mac'];
const ATTACHED = ['ap', 'ap_mac', 'device_mac'];
const CLIENT_LISTS = [
  'site-wireless-clients',
  'org-wireless-clients',
  'site-wired-clients',
  'org-wired-clients',
  'site-client-stats',
  'org-client-stats',
];

const rowsOf = (of: TaskCall, name: string): Row[] => [...of.state.rows(PLATFORM, name).all()];

export const listed = (value: unknown): string[] => textList(value).map((each) => each.toLowerCase());

function named(of: TaskCall): { known: string[]; unknown: string[] } {
  const stock = new Set(rowsOf(of, 'inventory').map(({ value }) => value['mac']));
  const wanted = listed(of.input['macs']);
  return { known: wanted.filter((mac) => stock.has(mac)), unknown: wanted.filter((mac) => !stock.has(mac)) };
}

function assigned(of: TaskCall): Values {
  const { known, unknown } = named(of);
  const site = String(of.input['site_id']);
  const stays = (mac: string): boolean =>
    of.input['no_reassign'] === true &&
    rowsOf(of, 'inventory').some(({ value }) => value['mac'] === mac && value['site_id'] !== null);
  const kept = known.filter(stays);
  for (const mac of known.filter((each) => !kept.includes(each))) moveDevice(of, mac, site);
  const reasons = [
    ...unknown.map((mac) => [mac, 'not in the inventory']),
    ...kept.map((mac) => [mac, 'already assigned to a site']),
  ];
  return { success: known.filter((mac) => !kept.includes(mac)), reasons: Object.fromEntries(reasons) };
}

function unassigned(of: TaskCall): Values {
  const { known } = named(of);
  for (const mac of known) moveDevice(of, mac, null);
  return { success: known };
}

/** A device is listed at one site at most, and its clients leave when it goes to another one. */
export function moveDevice(of: TaskCall, mac: string, site: string | null): void {
  const isOwn = ({ value }: Row): boolean => value['mac'] === mac;
  const before = rowsOf(of, 'inventory').find(isOwn)?.value['site_id'] ?? null;
  if (before === site) return;
  for (const name of ['inventory', 'org-device-stats'])
    for (const { id } of rowsOf(of, name).filter(isOwn)) changeRow(of, name, id, { site_id: site });
  relocate(of, 'site-devices', isOwn, 'org-devices', site, { map_id: null });
  relocate(of, 'site-device-stats', isOwn, 'org-device-stats', site, { site_id: site });
  clientsLeave(of, mac);
}

/** Nobody is attached to the device any longer. */
export function clientsLeave(of: TaskCall, mac: string): void {
  for (const name of CLIENT_LISTS) removeRows(of, name, ({ value }) => ATTACHED.some((field) => value[field] === mac));
}

/** The row of a device in a list of its site; one that was at no site is made from what the organisation says of it. */
function relocate(
  of: TaskCall,
  name: string,
  isOwn: (row: Row) => boolean,
  elsewhere: string,
  site: string | null,
  change: JsonObject,
): void {
  const resource = of.platform.resources.get(name);
  const own = rowsOf(of, name).find(isOwn);
  const source = own ?? rowsOf(of, elsewhere).find(isOwn);
  removeRows(of, name, isOwn);
  if (resource === undefined || site === null || source === undefined) return;
  const id = rowId([site, String(source.value['device_id'])]);
  const value = { ...source.value, ...change };
  // Which profile a device without a site has goes by its kind.
  if (own === undefined && 'deviceprofile_id' in value) value['deviceprofile_id'] = null;
  of.state.put(resource, { ...source, id, value });
}

/** A device without a profile, whatever its kind has. */
const bareNote = (mac: unknown): string => `no profile ${String(mac)}`;

function profiled(of: TaskCall, subject: Subject | null, isGiven: boolean): Values {
  const { deviceprofile_id: profile, type: kind } = subject?.values ?? {};
  const stock = rowsOf(of, 'inventory').filter(({ value }) => value['type'] === kind);
  const fits = new Set(stock.map(({ value }) => value['mac']));
  const success = named(of).known.filter((mac) => fits.has(mac));
  for (const mac of success) {
    if (isGiven) of.state.notes.delete(bareNote(mac));
    else of.state.notes.set(bareNote(mac), true);
  }
  for (const { id, value } of rowsOf(of, 'site-devices'))
    if (success.includes(String(value['mac'])))
      changeRow(of, 'site-devices', id, { deviceprofile_id: isGiven ? String(profile) : null });
  of.state.touch();
  return { success };
}

/** The profile that the device has at its site; else the first one for its kind. */
export function profileOf({ mac, type }: Values, look: Look): unknown {
  const given = look.state.memo('given profiles', () => {
    const rows = [...look.state.rows(PLATFORM, 'site-devices').all()];
    return new Map(rows.map(({ value }) => [value['mac'] as unknown, value['deviceprofile_id'] as unknown]));
  });
  const ofKind = look.state.memo('profiles by kind', () => {
    const rows = [...look.state.rows(PLATFORM, 'device-profiles').all()];
    return new Map(rows.reverse().map(({ value }) => [value['type'] as unknown, value['deviceprofile_id'] as unknown]));
  });
  return given.get(mac) ?? (look.state.notes.has(bareNote(mac)) ? null : (ofKind.get(type) ?? null));
}

/** Devices that have the profile. */
export function profileCount({ deviceprofile_id: profile }: Values, look: Look): Values {
  const stock = [...look.state.rows(PLATFORM, 'inventory').all()];
  return { device_count: stock.filter(({ value }) => profileOf(value, look) === profile).length };
}

function placedEdges(of: TaskCall, site: string | null): Values {
  const wanted = listed(of.input['edge_ids']);
  for (const { id } of rowsOf(of, 'edges').filter((row) => wanted.includes(String(rowParts(row.id).at(-1)))))
    changeRow(of, 'edges', id, { site_id: site });
  return {};
}

/** Clients leave now and are back after some reads of their lists, as real ones are. */
function sentAway(of: TaskCall, macs: readonly string[]): Values {
  for (const name of CLIENT_LISTS)
    for (const { id, value } of rowsOf(of, name))
      if (CLIENT.some((field) => macs.includes(String(value[field]))))
        of.state.absences.push({ resource: name, id, readsLeft: POLLS_AWAY });
  of.state.touch();
  return {};
}

/** One that is not connected cannot be told to restart. */
function restarted(of: TaskCall): Values {
  const resource = of.platform.resources.get('site-devices');
  const wanted = listed(of.input['device_ids']);
  const known = rowsOf(of, 'site-devices').filter((row) => wanted.includes(String(rowParts(row.id).at(-1))));
  const stats = of.state.rows(PLATFORM, 'site-device-stats');
  const up = known.filter(({ id }) => stats.get(id)?.value['status'] !== 'disconnected');
  for (const { id, value } of up)
    if (resource !== undefined) beginRestart(of.state, { resource, id, values: value }, false);
  const accepted = new Set(up.map(({ id }) => String(rowParts(id).at(-1))));
  return { accepted: up.length, offline: wanted.filter((id) => !accepted.has(id)) };
}

type Deed = (of: TaskCall, subject: Subject | null) => Values;

/** By operation id. */
const DEEDS: ReadonlyMap<string, Deed> = new Map<string, Deed>([
  ['assignOrgInventoryDevices', assigned],
  ['unassignOrgInventoryDevices', unassigned],
  ['assignOrgDeviceProfile', (of, subject) => profiled(of, subject, true)],
  ['unassignOrgDeviceProfile', (of, subject) => profiled(of, subject, false)],
  ['assignOrgEdges', (of) => placedEdges(of, String(of.input['site_id']))],
  ['unassignOrgEdges', (of) => placedEdges(of, null)],
  ['restartOrgDevicesMultiple', restarted],
  ['disconnectSiteWirelessClients', (of) => sentAway(of, listed(of.input['macs']))],
  ['disconnectSiteWirelessClient', (of) => sentAway(of, of.values.slice(-1))],
  ['disconnectSiteWiredClient', (of) => sentAway(of, of.values.slice(-1))],
]);

export function deedOnDevices(of: TaskCall, subject: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, subject) ?? {};
}
