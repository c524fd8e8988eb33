/** Deny and allow lists of a site of the cloud WLAN: a barred client is on none of its networks until it is let in again. */
import { type Row, rowParts } from '../collection.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';
import { CLIENT, listed } from './cloudwlan-devices.ts';

const PLATFORM = 'cloudwlan';
/** Lists that a client on the air is in. */
const ON_AIR = ['site-wireless-clients', 'org-wireless-clients', 'site-client-stats', 'org-client-stats'];

/** Under it the rows that a barred client had, as name of the list and id. */
const noteOf = (site: string, mac: string): string => `${notesOf(site)}${mac}`;
const notesOf = (site: string): string => `barred at ${site} `;

const siteOf = ({ values }: TaskCall): string => String(values[0]);

function bar(of: TaskCall): Values {
  const site = siteOf(of);
  for (const mac of listed(of.input['macs'])) {
    if (of.state.notes.has(noteOf(site, mac))) continue;
    const isMeant = ({ id, value }: Row): boolean =>
      CLIENT.some((field) => value[field] === mac) && (value['site_id'] === site || rowParts(id)[0] === site);
    const rows = ON_AIR.flatMap((name) => removeRows(of, name, isMeant).map((id) => [name, id] as const));
    of.state.notes.set(noteOf(site, mac), rows);
  }
  return {};
}

/** Whoever is barred no longer is back on the air, as it was when the world began. */
function letIn(of: TaskCall, isMeant: (mac: string) => boolean): Values {
  const prefix = notesOf(siteOf(of));
  const notes = [...of.state.notes].filter(
    ([note]) => note.startsWith(prefix) && isMeant(note.slice(prefix.length)),
  ) as [string, (readonly [string, string])[]][];
  for (const [note, rows] of notes) {
    of.state.notes.delete(note);
    for (const [name, id] of rows) {
      const resource = of.platform.resources.get(name);
      const row = of.state.rows(PLATFORM, name).original(id);
      if (resource !== undefined && row !== undefined) of.state.putBack(resource, row);
    }
  }
  return {};
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall) => Values> = new Map([
  ['addSiteDenylistClients', bar],
  ['clearSiteDenylistClients', (of: TaskCall) => letIn(of, () => true)],
  [
    'addSiteAllowlistClients',
    (of: TaskCall) => {
      const macs = listed(of.input['macs']);
      return letIn(of, (mac) => macs.includes(mac));
    },
  ],
]);

export function deedOnBans(of: TaskCall): Values {
  return DEEDS.get(of.operationId)?.(of) ?? {};
}
