/**
 * Text for fields that say by their name what they hold. A value depends on the row it stands in, so the parts of one row agree: a person's names,
 * login and mail address, or city, country and time zone.
 */
import { expressionOf } from '../openapi/pattern.ts';
import { Dice } from '../state/determinism.ts';
import { hostAddress, SITES_OF_PLAN, siteOf, VLAN_NAMES, VLANS } from './address-plan.ts';
import { atLongestEnding, endingTable, singularOf } from './field-words.ts';
import { hostFor as host, isVersion6, networkFor as network } from './hosts.ts';
import { isMachine, isPerson, kindOf, namesOf } from './kind-names.ts';
import { cityOf, countyOf, loginOf, mailOf, personOf, systemOf } from './person.ts';
import { aboutFor, detailFor, messageFor } from './row-text.ts';
import type { TextField } from './text-field.ts';
import {
  ADVICE,
  APPLICATIONS,
  CARRIERS,
  COMPANIES,
  CONFIG_LINES,
  CONFIG_PATHS,
  DEPARTMENTS,
  DEVICE_KINDS,
  FAULTS,
  INTERFACES,
  MEANINGS,
  MODELS,
  NOTES,
  OPERATING_SYSTEMS,
  OS_VERSIONS,
  PART_NUMBERS,
  PLACES,
  REASONS,
  RELEASES,
  ROOMS,
  SERVICE_HOSTS,
  SSIDS,
  STREETS,
  TEAMS,
  TEXT_KEYS,
  VENDORS,
} from './word-pools.ts';

type Draw = (field: TextField) => string;

const osOf = (field: TextField) => systemOf(field, OPERATING_SYSTEMS.length);
const fullName: Draw = (field) => Object.values(personOf(field)).join(' ');
const userName: Draw = (field) => {
  const kind = kindOf(String(field.row[2] ?? ''));
  const isLogin = /^(user ?name|login|account|user|bind user)$/.test(field.words.join(' '));
  return isLogin && isMachine(kind)
    ? `svc-${kind.find((word) => !/^(config|profile|server|setting|external|org|site)$/.test(word)) ?? 'network'}`
    : loginOf(personOf(field));
};
const pick =
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
const objectName: Draw = (field) => {
  const subject = subjectOf(field);
  if (isPerson(subject)) return fullName(field);
  const names = namesOf(subject);
  return names === undefined ? [field.dice.pick(PLACES), ...subject].join('-') : field.dice.pick(names);
};
/** What is titled by what happened. */
const TOLD = /^(event|notice|advisory|case|alert|alarm|insight|issue|problem|finding|incident|announcement|anomaly)$/;
const sentenceName: Draw = (field) => {
  const subject = subjectOf(field);
  if (isPerson(subject)) return fullName(field);
  const names = namesOf(subject);
  if (names !== undefined) return field.dice.pick(names);
  return TOLD.test(subject.at(-1) ?? '') ? messageFor(field) : `${cityOf(field).city} ${subject.join(' ')}`;
};
const deviceName: Draw = (field) =>
  ofClient(field) ? field.dice.pick(namesOf(['client']) as string[]) : networkDevice(field);
const networkDevice: Draw = (field) => {
  const { dice, words, row } = field;
  return row[1] === 'fabric'
    ? `${dice.pick(['leaf', 'leaf', 'spine', 'border'])}-${dice.int(1, 4)}`
    : `${siteOf(field).key}-${familyOf([...words, ...kindOf(String(row[2] ?? ''))]) ?? dice.pick(['ap', 'sw', 'gw'])}-${String(dice.int(1, 6)).padStart(2, '0')}`;
};
/** What the kind of device is called in the names of devices. */
function familyOf(words: readonly string[]): string | undefined {
  if (words.some((word) => /^(gateway|gw|edge|controller|appliance|hub)$/.test(word))) return 'gw';
  if (words.some((word) => /^(switch|sw|stack)$/.test(word))) return 'sw';
  return words.some((word) => /^(ap|aps|apname|bssid|radio|roaming|wlan|mesh)$/.test(word)) ? 'ap' : undefined;
}
/** How serial numbers begin, by the kind of device. */
const SERIALS: Readonly<Record<string, string>> = { ap: 'PH', sw: 'SG', gw: 'CN' };
/** Whether a host name is that of a computer and not of what carries its traffic. */
const ofClient = ({ words, row }: TextField) =>
  /^(host name|hostname|host|device name|device)$/.test(words.join(' ')) &&
  CLIENT.test(kindOf(String(row[2] ?? '')).join(' '));
const CLIENT = /client|endpoint|station|user|lease|binding|onboarded|enrolled|guest|visitor|session|posture/;
const pem: Draw = (field) =>
  /public ?key|body key/.test(field.words.join(' '))
    ? armoured('PUBLIC KEY', 2, field)
    : armoured('CERTIFICATE', 11, field);
/** Lines of 64 characters between the marks of RFC 7468. */
function armoured(label: string, lines: number, { dice }: TextField): string {
  const body = Array.from({ length: lines }, (_, at) => (at === 0 ? `MIIC${dice.base32(60)}` : dice.base32(64)));
  return `-----BEGIN ${label}-----\n${body.join('\n')}\n-----END ${label}-----`;
}
const subjectName: Draw = (field) => `CN=${field.dice.pick(SERVICE_HOSTS)}.harbour.example,O=Harbour Campus,C=IE`;
/** Most rows of a list have one release, some are behind it. */
const releaseOf = ({ row, dice }: TextField): string =>
  dice.chance(0.75) ? new Dice(...row.slice(0, 3), 'release').pick(RELEASES) : dice.pick(RELEASES);
