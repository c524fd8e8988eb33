/** How texts of one kind are drawn: people, devices, addresses, versions, files, tags and attributes. */
import { Dice } from '../state/determinism.ts';
import { hostAddress, siteOf, VLAN_NAMES, VLANS } from './address-plan.ts';
import { isVersion6 } from './hosts.ts';
import { isMachine, isPerson, kindOf, namesOf } from './kind-names.ts';
import { cityOf, loginOf, mailOf, personOf, systemOf } from './person.ts';
import { messageFor } from './row-text.ts';
import { FAULTS } from './sentence-pools.ts';
import type { TextField } from './text-field.ts';
import {
  CONFIG_PATHS,
  OPERATING_SYSTEMS,
  OS_VERSIONS,
  PLACES,
  RELEASES,
  ROOMS,
  SERVICE_HOSTS,
  STREETS,
} from './word-pools.ts';

export type Draw = (field: TextField) => string;

export const osOf = (field: TextField) => systemOf(field, OPERATING_SYSTEMS.length);

export const fullName: Draw = (field) => Object.values(personOf(field)).join(' ');

export const userName: Draw = (field) => {
  const kind = kindOf(String(field.row[2] ?? ''));
  const isLogin = /^(user ?name|login|account|user|bind user)$/.test(field.words.join(' '));
  return isLogin && isMachine(kind)
    ? `svc-${kind.find((word) => !/^(config|profile|server|setting|external|org|site)$/.test(word)) ?? 'network'}`
    : loginOf(personOf(field));
};

export const pick =
  (pool: readonly string[]): Draw =>
  ({ dice }) =>
    dice.pick(pool);

/** What a name is about: what stands before `name` or `label`, else what holds the field, else the kind of object the row is. */
function subjectOf({ words, row, holder }: TextField): readonly string[] {
  const before = (NAMING.test(words.at(-1) ?? '') ? words.slice(0, -1) : words).filter((word) => !GENERAL.has(word));
  if (before.length > 0) return before.slice(-2);
  return holder.length > 0 ? holder.slice(-2) : kindOf(String(row[2] ?? 'object')).slice(-2);
}

/** Last words that ask for a name; `vrf` and `profile` are themselves what is named. */
const NAMING =
  /^(name|names|label|labels|alias|title|headline|header|summary|section|instance|accname|profilename|scope|parent|menu|\w*name)$/;

const GENERAL = new Set([
  'display',
  'full',
  'short',
  'new',
  'old',
  'own',
  'name',
  'current',
  'proposed',
  'worst',
  'object',
]);

/** `branch-syslog-server`: how engineers name what they configure. */
export const objectName: Draw = (field) => {
  const subject = subjectOf(field);
  if (isPerson(subject)) return fullName(field);
  const names = namesOf(subject);
  return names === undefined ? [field.dice.pick(PLACES), ...subject].join('-') : field.dice.pick(names);
};

/** What is titled by what happened. */
const TOLD = /^(event|notice|advisory|case|alert|alarm|insight|issue|problem|finding|incident|announcement|anomaly)$/;

export const sentenceName: Draw = (field) => {
  const subject = subjectOf(field);
  if (isPerson(subject)) return fullName(field);
  const names = namesOf(subject);
  if (names !== undefined) return field.dice.pick(names);
  return TOLD.test(subject.at(-1) ?? '') ? messageFor(field) : `${cityOf(field).city} ${subject.join(' ')}`;
};

export const deviceName: Draw = (field) =>
  ofClient(field) ? field.dice.pick(namesOf(['client']) as string[]) : networkDevice(field);

const networkDevice: Draw = (field) => {
  const { dice, words, row } = field;
  return row[1] === 'fabric'
    ? `${dice.pick(['leaf', 'leaf', 'spine', 'border'])}-${dice.int(1, 4)}`
    : `${siteOf(field).key}-${familyOf([...words, ...kindOf(String(row[2] ?? ''))]) ?? dice.pick(['ap', 'sw', 'gw'])}-${String(dice.int(1, 6)).padStart(2, '0')}`;
};

/** What the kind of device is called in the names of devices. */
export function familyOf(words: readonly string[]): string | undefined {
  if (words.some((word) => /^(gateway|gw|edge|controller|appliance|hub)$/.test(word))) return 'gw';
  if (words.some((word) => /^(switch|sw|stack)$/.test(word))) return 'sw';
  return words.some((word) => /^(ap|aps|apname|bssid|radio|roaming|wlan|mesh)$/.test(word)) ? 'ap' : undefined;
}

/** How serial numbers begin, by the kind of device. */
export const SERIALS: Readonly<Record<string, string>> = { ap: 'PH', sw: 'SG', gw: 'CN' };

/** Whether a host name is that of a computer and not of what carries its traffic. */
const ofClient = ({ words, row }: TextField) =>
  /^(host name|hostname|host|device name|device)$/.test(words.join(' ')) &&
  CLIENT.test(kindOf(String(row[2] ?? '')).join(' '));

