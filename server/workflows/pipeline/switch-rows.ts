/** The switches of a migration as the operator lists them, each row checked by itself: a wrong one fails alone. */
import { dirname, resolve } from 'node:path';
import { RouterError } from '../../errors.ts';
import { type Row, readTable } from '../csv.ts';
import { utf8Text } from '../text-file.ts';

export const REQUIRED = [
  'serial_number',
  'source_type',
  'hardware_series',
  'target_account',
  'target_site',
  'target_group',
  'persona',
  'firmware_target',
] as const;
export const OPTIONAL = ['mac_address', 'notes', 'vlan_config_file', 'vlan_interface_config_file'] as const;

/** Device functions of both series of switches, by role in the network. */
const FUNCTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cx: { access: 'ACCESS_SWITCH', core: 'CORE_SWITCH', aggregation: 'AGG_SWITCH' },
  pvos: { access: 'LEGACY_ACCESS_SWITCH', core: 'LEGACY_CORE_SWITCH', aggregation: 'LEGACY_AGG_SWITCH' },
};

export interface Vlan {
  id: number;
  name: string;
}

export interface VlanInterface {
  vlan: number;
  address: string;
}

export interface Switch {
  serial: string;
  source: 'unmanaged' | 'classic' | 'legacy';
  moves: boolean;
  site: string;
  group: string;
  deviceFunction: string;
  firmware: string;
  mac: string;
  notes: string;
  vlans: readonly Vlan[];
  interfaces: readonly VlanInterface[];
  /** The faults of the row. */
  problems: readonly string[];
}

export function readSwitches(file: string): Switch[] {
  const rows = readTable(utf8Text(file, '--input'), '--input', REQUIRED, OPTIONAL);
  if (rows.length === 0) throw new RouterError('USAGE', '--input has no row');
  const serials = rows.map((row) => row['serial_number'] as string);
  const twice = serials.find((serial, at) => serials.indexOf(serial) !== at);
  if (twice !== undefined) throw new RouterError('USAGE', `--input has ${JSON.stringify(twice)} twice`);
  return rows.map((row) => switchOf(row, dirname(resolve(file))));
}

function switchOf(row: Row, folder: string): Switch {
  const problems: string[] = [];
  const value = (name: (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]) => row[name] ?? '';
  const expect = (name: (typeof REQUIRED)[number], good: boolean, what: string) => {
    if (!good) problems.push(`${name} should be ${what}, got ${JSON.stringify(value(name).slice(0, 40))}`);
  };
  const among = (name: (typeof REQUIRED)[number], known: readonly string[]) =>
    expect(name, known.includes(value(name)), known.join(' or '));
  expect('serial_number', /^[A-Z0-9]{6,16}$/.test(value('serial_number')), '6 to 16 capital letters and digits');
  among('source_type', ['unmanaged', 'classic', 'legacy']);
  among('hardware_series', Object.keys(FUNCTIONS));
  among('target_account', ['same', 'new']);
  among('persona', ['access', 'core', 'aggregation']);
  expect('target_site', value('target_site') !== '', 'the scope id of a site');
  expect('firmware_target', /^(\d+(\.\d+){2,3})?$/.test(value('firmware_target')), 'a release such as 5.5.0, or empty');
  const table = <T>(name: 'vlan_config_file' | 'vlan_interface_config_file', read: (path: string) => T[]): T[] => {
    if (value(name) === '') return [];
    try {
      return read(resolve(folder, value(name)));
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return [];
    }
  };
  return {
    serial: value('serial_number'),
    source: value('source_type') as Switch['source'],
    moves: value('target_account') === 'new',
    site: value('target_site'),
    group: value('target_group'),
    deviceFunction: FUNCTIONS[value('hardware_series')]?.[value('persona')] ?? '',
    firmware: value('firmware_target'),
    mac: value('mac_address'),
    notes: value('notes'),
    vlans: table('vlan_config_file', readVlans),
    interfaces: table('vlan_interface_config_file', readInterfaces),
    problems,
  };
}

const readVlans = (path: string): Vlan[] =>
  vlanRows(path, 'name').map(({ vlan, value }) => ({ id: vlan, name: value }));

const readInterfaces = (path: string): VlanInterface[] =>
  vlanRows(path, 'ipv4_address').map(({ vlan, value }) => ({ vlan, address: value }));

/** The rows of a table by VLAN, each VLAN once: of two rows only one could be written. */
function vlanRows(path: string, column: string): { vlan: number; value: string }[] {
  const rows = readTable(utf8Text(path, 'it'), 'it', ['vlan_id', column]).map((row) => ({
    vlan: vlanNumber(row['vlan_id']),
    value: row[column] as string,
  }));
  const twice = rows.find(({ vlan }, at) => rows.findIndex((row) => row.vlan === vlan) < at);
  if (twice === undefined) return rows;
  throw new RouterError('USAGE', `it has the VLAN ${twice.vlan} twice`);
}

function vlanNumber(text = ''): number {
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= 1 && number <= 4094) return number;
  throw new RouterError('USAGE', `vlan_id should be 1 to 4094, got ${JSON.stringify(text.slice(0, 40))}`);
}