/** Two to four numbers, because platforms differ in how many of them they write. */
const version: Draw = (field) => {
  if (field.words.includes('os')) return OS_VERSIONS[osOf(field)] as string;
  const release = releaseOf(field);
  return field.dice.chance(0.6) ? release : release.split('.').slice(0, field.dice.int(2, 3)).join('.');
};
/** An address of the family that the holder of the field is about. */
export const addressFor: Draw = (field) =>
  isVersion6([...field.words, ...field.holder])
    ? `2001:db8:${field.dice.pick([10, 20, 30])}:${field.dice.pick([10, 20, 30])}::${field.dice.hex(2)}`
    : hostAddress(field, field.dice);
const address: Draw = (field) =>
  /(^|-)(sites?|locations?|tenants?|contacts?|company|companies|workspaces?|venues?)($|-)/.test(String(field.row[2])) &&
  field.words.join(' ') === 'address'
    ? field.dice.pick(STREETS)
    : addressFor(field);
const encoded: Draw = ({ dice }) => Buffer.from(dice.base32(18)).toString('base64');
const identifier: Draw = ({ dice }) => dice.hex(12);
const phone: Draw = ({ dice }) => `+353 1 555 0${dice.int(100, 199)}`;
const path: Draw = (field) => {
  const kind = kindOf(String(field.row[2] ?? '')).join(' ');
  if (/config|node|commit|hierarchy/.test(kind)) return field.dice.pick(CONFIG_PATHS);
  if (/storage|backup|archive|file/.test(kind)) return `/backup/${field.dice.pick(['network', 'switches', 'weekly'])}`;
  if (/group|folder|location|floor/.test(kind))
    return `/${field.dice.pick(['Harbour House', 'North Depot', 'Mill Clinic'])}/${field.dice.pick(ROOMS)}`;
  return `/${field.dice.pick(['sites', 'devices', 'policies', 'networks'])}/${field.dice.hex(6)}`;
};
const expression: Draw = ({ dice, row }) =>
  /dashboard|widget|report/.test(String(row[2]))
    ? dice.pick(['top 10 sites by clients', 'count of failed logins by day', 'mean airtime by floor'])
    : row[1] === 'fabric'
      ? dice.pick(["role in ['leaf']", "role in ['spine', 'leaf']", "hostname in ['leaf-1', 'leaf-2']"])
      : dice.pick(["status eq 'ONLINE'", "site eq 'Harbour House'", "severity eq 'MAJOR'", "model eq 'AX-720'"]);
const distinguished: Draw = ({ dice }) => `ou=${dice.pick(['staff', 'services', 'groups'])},dc=harbour,dc=example`;
const vlanName: Draw = ({ dice }) => dice.pick(VLAN_NAMES);
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
const attribute: Draw = (field) => attributeOf(field)[0];
const keyText: Draw = (field) =>
  isTag(field) ? tagOf(field)[0] : field.holder.length > 0 ? attribute(field) : identifier(field);
const valueText: Draw = (field) =>
  /anomaly/.test(String(field.row[2]))
    ? field.dice.pick(['up', 'down', 'established', 'idle'])
    : field.dice.pick((isTag(field) ? tagOf(field) : attributeOf(field)).slice(1));
const duration: Draw = ({ dice }) => dice.pick(['5m', '15m', '1h', '1d']);

