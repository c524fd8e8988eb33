/** Actions on what belongs where: devices at a site or in a group, sites in a collection, the function of a device. */
import { changeRow } from '../changed-row.ts';
import type { Row } from '../collection.ts';
import { textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'mgmt';

const deviceRow = (of: TaskCall, serial: string): Row | undefined => of.state.rows(PLATFORM, 'devices').get(serial);

const namedDevices = (of: TaskCall): string[] => textList(of.input['serial-numbers']);

/** Known devices move to the site, wherever they were; the others are refused. */
function placed(of: TaskCall, subject: Subject | null): Values {
  const named = namedDevices(of);
  const known = named.filter((serial) => deviceRow(of, serial) !== undefined);
  placeAt(of, known, String(subject?.id), String(subject?.values['name']));
  return { moved: known.length, refused: named.filter((serial) => !known.includes(serial)) };
}

/** What hangs on a device is where the device is. */
export function placeAt(of: TaskCall, serials: readonly string[], siteId: string, siteName: string): void {
  moveTo(of, serials, { siteId, siteName });
  const moved = new Set<unknown>(serials);
  for (const { id, value } of [...of.state.rows(PLATFORM, 'clients').all()])
    if (moved.has(value['connectedDeviceSerial']) && value['siteId'] !== siteId)
      changeRow(of, 'clients', id, { siteId });
}

/** Devices of the site are at none afterwards; others stay where they are. */
function takenAway(of: TaskCall, subject: Subject | null): Values {
  return { removed: takeFrom(of, namedDevices(of), String(subject?.id)).length };
}

/** Those of the devices that were at the site, and are at none now. */
export function takeFrom(of: TaskCall, serials: readonly string[], siteId: string): string[] {
  const own = serials.filter((serial) => deviceRow(of, serial)?.value['siteId'] === siteId);
  moveTo(of, own, { siteId: null, siteName: null });
  return own;
}

function moveTo(
  of: TaskCall,
  serials: readonly string[],
  site: { siteId: string | null; siteName: string | null },
): void {
  for (const serial of serials) {
    changeRow(of, 'devices', serial, site);
    changeRow(of, 'device-inventory', serial, { siteId: site.siteId });
  }
}

function regrouped(of: TaskCall, subject: Subject | null, isJoining: boolean): Values {
  const id = String(subject?.id);
  const before = textList(of.state.rows(PLATFORM, 'device-groups').get(id)?.value['serial-numbers']);
  const named = namedDevices(of);
  const members = isJoining ? [...new Set([...before, ...named])] : before.filter((serial) => !named.includes(serial));
  changeRow(of, 'device-groups', id, { 'serial-numbers': members });
  return { 'device-count': members.length };
}

/** A site is in one collection at most. */
function collected(of: TaskCall, subject: Subject | null, isJoining: boolean): Values {
  const collection = String(subject?.id);
  const sites = of.state.rows(PLATFORM, 'sites');
  for (const site of textList(of.input['site-ids']))
    if (isJoining || sites.get(site)?.value['collection-id'] === collection)
      changeRow(of, 'sites', site, { 'collection-id': isJoining ? collection : null });
  return { 'site-count': [...sites.all()].filter(({ value }) => value['collection-id'] === collection).length };
}

function given(of: TaskCall): Values {
  const deviceFunction = String(of.input['device-function']);
  const named = namedDevices(of);
  const known = named.filter((serial) => deviceRow(of, serial) !== undefined);
  for (const serial of known) changeRow(of, 'devices', serial, { deviceFunction });
  return { changed: known.length, refused: named.filter((serial) => !known.includes(serial)) };
}

/** By operation id in small letters. */
export const MEMBERSHIP: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['addsitedevices', placed],
  ['removesitedevices', takenAway],
  ['adddevicegroupdevices', (of, subject) => regrouped(of, subject, true)],
  ['removedevicegroupdevices', (of, subject) => regrouped(of, subject, false)],
  ['addsitecollectionsites', (of, subject) => collected(of, subject, true)],
  ['removesitecollectionsites', (of, subject) => collected(of, subject, false)],
  ['assigndevicepersonas', given],
]);