const CLIENT = /client|endpoint|station|user|lease|binding|onboarded|enrolled|guest|visitor|session|posture/;

export const pem: Draw = (field) =>
  /public ?key|body key/.test(field.words.join(' '))
    ? armoured('PUBLIC KEY', 2, field)
    : armoured('CERTIFICATE', 11, field);

/** Lines of 64 characters between the marks of RFC 7468. */
export function armoured(label: string, lines: number, { dice }: TextField): string {
  const body = Array.from({ length: lines }, (_, at) => (at === 0 ? `MIIC${dice.base64(60)}` : dice.base64(64)));
  return `-----BEGIN ${label}-----\n${body.join('\n')}\n-----END ${label}-----`;
}

const subjectName: Draw = (field) => `CN=${field.dice.pick(SERVICE_HOSTS)}.harbour.example,O=Harbour Campus,C=IE`;

/** Most rows of a list have one release, some are behind it. */
export const releaseOf = ({ row, dice }: TextField): string =>
  dice.chance(0.75) ? new Dice(...row.slice(0, 3), 'release').pick(RELEASES) : dice.pick(RELEASES);

/** Two to four numbers, because platforms differ in how many of them they write. */
export const version: Draw = (field) => {
  if (field.words.includes('os')) return OS_VERSIONS[osOf(field)] as string;
  const release = releaseOf(field);
  return field.dice.chance(0.6) ? release : release.split('.').slice(0, field.dice.int(2, 3)).join('.');
};

/** An address of the family that the holder of the field is about. */
export const addressFor: Draw = (field) =>
  isVersion6([...field.words, ...field.holder])
    ? `2001:db8:${field.dice.pick([10, 20, 30])}:${field.dice.pick([10, 20, 30])}::${field.dice.hex(2)}`
    : hostAddress(field, field.dice);

export const address: Draw = (field) =>
  /(^|-)(sites?|locations?|tenants?|contacts?|company|companies|workspaces?|venues?)($|-)/.test(String(field.row[2])) &&
  field.words.join(' ') === 'address'
    ? field.dice.pick(STREETS)
    : addressFor(field);

export const encoded: Draw = ({ dice }) => Buffer.from(dice.base32(18)).toString('base64');

export const identifier: Draw = ({ dice }) => dice.hex(12);

export const phone: Draw = ({ dice }) => `+353 1 555 0${dice.int(100, 199)}`;

export const path: Draw = (field) => {
  const kind = kindOf(String(field.row[2] ?? '')).join(' ');
  if (/config|node|commit|hierarchy/.test(kind)) return field.dice.pick(CONFIG_PATHS);
  if (/storage|backup|archive|file/.test(kind)) return `/backup/${field.dice.pick(['network', 'switches', 'weekly'])}`;
  if (/group|folder|location|floor/.test(kind))
    return `/${field.dice.pick(['Harbour House', 'North Depot', 'Mill Clinic'])}/${field.dice.pick(ROOMS)}`;
  return `/${field.dice.pick(['sites', 'devices', 'policies', 'networks'])}/${field.dice.hex(6)}`;
};

export const expression: Draw = ({ dice, row }) =>
  /dashboard|widget|report/.test(String(row[2]))
    ? dice.pick(['top 10 sites by clients', 'count of failed logins by day', 'mean airtime by floor'])
    : row[1] === 'fabric'
      ? dice.pick(["role in ['leaf']", "role in ['spine', 'leaf']", "hostname in ['leaf-1', 'leaf-2']"])
      : dice.pick(["status eq 'ONLINE'", "site eq 'Harbour House'", "severity eq 'MAJOR'", "model eq 'AX-720'"]);

export const distinguished: Draw = ({ dice }) =>
  `ou=${dice.pick(['staff', 'services', 'groups'])},dc=harbour,dc=example`;

export const vlanName: Draw = ({ dice }) => dice.pick(VLAN_NAMES);

/** Key and value of a tag: the value depends on the key of the same row. */
const TAGS = [
  ['owner', 'network-ops', 'facilities-it', 'clinic-it'],
  ['cost-centre', '4410', '4420', '4475'],
  ['environment', 'production', 'lab', 'staging'],
  ['floor', 'ground', 'first', 'second'],
  ['criticality', 'high', 'normal', 'low'],
] as const;

const tagOf = ({ row }: TextField) => TAGS[new Dice(...row, 'tag').int(0, TAGS.length - 1)] as (typeof TAGS)[number];

const isTag = ({ row, holder }: TextField) => /tag|label/.test(holder.at(-1) ?? String(row[2] ?? ''));

/** What rules look at, and values of it. */
const ATTRIBUTES = [
  ['department', 'Radiology', 'Facilities', 'Teaching'],
  ['role', 'employee', 'contractor', 'guest'],
  ['vlan', '20', '30', '110'],
  ['site', 'Harbour House', 'North Depot', 'Mill Clinic'],
  ['device-category', 'Printer', 'Smartphone', 'Infusion Pump'],
  ['status', 'enabled', 'disabled', 'known'],
] as const;