const rowKind = ({ row }: TextField): string => kindOf(String(row[2] ?? '')).join(' ');
const ARTICLES = [
  'Check the minimum data rate first, then the overlap of the cells. A client roams late where both are low.',
  'Download the log, search for the first line with an error, and compare its code with the table below.',
  'Connect the new member, wait until it has the release of the stack, and renumber it before it takes traffic.',
] as const;
/** What a message, an article or a ticket says; else lines of a configuration. */
const bodyFor: Draw = (field) => {
  const kind = rowKind(field);
  if (/receipt|guest|invite|sms|mail|message/.test(kind))
    return 'Your guest account is ready. Choose the guest network and sign in with the code in this message.';
  if (/ticket|case|comment|support/.test(kind)) return field.dice.pick(FAULTS);
  if (/article|knowledge|announcement|notice/.test(kind)) return field.dice.pick(ARTICLES);
  return `hostname %hostname%\nntp server ntp.harbour.example\nvlan ${field.dice.pick(VLANS)}`;
};
/** What a mail or a ticket is about, or whom a certificate names. */
const subjectFor: Draw = (field) => {
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
const fileByKind = (field: TextField): string | undefined => {
  const [, names] = FILES.find(([test]) => test.test(rowKind(field))) ?? [];
  return names === undefined ? undefined : field.dice.pick(names);
};
/** Models and products of platforms that sell others than the campus has. */
const PRODUCTS_OF: Readonly<Record<string, readonly string[]>> = {
  fabric: ['FX-48', 'FX-56', 'FX-32C'],
  sse: ['Web security', 'Private access', 'Data protection'],
};

/** Longest endings first: `os version` is asked for before `version`. */
const ENDINGS: readonly (readonly [endings: string, draw: Draw])[] = [
  ['first name,given name,firstname,forename', (field) => personOf(field).given],
  ['last name,family name,surname,lastname', (field) => personOf(field).family],
  ['full name,visitor name,sponsor name,admin name,contact,person,technician,caller', fullName],
  [
    'user name,username,typed name,login,user,owner,author,account,by,actor,admin,identity,requester,sponsor,operator,member,watcher,follower,assignee,holder',
    userName,
  ],
  ['display name,displayname,title,headline,header,summary', sentenceName],
  ['auth server name,auth server,radius server,radius server name', ({ dice }) => dice.pick(['radius-1', 'radius-2'])],
  [
    'server name,server',
    (field) =>
      /auth|radius|server group|aaa/.test(rowKind(field))
        ? field.dice.pick(['radius-1', 'radius-2'])
        : field.dice.pick(['radius-1', 'radius-2', 'ntp-1', 'dns-1', 'syslog-1', 'dhcp-1']),
  ],
  ['process,process name', ({ dice }) => dice.pick(['authd', 'stationd', 'httpd', 'snmpd', 'dhcpd', 'routed'])],
  [
    'event name,event type,trap',
    ({ dice }) => dice.pick(['ap-down', 'port-flap', 'client-auth-failed', 'config-changed', 'tunnel-down']),
  ],
  ['person name,customer name,guest name,client name', fullName],
  ['maker name,vendor,vendor name', pick(VENDORS)],
  [
    'host name,hostname,system name,device name,devicename,ap name,apname,switch name,peer name,gw name,device,system label,attached name,ap,peer,neighbour,neighbor,from,to,learned on,local,remote,hub,from node,to node,far name,remote name,announced name,isolated name,neighbor name,neighbour name,peer system,nas name',
    deviceName,
  ],
  ['location text,site name,sitename,site,location,venue,building,place,scope name', (field) => siteOf(field).name],
  ['ospf area,area id', ({ dice }) => dice.pick(['0.0.0.0', '0.0.0.1', '0.0.0.10'])],
  [
    'room,where,position,floor name,floor,zone,zone name,area,pod',
    (field) =>
      /ospf|routing/.test(String(field.row[2]))
        ? '0.0.0.0'
        : /flow|policy|firewall|security|segment|session/.test(String(field.row[2])) && field.words.includes('zone')
          ? field.dice.pick(['trusted', 'guest', 'servers', 'untrusted'])
          : field.dice.pick(ROOMS),
  ],
  ['street,street address,postal address,address line', pick(STREETS)],
  ['city,town,locality', (field) => cityOf(field).city],
  ['country,country name', (field) => cityOf(field).country],
  ['region,county,province,state', countyOf],
  ['links to disable,links to monitor,excluded uplinks,trusted ports,leaf port', pick(INTERFACES.slice(0, -2))],
  ['model family', ({ dice }) => dice.pick(['SX-800', 'SX-500', 'SX-300'])],
  ['lag', ({ dice }) => dice.pick(['lag10', 'lag20'])],
  ['link 1', () => '1/1/49'],
  ['link 2', () => '1/1/50'],
  [
    'communities,export targets,import targets,export route targets,import route targets,route targets',
    ({ dice }) => `65010:${dice.int(1, 40) * 10}`,
  ],
  ['roaming oi,consortium ids', ({ dice }) => dice.pick(['506f9a', '5a03ba', '506F9A', '5A03BA'])],
  ['schema', () => 'urn:ietf:params:scim:schemas:core:2.0:User'],
  ['dialect', () => 'https://json-schema.org/draft/2020-12/schema'],
  ['cohort', ({ dice }) => dice.pick(['Health care, ten to fifty sites', 'Education, below ten sites'])],
  ['engineer,fullname', fullName],
  ['question', ({ dice }) => dice.pick(['Which site?', 'Which device shall restart?', 'Until when?'])],
  ['replaces', ({ dice }) => dice.pick(['web-browsing', 'streaming-video', 'file-sharing'])],
  [
    'privileges,granted,implied,sensitive',
    ({ dice }) => dice.pick(['devices.read', 'devices.write', 'policies.read', 'users.delete']),
  ],
  ['required,mandatory', ({ dice }) => dice.pick(['siteId', 'from', 'to', 'format'])],
  ['basic constraints', () => 'CA:TRUE, pathlen:0'],
  ['key usage', ({ dice }) => dice.pick(['digitalSignature', 'keyCertSign', 'cRLSign', 'keyEncipherment'])],
  ['rule protocol', ({ dice }) => dice.pick(['tcp', 'udp', 'icmp'])],
  ['missing parts', ({ dice }) => dice.pick(['acl', 'vlan', 'captive-portal'])],
  ['tcp fingerprint', () => '65535:64:1:52:M1460,N,W8,N,N,S'],
  [
    'dhcp options,dhcp fingerprint',
    ({ dice }) => dice.pick(['1,3,6,15,31,33,43', '1,121,3,6,15,114,119', '1,3,6,12,15,28']),
  ],
  [
    'resp attrs',
    ({ dice }) => dice.pick(['Tunnel-Private-Group-Id=20', 'Filter-Id=employee', 'Session-Timeout=28800']),
  ],
  ['component', ({ dice }) => dice.pick(['tunnel-service', 'updater', 'collector'])],
  ['dhcp vendor class identifier,vendor class', ({ dice }) => dice.pick(['MSFT 5.0', 'android-dhcp-15', 'udhcp 1.36'])],
  ['masked', ({ dice }) => `…${dice.hex(4)}`],
  [
    'observed',
    ({ dice }) => dice.pick(['DHCP options of a laptop', 'hardware address of a printer', 'user agent of a phone']),
  ],
  ['adapter', ({ dice }) => dice.pick(['Wi-Fi 6E AX211', 'Wi-Fi 7 BE200'])],
  ['driver', ({ dice }) => dice.pick(['23.40.0.4', '23.110.0.5'])],
  ['systems', pick(OPERATING_SYSTEMS)],
  ['native', ({ dice }) => dice.pick(['English', 'Gaeilge', 'Deutsch'])],
  ['slot', ({ dice }) => dice.pick(['1/1', '1/2', '1/5'])],
  ['counters', ({ dice }) => dice.pick(['in-errors', 'crc-errors', 'out-drops'])],
  ['debug modules', ({ dice }) => dice.pick(['dot1x', 'dhcp', 'stp', 'roaming'])],
  ['view', ({ dice }) => dice.pick(['all', 'interfaces', 'system'])],
  ['datacentres', () => 'dc1'],
  ['concentrator', () => 'bras-dub-1'],
  ['asset tag', ({ dice }) => `HC-${dice.int(20_100, 29_900)}`],
  ['timezone name,zonename', (field) => cityOf(field).zone],
  ['latitude', () => '53.3478'],
  ['longitude', () => '-6.2397'],
  ['zipcode', () => 'D01 AB12'],
  ['measure,measures', ({ dice }) => dice.pick(['retry rate', 'dhcp time', 'failed logins', 'bytes'])],
  [
    'explains',
    ({ dice }) =>
      dice.pick(['State of every port', 'Neighbours and the ports they are on', 'Release and time since the start']),
  ],
  ['excluded i ps,included i ps', (field) => (field.dice.chance(0.5) ? network(field) : address(field))],
  ['queue', ({ dice }) => dice.pick(['Network operations', 'Field service', 'Service desk'])],
  ['orderby', ({ dice }) => dice.pick(['value', 'label', 'updated_at'])],
  [
    'inputs',
    ({ dice, row }) =>
      dice.pick(
        row[1] === 'fabric' ? ['interface counters', 'BGP sessions', 'MAC table'] : ['bytes', 'seconds', 'failures'],
      ),
  ],
  ['formula', () => 'sum(bytes) * 8 / sum(seconds)'],
  ['primary time', () => 'time'],
  ['asic', ({ dice }) => dice.pick(['FX-48', 'FX-56'])],
  ['reserved for', ({ dice }) => dice.pick(['second data centre', 'spare parts', 'lab'])],
  ['keywords', ({ dice }) => dice.pick(['torrent', 'casino', 'webmail'])],
  ['blocklisted', ({ dice }) => dice.pick(['mail-reputation', 'scanner-list'])],
  ['match authstring', () => 'campus'],
  ['match fqdn', () => 'harbour.example'],
  ['subcat', ({ dice }) => dice.pick(['dot1x', 'dhcp', 'all'])],
  ['trunk', () => '20,30,40'],
  ['tracking object', ({ dice }) => dice.pick(INTERFACES.slice(0, 6))],
  ['hardware revision', ({ dice }) => dice.pick(['A1', 'B2', 'R03'])],
  ['outcome', ({ dice }) => dice.pick(['employee', 'guest', 'voice'])],
  ['only', () => 'tcp and not host 10.10.10.51'],
  ['description prefix', ({ dice }) => dice.pick(['access port', 'desk port', 'uplink', 'ward port'])],
  ['saml assertion', () => '<saml:Assertion ID="_a75adf55" Version="2.0">…</saml:Assertion>'],
  ['document', () => '<EntityDescriptor entityID="https://login.harbour.example/saml">…</EntityDescriptor>'],
  ['name format', () => '{site}-ap-{number}'],
  ['style sheet', () => '.button { border-radius: 4px; }'],
  ['allow addrs', ({ dice }) => dice.pick(['10.10.10.20-10.10.10.60', '10.20.10.20-10.20.10.40'])],
  ['exceptions', ({ dice }) => dice.pick(['*.harbour.example', 'meetings.example.net'])],
  ['status,detailed status', pick(REASONS)],
  ['postal code,postal,zip', (field) => (cityOf(field).code === 'IE' ? 'A92 X4P7' : 'BT35 6PH')],
  ['country code', (field) => cityOf(field).code],
  ['time zone,timezone', (field) => cityOf(field).zone],
  ['ssid,essid,wlan,wlan name,network name,wlans,ssids', pick(SSIDS)],
  [
    'vlan name,vlan,segment,role,role name,roles,group,group name,groups,tag,tags,labels,user group,tenant,radius group',
    vlanName,
  ],
  ['department,organisational unit', pick(DEPARTMENTS)],
  ['company,organisation,organization,org,customer,seller,reseller,partner,supplier', pick(COMPANIES)],
  ['team,audience,approver', pick(TEAMS)],
  ['manufacturer,manufacture,mfg,maker,publisher', pick(VENDORS)],
  ['carrier,provider,isp,provider name,carrier name,operator name', pick(CARRIERS)],
  [
    'model,product,hardware,platform,hw model',
    ({ row }) => new Dice(...row, 'model').pick<string>(PRODUCTS_OF[String(row[1])] ?? MODELS),
  ],
  ['part number,partnumber,sku,replacement', pick(PART_NUMBERS)],
  ['os,operating system,os name', (field) => OPERATING_SYSTEMS[osOf(field)] as string],
  ['os version,version,firmware,firmware version,software,release,build,target version,installed,distro', version],
  [
    'family,device type,device family,device category',
    ({ row }) => new Dice(...row, 'kind of device').pick(DEVICE_KINDS),
  ],
  [
    'object type,type,kind,class,category,profile type,resource',
    (field) =>
      /app(lication)?s?$/.test(String(field.row[2])) && field.words.includes('category')
        ? field.dice.pick(['Collaboration', 'Business', 'Streaming'])
        : /device|endpoint|fingerprint|profil/.test(String(field.row[2]))
          ? new Dice(...field.row, 'kind of device').pick(DEVICE_KINDS)
          : field.dice.pick(['site', 'device', 'network', 'policy', 'user', 'role']),
  ],
  ['application,applications,app,service,service name,app name', pick(APPLICATIONS)],
  ['interface,interfaces,source interface,sourceinterface,uplink,downlink', pick(INTERFACES)],
  ['port,port id,ports,port name,member ports,portid,link,links', pick(INTERFACES.slice(0, -2))],
  [
    'reason,fail reason,failreason,cause,last error,error,problem,problems,fault,finding,diagnosis,reason text,status text,error text,failure,first failure',
    (field) =>
      field.dice.pick(
        /suppression|capture|pcap|window|elevation|exception|approval/.test(String(field.row[2])) ? NOTES : REASONS,
      ),
  ],
  ['remedy,workaround,recommendation,suggested action,hint,advice,advice text,instructions', pick(ADVICE)],
  [
    'language display,display',
    (field) =>
      /language/.test(rowKind(field)) ? field.dice.pick(['English', 'Irish', 'German', 'French']) : messageFor(field),
  ],
  ['message,alarm text,event text,status str,statusstr,warning,warnings,text,outcome text', messageFor],
  ['detail,details,reply,provider reply,answer,because', detailFor],
  ['remediation,action,suggestion,next step', pick(ADVICE)],
  ['note,notes,remark,comment,comments,content,justification', pick(NOTES)],
  ['description,purpose,description text,descriptiontext,descr,about', aboutFor],
  ['meaning', ({ dice }) => dice.pick(MEANINGS)],
  ['var,parameter', ({ dice }) => dice.pick(['site_code', 'guest_vlan', 'dns_primary', 'uplink_speed'])],
  ['cpu', () => '8 cores at 2.4 GHz'],
  [
    'mask,mac mask',
    ({ dice }) => dice.pick(['ff:ff:ff:00:00:00', 'ff:ff:ff:ff:ff:ff', 'FF:FF:FF:00:00:00', 'FF:FF:FF:FF:FF:FF']),
  ],
  ['path,href,request', path],
  [
    'file path,folder,directory,directory path',
    ({ dice }) => `/exports/2026/${dice.pick(['inventory', 'audit', 'clients'])}`,
  ],
  [
    'file name,filename,file,report name',
    (field) =>
      fileByKind(field) ??
      (/configlet/.test(String(field.row[2]))
        ? 'snmpd.conf'
        : /backup|snapshot/.test(String(field.row[2]))
          ? `backup-2026-0${field.dice.int(1, 2)}-${field.dice.int(10, 28)}.tar.gz`
          : `${field.dice.pick(['inventory', 'audit', 'clients', 'roster', 'invoices', 'floor-plan'])}-2026-0${field.dice.int(1, 2)}.${field.dice.pick(['csv', 'csv', 'pdf'])}`),
  ],
  ['subject,certificate subject,dn', subjectFor],
  ['common name,cert cn,subject cn', ({ dice }) => `${dice.pick(SERVICE_HOSTS)}.harbour.example`],
  ['subject c', () => 'IE'],
  ['subject o', () => 'Harbour Campus'],
  ['subject format', () => 'CN={username},O=Harbour Campus'],
  ['issuer,issued by', () => 'CN=Harbour Campus Issuing CA 1,O=Harbour Campus,C=IE'],
  ['base dn,bind dn,admin dn,basedn,binddn,admindn', distinguished],
  ['section condition', () => "role in ['leaf']"],
  ['filter,query,condition,expression,group filter,filter text', expression],
  [
    'match',
    ({ dice }) => dice.pick(['tcp any any eq 443', 'udp any any eq 53', 'any 10.10.0.0/16', 'tcp any 10.10.20.0/24']),
  ],
  ['certificate,pem,chain,idp cert,public key,cert,body key', pem],
  ['phone,phone number,mobile,telephone', phone],
  [
    'serial,serial number,serialnumber',
    ({ dice, words, row }) =>
      `${SERIALS[familyOf([...words, ...kindOf(String(row[2] ?? ''))]) ?? 'ap']}${dice.base32(8)}`,
  ],
  ['number,order number', ({ dice }) => `ORD-${dice.int(10_000, 99_999)}`],
  ['po number,po', ({ dice }) => `PO-${dice.int(10_000, 99_999)}`],
  ['case number,ticket number,ticket', ({ dice }) => `INC-${dice.int(10_000, 99_999)}`],
  ['auth method,authentication method', ({ dice }) => dice.pick(['EAP-TLS', 'PEAP', 'MAC-auth'])],
  ['bypass,no proxy', ({ dice }) => dice.pick(['*.harbour.example', '10.0.0.0/8', 'localhost'])],
  ['sender,sender name', () => 'Campus Wi-Fi'],
  ['mac,bssid,hardware address', ({ dice }) => dice.mac()],
  ['code,error code,errorcode,claim code', ({ dice }) => `E${dice.int(1001, 1099)}`],
  ['units,unit', ({ dice }) => dice.pick(['%', '%', 'ms'])],
  ['tier,license,licence,feature,features,includes', ({ dice }) => dice.pick(['foundation', 'advanced'])],
  ['regex,pattern', ({ dice }) => dice.pick(['^CN=.*\\.harbour\\.example$', '^hq-', '^(hq|depot)-ap-'])],
  ['html,page,login page', () => '<h1>Guest access</h1><p>Sign in with the code that you received.</p>'],
  ['button text,submit label', () => 'Sign in with campus account'],
  ['missing texts,missing variables,placeholders,unknown placeholders,text key', pick(TEXT_KEYS)],
  [
    'line,lines,missing lines,extra lines,template text,negation template text,rendered,diff,cmd,cmds,config cmds,before,after,intended',
    pick(CONFIG_LINES),
  ],
  ['config path,node,node path', pick(CONFIG_PATHS)],
  ['signing request,csr', (field) => armoured('CERTIFICATE REQUEST', 8, field)],
  ['auth source,directory', ({ dice }) => dice.pick(['campus-directory', 'guest-accounts', 'device-registry'])],
  ['forbidden word,forbidden words', ({ dice }) => dice.pick(['password', 'campus', 'harbour'])],
  [
    'ip,address,ip address,source,destination,src,dst,gateway,next hop,target,endpoint,host,ip_address,dest,lost at,hop',
    address,
  ],
  ['subnet,network,prefix,networks,prefixes,route,routes', network],
  [
    'domain,domains,email domain',
    ({ dice, row }) =>
      dice.pick(
        /dns|web|log|domain|threat|traffic|sum|url/.test(String(row[2]))
          ? [
              'meetings.example.net',
              'updates.example.com',
              'files.example.org',
              'intranet.harbour.example',
              'news.example.net',
            ]
          : ['harbour.example', 'harbour.example', 'clinic.example'],
      ),
  ],
  [
    'mapping from,claim,source attribute',
    ({ dice }) => dice.pick(['department', 'manager', 'memberOf', 'mail', 'title']),
  ],
  ['x source', () => 'campus-network'],
  ['site code', ({ dice }) => dice.pick(['HQ01', 'DEP02', 'CLI03'])],
  ['pattern text,patterns text', ({ dice }) => dice.pick(['patient number', 'account number', 'confidential'])],
  [
    'triage contents,contents',
    ({ dice }) => dice.pick(['sensor.log', 'radio-scan.csv', 'dhcp-trace.pcap', 'settings.json']),
  ],
  ['allowed tenants,tenant id', ({ dice }) => dice.pick(['harbour.example', '7c1f8f0e-campus'])],
  ['driver version', () => '23.40.0.4'],
  ['fqdn,realm,dns name,search domain,san,host pattern,proxy', host],
  [
    'id,external id,resource id,object id,client id,user id,site id,token,uid,reference,next,cursor,scope id,clientid,debug id',
    identifier,
  ],
  ['key', keyText],
  ['control', ({ dice }) => dice.pick(['Access control', 'Encryption at rest', 'Patch level', 'Log retention'])],
  ['cost centre,cost center', ({ dice }) => dice.pick(['4410', '4420', '4475'])],
  [
    'entity id',
    (field) => (field.words.length > 1 ? 'https://login.harbour.example/saml/metadata' : identifier(field)),
  ],
  ['leaf,spine,busiest leaf', deviceName],
  ['point,assigned point', pick(INTERFACES)],
  ['worst domain,hostile domain', ({ dice }) => dice.pick(['update-check.example.net', 'login-verify.example.org'])],
  ['chassis,chassis id', ({ dice }) => dice.mac()],
  ['row', ({ dice }) => dice.pick(['A1', 'B2', 'C1'])],
  ['cabinet', ({ dice }) => dice.pick(['C01', 'C02', 'C07'])],
  ['hall', ({ dice }) => dice.pick(['Hall A', 'Hall B'])],
  ['vm,virtual machine', ({ dice }) => dice.pick(['srv-app-01', 'srv-db-02', 'srv-web-03', 'srv-mail-01'])],
  ['principal', userName],
  [
    'rule',
    ({ dice }) =>
      dice.pick([
        'Time servers are set',
        'Management only over SSH',
        'No default SNMP community',
        'Guards on access ports',
      ]),
  ],
  [
    'rationale,why',
    ({ dice }) =>
      dice.pick([
        'Management in plain text can be read on the wire',
        'Logs without the right time cannot be compared',
        'A wrong cable must not close a loop',
      ]),
  ],
  ['interval,window,granularity,duration,period', duration],
  [
    'start,start time,off time,on,off,upgrade time,time of day,end,from time,until time',
    ({ dice }) => `${String(dice.int(6, 22)).padStart(2, '0')}:${dice.pick(['00', '15', '30'])}`,
  ],
  ['mon,tue,wed,thu,fri', ({ dice }) => dice.pick(['07:00-19:00', '08:00-18:00', '06:30-20:00'])],
  ['sat,sun', ({ dice }) => dice.pick(['09:00-13:00', '10:00-16:00'])],
  ['month', ({ dice }) => `2026-0${dice.int(1, 2)}`],
  [
    'cron,schedule',
    ({ dice }) => `${dice.pick(['0', '15', '30'])} ${dice.int(1, 5)} * * ${dice.pick(['*', '0', '1-5'])}`,
  ],
  ['channel pairs 40,pairs 40', ({ dice }) => dice.pick(['36-40', '44-48', '52-56', '100-104', '149-153', '157-161'])],
  ['channel groups 80,groups 80', ({ dice }) => dice.pick(['36-48', '52-64', '100-112', '149-161'])],
  ['port span,port range', ({ dice }) => dice.pick(['1-24', '25-48', '49-54', '1-8'])],
  ['colour,color,primary,background', ({ dice }) => dice.pick(['#1f4e79', '#2e7d32', '#5d4037', '#f4f6f8'])],
  ['ethertype', ({ dice }) => dice.pick(['0x0800', '0x0806', '0x86dd', '0x888e', '0x88cc'])],
  ['alpha 2,isocc,override,country override', (field) => cityOf(field).code],
  [
    'slug',
    (field) =>
      objectName(field)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-'),
  ],
  ['community,rd,origin,route target', ({ dice }) => `65010:${dice.int(1, 40) * 10}`],
  ['file content,picture,photo,content base 64,data,payload,blob,logo', encoded],
  ['template,body', bodyFor],
  [
    'config,configuration,cli,output,running config,command output,log tail',
    (field) => `hostname ${deviceName(field)}\nntp server ntp.harbour.example\nvlan ${field.dice.pick(VLANS)}`,
  ],
  ['image,image file,image name', ({ dice }) => `AX_${dice.pick(RELEASES)}.swi`],
  [
    'command,commands',
    ({ dice, row }) =>
      /install/.test(String(row))
        ? 'sudo sh install-connector.sh --key KEY'
        : dice.pick(['show version', 'show interfaces', 'show lldp neighbours', 'show clients']),
  ],
  ['user agent', () => 'Mozilla/5.0 (X11; Linux x86_64)'],
  [
    'attribute,field,column,columns,fields,metric,dimension,dimensions,setting,property,key attribute,attribute name,field name',
    attribute,
  ],
  ['header header,header name,header key', ({ dice }) => dice.pick(['Content-Type', 'Accept', 'X-Source'])],
  ['header value', ({ dice }) => dice.pick(['application/json', 'campus-nac'])],
  [
    'profile category,device category',
    ({ dice }) => dice.pick(['Computer', 'Smart device', 'Medical device', 'Printer']),
  ],
  [
    'profile product,device product',
    ({ dice }) => dice.pick(['Alder Phone 9', 'Brightline Book 14', 'Castor Pump 3', 'Delta Badge 2']),
  ],
  ['url,uri', ({ dice }) => dice.pick(['/api/v1/devices', '/api/v1/sessions', '/hooks/network'])],
  [
    'urls,web pages,pages',
    ({ dice }) => dice.pick(['intranet.harbour.example', '*.clinic.example', 'files.harbour.example/public']),
  ],
  ['hours,opening hours', () => '08:00-18:00'],
  ['vlan id,vlan ids', ({ dice }) => String(dice.pick(VLANS))],
  [
    'active,inactive',
    (field) =>
      /template/.test(String(field.row[2]))
        ? field.dice.pick(['banner', 'logging', 'snmp', 'timeServers', 'dnsServers', 'localUsers'])
        : objectName(field),
  ],
  [
    'value,values,default value,expected,actual,allowed values,old value,new value,found,running,ours,theirs,operand,default',
    valueText,
  ],
  ['banner,footer,terms text,terms,footer text,wording', () => 'Authorised use only. Use of this network is recorded.'],
  [
    'label,vrf,vrf name,routing instance,fabric name,policy,policy name,profile,profile name,pool,pool name,alias,domain name,list name,acl name,template name,name,tunnel name,acc name,accname,profilename,route map,import map,export map,map,acl,cluster,tunnel,apn,instance,section,session,menu,scope,svc,rname,pname,dstname,svcname,parent',
    objectName,
  ],
  [
    'classifier,symptom',
    ({ dice }) => dice.pick(['weak signal', 'no DHCP answer', 'slow DNS', 'authentication failed', 'roaming loop']),
  ],
  ['cve,cves', ({ dice }) => `CVE-202${dice.int(4, 5)}-${dice.int(10_100, 48_900)}`],
  ['threat,malware', ({ dice }) => dice.pick(['Trojan.Agent', 'Phishing.Form', 'Miner.Script'])],
  ['cipher,encrypt algo', ({ dice }) => dice.pick(['aes-256-gcm', 'aes-128-gcm', 'aes-256-cbc'])],
  ['algo,auth algo', ({ dice }) => dice.pick(['sha256', 'sha384'])],
  ['language,locale', ({ dice }) => dice.pick(['en', 'ga', 'de', 'fr'])],
  ['currency', () => 'EUR'],
  [
    'feedback',
    ({ dice }) => dice.pick(['Works well on our switches', 'Charts load slowly', 'Please add export to CSV']),
  ],
  ['colour name,color name', ({ dice }) => dice.pick(['blue', 'grey', 'green', 'amber'])],
];

/** Pools a field may draw from, by its ending of one to three words. */
const byEnding = endingTable(ENDINGS);

/** What fills a field whose name says nothing that is known: an ordinary name in a configuration. */
const COMMON = ['standard', 'default', 'primary', 'campus', 'branch', 'shared', 'staff', 'guest'] as const;

const found = (words: readonly string[]): Draw | undefined =>
  atLongestEnding(words, 3, (ending) => byEnding.get(ending) ?? byEnding.get(ending.replace(/s$/, '')));

const NO_WORDS: readonly string[] = [];
/** By the words of the holder and of the name; both are the same lists each time. */
const known = new Map<readonly string[], Map<readonly string[], Draw | undefined>>();

/** How a field of that name is filled; undefined where no ending of up to three words is known. */
function drawOf(words: readonly string[], holder: readonly string[] = NO_WORDS): Draw | undefined {
  const ofHolder = known.get(holder) ?? new Map<readonly string[], Draw | undefined>();
  known.set(holder, ofHolder);
  if (ofHolder.has(words)) return ofHolder.get(words);
  const draw = found(holder.length === 0 ? words : [...holder, ...words]);
  ofHolder.set(words, draw);
  return draw;
}

/** Whether the name says what the text is. */
export const hasTextType = (words: readonly string[]): boolean => drawOf(words) !== undefined;

/** A text that fits the name of the field; the caller sees to length and pattern. */
export function textFor(field: TextField): string {
  const draw = drawOf(field.words, field.holder);
  if (draw !== undefined) return draw(field);
  const said = examplesIn(field.description);
  if (said.length > 0) return field.dice.pick(said);
  return field.dice.pick(namesOf(singularOf(field.words)) ?? COMMON);
}

const examples = new Map<string, readonly string[]>();

/** Examples that a description gives: `weak signal`, `no DHCP answer` of `Cause, such as weak signal or no DHCP answer`. */
function examplesIn(description: string): readonly string[] {
  const read = examples.get(description) ?? readExamples(description);
  examples.set(description, read);
  return read;
}

function readExamples(description: string): readonly string[] {
  const [, list = ''] = /(?:such as|for example) ([^;.]{2,60})/.exec(description) ?? [];
  return list.split(/,? or |, | and /).filter((each) => each.length > 1 && each.length <= 24);
}

/** A mail address of the person whom the row is about. */
export const mailFor: Draw = (field) => mailOf(personOf(field));

/** Texts of fixed forms, for a field whose pattern none of its own draws fits: groups of one form, the narrow ones first. */
const FIXED: readonly (readonly string[])[] = [
  ['36E/15.0', '100/18.0', '1/9.0'],
  ['wan0', 'wan1', 'lan0', 'lan1'],
  ['lan0', 'lan0.20', 'lan0.30', 'lan1'],
  ['bond0', 'bond1'],
  ['bvi0', 'bvi1'],
  ['mgmt0', 'mgmt1'],
  ['lag10', 'lag20'],
  ['2026.02.26', '2026.01.29'],
  ['2026.2', '2026.1', '2025.11'],
  ['20260226.1', '20260129.1'],
  ['1.3.6.1.2.1.2.2.1.14', '1.3.6.1.2.1.25.3.3.1.2', '1.3.6.1.2.1.1'],
  ['49.0001.0102.5500.0001.00', '49.0001.0102.5500.0002.00'],
  ['registry.harbour.example/collector:1.4.2'],
  ['kafka-1.harbour.example:9093', 'kafka-2.harbour.example:9093'],
  ['tcp:443', 'udp:3478', 'udp:5060'],
  ['+353', '+44'],
  ['AC-2', 'AC-17', 'SC-8', 'AU-6', 'CM-6'],
  ['/Users', '/Groups'],
  ['ADV-2026-004', 'ADV-2026-011'],
  ['show interfaces brief', 'show lldp neighbors', 'show version'],
  ['dub1', 'lon2', 'fra1'],
  ['4.2.10', '4.2.11', '4.3.1'],
  ['guests:read', 'endpoints:write', 'devices:read'],
  ['last sunday march 01:00', 'last sunday october 01:00'],
  ['65010:100', '65010:200', '65010:310'],
  ['00:1A:2B', '00:1B:D5'],
  ['00:1a:2b', '00:1b:d5'],
];
/** The same for patterns that take no longer word. */
const FIXED_SHORT: readonly (readonly string[])[] = [
  ['en', 'ga', 'de', 'fr', 'nl', 'es', 'pt'],
  ['IE-L', 'IE-M', 'IE-C', 'GB-NIR'],
];
/** The same for patterns that take digits and no letters. */
const FIXED_NUMBERS: readonly (readonly string[])[] = [
  ['27201', '27202', '23410'],
  ['2026-02', '2026-01'],
  ['53.3478'],
  ['-6.2397'],
];

const fixed = new Map<string, readonly string[]>();

function fixedForms(pattern: string): readonly string[] {
  const takes = expressionOf(pattern);
  // What takes any word is a name.
  if (['example', 'EXAMPLE', 'exam_ple'].some((text) => takes.test(text))) return [];
  const isHex = ['abcdef12', 'ABCDEF12', 'ab', 'AB', 'QWKH3', 'QWKH39LM', 'AB-CD', '+353 1 555 0142'].some((text) =>
    takes.test(text),
  );
  const isWord = ['abcd', 'abc', 'QWKH3', 'ABC'].some((text) => takes.test(text));
  // Releases of the devices go before those of agents.
  const fixed = takes.test('10.7.1') ? FIXED.filter((texts) => !texts.includes('4.2.10')) : FIXED;
  const groups = [...fixed, ...(isHex ? [] : FIXED_NUMBERS), ...(isWord ? [] : FIXED_SHORT)];
  return groups.map((texts) => texts.filter((text) => takes.test(text))).find((texts) => texts.length > 0) ?? [];
}

/** The at-th fixed form that a pattern takes; undefined once they are used up. */
export const fixedFormAt = (pattern: string, at: number): string | undefined => fixedForms(pattern)[at];

/** A fixed form that a pattern takes; undefined where none does. */
export function fixedForm(pattern: string, { dice, words, row }: TextField): string | undefined {
  const known = fixed.get(pattern) ?? fixedForms(pattern);
  fixed.set(pattern, known);
  if (known.length === 0) return undefined;
  const systems =
    words.includes('os') && !/^(fabric|sdwan|legacy)$/.test(String(row[1]))
      ? SYSTEM_VERSIONS.filter((text) => expressionOf(pattern).test(text))
      : [];
  return dice.pick(systems.length > 0 ? systems : known);
}
const SYSTEM_VERSIONS = ['15.3.1', '14.7.2', '11.0.26100', '15.2', '18.2.1'] as const;

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
