/** Texts that are tried against a pattern, and ranges of ports and addresses. */
import { SITES_OF_PLAN, VLANS } from './address-plan.ts';
import { SYSTEM_VERSIONS } from './fixed-forms.ts';
import { hostFor as host, networkFor as network } from './hosts.ts';
import { cityOf } from './person.ts';
import {
  address,
  type Draw,
  familyOf,
  mailFor,
  objectName,
  phone,
  releaseOf,
  SERIALS,
  userName,
} from './text-draws.ts';
import type { TextField } from './text-field.ts';
import { INTERFACES } from './word-pools.ts';

/** Texts of forms that are drawn, from the likeliest on. */
const FORMS: readonly Draw[] = [
  mailFor,
  ({ dice, row }) =>
    dice.pick(
      /client|station/.test(String(row[2]))
        ? ['CLIENT_JOINED', 'CLIENT_LEFT', 'CLIENT_AUTH_FAILED', 'CLIENT_DHCP_TIMEOUT']
        : /location/.test(String(row[2]))
          ? ['OFFICE', 'WAREHOUSE', 'CLINIC', 'DATA_CENTRE']
          : ['CONFIG_CHANGED', 'DEVICE_RESTARTED', 'UPLINK_LOST', 'LOGIN_FAILED'],
    ),
  (field) => cityOf(field).code,
  (field) => (field.words.includes('os') ? field.dice.pick(SYSTEM_VERSIONS) : releaseOf(field)),
  (field) => releaseOf(field).split('.').slice(0, 3).join('.'),
  (field) => `${SERIALS[familyOf([...field.words, ...field.holder]) ?? 'gw']}${field.dice.base32(8)}`,
  (field) => objectName(field).replaceAll(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase()),
  (field) =>
    objectName(field)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_'),
  userName,
  address,
  network,
  host,
  objectName,
  ({ dice }) => dice.pick(INTERFACES),
  ({ dice }) => dice.pick(['1/49', '1/50']),
  ({ dice }) => dice.pick(['0/0/1', '0/0/3']),
  ({ dice }) => dice.pick(['eth1/12', 'eth1/24']),
  ({ dice }) => dice.pick(['eu-west-1', 'eu-west-2', 'eu-central-1']),
  phone,
  ({ dice }) => `+35315550${dice.int(100, 199)}`,
  ({ dice }) => `${String(dice.int(6, 20)).padStart(2, '0')}:${dice.pick(['00', '15', '30'])}`,
];

/** The first form that fits; undefined where none does. */
export function formFor(field: TextField, fits: (text: string) => boolean): string | undefined {
  for (const draw of FORMS) {
    const text = draw(field);
    if (fits(text)) return text;
  }
  return undefined;
}

/** Ports of applications and services. */
const SERVICE_PORTS = [
  '443',
  '80',
  '8443',
  '53',
  '3478-3481',
  '5060-5061',
  '1812-1813',
  '161-162',
  '636',
  '16384-32767',
] as const;

/** `20-29`, `8080` or `10.10.20.1-10.10.20.30`: a number or an ascending range for a pattern that takes both. */
export function rangeFor({ words, dice, description }: TextField, ofAddresses: boolean): string {
  if (ofAddresses) {
    const start = `10.${dice.pick(SITES_OF_PLAN).octet}.${dice.pick(VLANS)}`;
    return dice.chance(0.4) ? `${start}.${dice.int(2, 9)}` : `${start}.${dice.int(1, 9)}-${start}.${dice.int(10, 30)}`;
  }
  const about = `${words.join(' ')} ${description}`;
  if (/vlan|trunk/i.test(about))
    return dice.chance(0.7) ? String(dice.pick(VLANS)) : dice.pick(['20-29', '30-39', '100-119']);
  if (/port/i.test(about) && !/switch|socket/i.test(about)) return dice.pick(SERVICE_PORTS);
  const first = dice.int(1, 900) * 10;
  return dice.chance(0.5) ? String(first) : `${first}-${first + dice.int(1, 9)}`;
}