/** What RADIUS carries, for rows that are about it. */
const RADIUS_ATTRIBUTES = [
  ['Tunnel-Private-Group-Id', '20', '30', '40'],
  ['Filter-Id', 'employee', 'guest', 'voice'],
  ['Session-Timeout', '3600', '28800', '43200'],
  ['User-Role', 'employee', 'contractor', 'nurse'],
  ['NAS-Identifier', 'hq-ap-02', 'depot-ap-03', 'clinic-gw-01'],
] as const;

/** What directories say of people. */
const PERSON_ATTRIBUTES = [
  ['department', 'Radiology', 'Facilities', 'Teaching'],
  ['title', 'Nurse', 'Lecturer', 'Technician'],
  ['userName', 'a.walsh', 'k.ivanov'],
  ['memberOf', 'staff', 'contractors'],
  ['active', 'true', 'false'],
] as const;

const attributeOf = ({ row }: TextField): readonly [string, ...string[]] => {
  if (/scim|directory|identity|user|person/.test(String(row[2])))
    return new Dice(...row, 'attribute').pick<readonly [string, ...string[]]>(PERSON_ATTRIBUTES);
  const isRadius = /radius|rad[-_]|coa|accounting|nas[-_]|aaa|enforcement/.test(String(row[2]));
  return new Dice(...row, 'attribute').pick<readonly [string, ...string[]]>(isRadius ? RADIUS_ATTRIBUTES : ATTRIBUTES);
};

export const attribute: Draw = (field) => attributeOf(field)[0];

export const keyText: Draw = (field) =>
  isTag(field) ? tagOf(field)[0] : field.holder.length > 0 ? attribute(field) : identifier(field);

export const valueText: Draw = (field) =>
  /anomaly/.test(String(field.row[2]))
    ? field.dice.pick(['up', 'down', 'established', 'idle'])
    : field.dice.pick((isTag(field) ? tagOf(field) : attributeOf(field)).slice(1));

export const duration: Draw = ({ dice }) => dice.pick(['5m', '15m', '1h', '1d']);

export const rowKind = ({ row }: TextField): string => kindOf(String(row[2] ?? '')).join(' ');

const ARTICLES = [
  'Check the minimum data rate first, then the overlap of the cells. A client roams late where both are low.',
  'Download the log, search for the first line with an error, and compare its code with the table below.',
  'Connect the new member, wait until it has the release of the stack, and renumber it before it takes traffic.',
] as const;

/** What a message, an article or a ticket says; else lines of a configuration. */
export const bodyFor: Draw = (field) => {
  const kind = rowKind(field);
  if (/receipt|guest|invite|sms|mail|message/.test(kind))
    return 'Your guest account is ready. Choose the guest network and sign in with the code in this message.';
  if (/ticket|case|comment|support/.test(kind)) return field.dice.pick(FAULTS);
  if (/article|knowledge|announcement|notice/.test(kind)) return field.dice.pick(ARTICLES);
  return `hostname %hostname%\nntp server ntp.harbour.example\nvlan ${field.dice.pick(VLANS)}`;
};

/** What a mail or a ticket is about, or whom a certificate names. */
export const subjectFor: Draw = (field) => {
  const kind = rowKind(field);
  if (/ticket|case|support|rma/.test(kind)) return field.dice.pick(FAULTS);
  if (/receipt|guest|invite|sms|mail|message|notification/.test(kind)) return 'Your guest access to Harbour Campus';
  return subjectName(field);
};

/** Files of a kind of their own. */
const FILES: readonly (readonly [kind: RegExp, names: readonly string[]])[] = [
  [/image|logo|picture|photo|icon|map|plan/, ['portal-logo.png', 'welcome.png', 'floor-1.png', 'entrance.png']],
  [/package|agent|installer/, ['agent-4.2.11.tar.gz', 'agent-4.3.1.tar.gz']],
  [/firmware|software|os image|upgrade/, ['AX_10.7.1.1.swi', 'AX_10.8.0.0.swi']],
  [/certificate|crl|trust|key/, ['issuing-ca-1.pem', 'device-ca.pem']],
  [/capture|pcap/, ['capture-hq-ap-04.pcap', 'capture-depot-sw-01.pcap']],
  [/script/, ['port-audit.py', 'clear-stale.sh']],
];

export const fileByKind = (field: TextField): string | undefined => {
  const [, names] = FILES.find(([test]) => test.test(rowKind(field))) ?? [];
  return names === undefined ? undefined : field.dice.pick(names);
};

/** Models and products of platforms that sell others than the campus has. */
export const PRODUCTS_OF: Readonly<Record<string, readonly string[]>> = {
  fabric: ['FX-48', 'FX-56', 'FX-32C'],
  sse: ['Web security', 'Private access', 'Data protection'],
};

/** A mail address of the person whom the row is about. */
export const mailFor: Draw = (field) => mailOf(personOf(field));
