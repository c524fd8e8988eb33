/** A broken device that is replaced goes back to the stock, and the new one stands in its place with its settings. */
import { changeRow } from '../changed-row.ts';
import type { Row } from '../collection.ts';
import { type JsonObject, textList } from '../json-value.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { moveDevice } from './cloudwlan-devices.ts';

const PLATFORM = 'cloudwlan';
const AT_SITE = 'site-devices';
/** Settings that belong to the place and not to the hardware. */
const SETTINGS = [
  'name',
  'notes',
  'map_id',
  'x',
  'y',
  'height',
  'orientation',
  'mount',
  'deviceprofile_id',
  'ip_config',
  'radio_config',
  'port_config',
  'role',
  'vars',
];
/** Lists beside that of the site which show some of them. */
const VIEWS = ['inventory', 'org-devices', 'installer-devices', 'org-device-stats', 'site-device-stats'];

const ofMac = (of: TaskCall, name: string, mac: string): Row | undefined =>
  [...of.state.rows(PLATFORM, name).all()].find(({ value }) => (value['mac'] ?? value['device_mac']) === mac);

/** The new device has to be in stock, of the same kind, and at no site. */
export function replaceDevice(of: TaskCall): Values {
  if (of.operationId !== 'swapOrgInventoryDevice') return {};
  const [before, after] = [of.input['old_mac'], of.input['new_mac']].map((mac) => String(mac).toLowerCase()) as [
    string,
    string,
  ];
  const [broken, spare] = [ofMac(of, 'inventory', before)?.value, ofMac(of, 'inventory', after)?.value];
  const site = broken?.['site_id'];
  const isFitting = spare?.['site_id'] === null && spare['type'] === broken?.['type'];
  const settings = settingsOf(of, before);
  if (typeof site !== 'string' || !isFitting || settings === null) return { replaced: false };
  moveDevice(of, before, null);
  moveDevice(of, after, site);
  setAll(of, after, settings);
  return { replaced: true, site_id: site };
}

/** Without those that the call leaves behind; null for a device that the site does not list. */
function settingsOf(of: TaskCall, mac: string): JsonObject | null {
  const device = ofMac(of, AT_SITE, mac)?.value;
  if (device === undefined) return null;
  const left = textList(of.input['discard']);
  const taken = SETTINGS.filter((name) => name in device && !left.includes(name));
  return Object.fromEntries(taken.map((name) => [name, device[name] ?? null]));
}

function setAll(of: TaskCall, mac: string, settings: JsonObject): void {
  const own = ofMac(of, AT_SITE, mac);
  if (own !== undefined) changeRow(of, AT_SITE, own.id, settings);
  for (const name of VIEWS) {
    const row = ofMac(of, name, mac);
    const shown = Object.entries(settings).filter(([field]) => row !== undefined && field in row.value);
    if (row !== undefined) changeRow(of, name, row.id, Object.fromEntries(shown));
  }
}
