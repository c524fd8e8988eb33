/** Which addresses stand in which network: `10.<site>.<VLAN>.0/24`, as in the inventory of the network. */
import { Dice, type Part } from '../state/determinism.ts';

interface Site {
  key: string;
  name: string;
  /** Second part of its addresses. */
  octet: number;
}

export const SITES_OF_PLAN: readonly Site[] = [
  { key: 'hq', name: 'Harbour House', octet: 10 },
  { key: 'depot', name: 'North Depot', octet: 20 },
  { key: 'clinic', name: 'Mill Clinic', octet: 30 },
];

/** VLANs by number, by their name and by the role that leads into them. */
export const VLANS = [10, 20, 30, 40, 50, 60, 70, 80, 90] as const;
export const VLAN_NAMES = [
  'management',
  'staff',
  'guest',
  'voice',
  'things',
  'scanners',
  'clinical',
  'lab',
  'printers',
] as const;

interface OfRow {
  row: readonly Part[];
  /** Key of the site that the row's own name says. */
  site?: string | undefined;
}

/** The site that the fields of one row are about. */
export const siteOf = ({ row, site }: OfRow): Site =>
  SITES_OF_PLAN.find(({ key }) => key === site) ?? new Dice(...row, 'site').pick(SITES_OF_PLAN);

/** The key of the site that a text of an object begins with or names; undefined where none does. */
export function siteNamedIn(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const value of Object.values(values)) {
    if (typeof value !== 'string') continue;
    const [, prefix] = /^(hq|depot|clinic)(?![a-z])/.exec(value) ?? [];
    const found = prefix ?? SITES_OF_PLAN.find(({ name }) => value.startsWith(name))?.key;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The VLAN that the addresses of one row are of. */
const vlanOf = ({ row }: OfRow): number => new Dice(...row, 'vlan').pick(VLANS);

export const hostAddress = (field: OfRow, dice: Dice): string =>
  `10.${siteOf(field).octet}.${vlanOf(field)}.${dice.int(20, 250)}`;
export const routerAddress = (field: OfRow): string => `10.${siteOf(field).octet}.${vlanOf(field)}.1`;
/** `of` draws for one of several networks of a row. */
export const networkAddress = (field: OfRow, of: Dice): string => `10.${siteOf(field).octet}.${of.pick(VLANS)}.0`;
