/** Addresses, host names and links that fit what they are for. */
import type { Dice } from '../state/determinism.ts';
import { hostAddress, networkAddress, routerAddress } from './address-plan.ts';
import { kindOf } from './kind-names.ts';
import type { TextField } from './text-field.ts';
import { SERVICE_HOSTS } from './word-pools.ts';

type Says = (test: RegExp) => boolean;

/** What an address, name or link of a standard format is for, where name, holder or resource of the field say it; else undefined. */
export function formattedFor(format: string, field: TextField): string | undefined {
  const { words, dice, holder, row } = field;
  // The row's resource is asked last: a proxy of a portal is a proxy.
  const places = () => [words, holder, kindOf(String(row[2] ?? ''))];
  switch (format) {
    case 'ipv4':
    case 'ip':
      return namedAddress(field);
    case 'mac':
      return words.includes('mask') ? dice.pick(['ff:ff:ff:00:00:00', 'ff:ff:ff:ff:ff:ff']) : undefined;
    case 'host':
    case 'fqdn':
    case 'hostname':
      return firstOf(places(), (says) => namedHost(says, dice));
    case 'url':
    case 'uri':
      return firstOf(places(), (says) => namedUrl(says, dice)) ?? ownPage(field);
    default:
      return undefined;
  }
}

function firstOf(places: readonly (readonly string[])[], find: (says: Says) => string | undefined): string | undefined {
  for (const words of places) {
    const found = find((test) => words.some((word) => test.test(word)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function namedAddress(field: TextField): string | undefined {
  const { words, dice, row } = field;
  const kind = kindOf(String(row[2] ?? ''));
  const says: Says = (test) => words.some((word) => test.test(word));
  if (says(/^(wildcard)$/)) return dice.pick(['0.0.0.255', '0.0.3.255', '0.0.0.127']);
  if (says(/^(mask|netmask|destmask)$/)) return '255.255.255.0';
  if (
    says(/^(public|external|wan|egress|nat|internet)$/) ||
    (kind.some((word) => /^(cloud|egress|endpoint|provider)$/.test(word)) &&
      kind.some((word) => /^(service|provider|egress)$/.test(word)))
  )
    return `${dice.pick(['203.0.113', '198.51.100'])}.${dice.int(2, 250)}`;
  if (says(/^(network|subnet|net|prefix|destip|destination network)$/)) return networkAddress(field, dice);
  if (says(/^(gateway|router|nexthop)$/) || (says(/^next$/) && says(/^hop$/))) return routerAddress(field);
  if (says(/^(dns|nameserver|resolver)$/)) return dice.pick(['10.10.10.2', '10.10.10.3']);
  if (says(/^(area)$/)) return dice.pick(['0.0.0.0', '0.0.0.1', '0.0.0.10']);
  if (says(/^(group|multicast)$/)) return `239.10.${dice.int(0, 20)}.${dice.int(1, 250)}`;
  return says(/^(router id|loopback)$/) ? `10.255.0.${dice.int(1, 60)}` : undefined;
}

/** Words of what a host serves, and its name before the domain. */
const HOSTS: readonly (readonly [test: RegExp, hosts: readonly string[]])[] = [
  [/^(controller|gateway|hub|vpn|peer|peers|tunnel)$/, ['gw-1', 'gw-2']],
  [/^(syslog|log|logging|siem)$/, ['syslog']],
  [/^(ntp|time)$/, ['ntp']],
  [/^(ldap|directory|ad)$/, ['ldap', 'ldap-2']],
  [/^(radius|auth|authentication|acct|accounting|coa|radsec|rad|tacacs|nac|aaa|das)$/, ['radius-1', 'radius-2']],
  [/^(e?mail|smtp|relay)$/, ['mail']],
  [/^(dns|resolver)$/, ['dns-1', 'dns-2']],
  [/^(dhcp)$/, ['dhcp-1', 'dhcp-2']],
  [/^(snmp|trap|flow|collector|netflow|telemetry|stream|receiver)$/, ['collector', 'collector-2']],
  [/^(proxy)$/, ['proxy']],
  [/^(backup|archive|storage|file|ftp|sftp|scp|tftp|image|download)$/, ['files', 'backup']],
  [/^(portal|splash|page)$/, ['portal']],
  [/^(hypervisor|vcenter)$/, ['vcenter']],
  [/^(ca|est|scep|ocsp|crl|certificate)$/, ['pki']],
  [/^(mdm|emm)$/, ['mdm']],
  [/^(orchestrator|management|cloud)$/, ['manage']],
];

function namedHost(says: Says, dice: Dice): string | undefined {
  if (says(/^(realm|suffix|domain|domains|match|search)$/)) return 'harbour.example';
  if (says(/^(backup|secondary|standby|second)$/) && says(/^(controller|gateway|hub|vpn|peer|tunnel|concentrator)$/))
    return 'gw-2.harbour.example';
  const [, hosts] = HOSTS.find(([test]) => says(test)) ?? [];
  return hosts === undefined ? undefined : `${dice.pick(hosts)}.harbour.example`;
}

const file = (ending: string) => (dice: Dice) => `https://files.harbour.example/${dice.hex(6)}.${ending}`;

/** Words of what a link leads to, the narrower ones first. */
const LINKS: readonly (readonly [test: RegExp, link: string | ((dice: Dice) => string)])[] = [
  [/^proxy$/, 'http://proxy.harbour.example:3128'],
  [/^(pcap|capture|recording)$/, file('pcap')],
  [/^(backup|snapshot|bundle|support|dump)$/, file('tar.gz')],
  [/^(agent|firmware|software|os|installer|hotfix)$/, file('bin')],
  [/^(report|export|csv)$/, file('csv')],
  [/^(image|picture|logo|photo|icon)$/, file('png')],
  [
    /^(release|notes|advisory|article|documentation|docs|help|learn|more)$/,
    (dice) => `https://docs.harbour.example/articles/${dice.int(10_200, 10_990)}`,
  ],
  [/^(scim|provisioning)$/, 'https://login.harbour.example/scim/v2'],
  [/^(logout|slo)$/, 'https://login.harbour.example/saml/slo'],
  [/^(entity|metadata)$/, 'https://login.harbour.example/saml/metadata'],
  [/^(acs|sso|saml|idp|assertion)$/, 'https://login.harbour.example/saml/acs'],
  [/^(token|issuer|oidc|oauth|jwks)$/, 'https://login.harbour.example/oauth2'],
  [/^(terms|privacy)$/, 'https://portal.harbour.example/terms'],
  [/^crl$/, 'http://pki.harbour.example/issuing-ca-1.crl'],
  [/^ocsp$/, 'http://pki.harbour.example/ocsp'],
  [/^(est|scep|enrolment|enrollment)$/, 'https://pki.harbour.example/enrol'],
  [
    /^(webhook|callback|notify|notification|sink)$/,
    (dice) => `https://hooks.harbour.example/${dice.pick(['network', 'alerts', 'tickets'])}/${dice.hex(6)}`,
  ],
  [/^(portal|page|splash|guest|redirect|landing|captive|welcome)$/, 'https://portal.harbour.example/guest'],
];

function namedUrl(says: Says, dice: Dice): string | undefined {
  const [, link] = LINKS.find(([test]) => says(test)) ?? [];
  return typeof link === 'function' ? link(dice) : link;
}

/** Pages that people visit, and those that probes ask for. */
const VISITED = [
  'https://meetings.example.net/join',
  'https://updates.example.com/catalog',
  'https://files.example.org/share',
  'https://intranet.harbour.example/rota',
] as const;
const PROBED = [
  'https://meetings.example.net/',
  'https://records.harbour.example/login',
  'https://intranet.harbour.example/',
] as const;

/** A page of the service that the row is about: `https://mdm.harbour.example/api`. */
function ownPage({ row, dice, words }: TextField): string {
  if (words.some((word) => /^(download|file)$/.test(word))) return file('zip')(dice);
  if (/\b(log|visit|web|page|url)\b/.test(kindOf(String(row[2] ?? '')).join(' '))) return dice.pick(VISITED);
  if (/\b(probe|test|synthetic)\b/.test(kindOf(String(row[2] ?? '')).join(' '))) return dice.pick(PROBED);
  const [first = 'status', second] = kindOf(String(row[2] ?? '')).filter((word) => /^[a-z]{3,12}$/.test(word));
  return `https://${first}.harbour.example/${second ?? dice.pick(['api', 'status', 'v1'])}`;
}

/** Networks as other networks see them, for what admits or places callers of the internet. */
export function networkFor(field: TextField): string {
  const { words, row, dice, holder } = field;
  const isPublic = [...words, ...kindOf(String(row[2] ?? ''))].some((word) => PUBLIC.test(word));
  if (isVersion6([...words, ...holder, ...kindOf(String(row[2] ?? ''))]))
    return `2001:db8:${dice.pick([10, 20, 30])}:${dice.pick([10, 20, 30])}::${words.some((word) => /^(subnet|prefix|network|networks)$/.test(word)) || holder.length > 0 ? '' : dice.hex(2)}/64`;
  if (words.some((word) => /^(addr|address|ip)$/.test(word)) || /^ipv 4$/.test(words.join(' ')))
    return `${hostAddress(field, dice)}/24`;
  return isPublic
    ? `${dice.pick(['192.0.2', '198.51.100', '203.0.113'])}.${dice.int(0, 15) * 16}/28`
    : `${networkAddress(field, dice)}/24`;
}
/** Whether what holds an address is about version 6 of the protocol alone. */
export const isVersion6 = (words: readonly string[]): boolean =>
  /\b(ipv ?6|ospfv ?3|v ?6|netdst ?6|dhcpv ?6)/.test(words.join(' ')) && !/\bipv ?4/.test(words.join(' '));
const PUBLIC = /^(geo|public|internet|egress|allow|allowed|allowlist|cidrs|external|block|blocks)$/;

/** What people reach on other machines. */
const APP_HOSTS = ['intranet', 'files', 'wiki', 'records', 'print', 'scheduling'] as const;

/** A host that serves something: an application where the row is about one, else a service that the network needs. */
export function hostFor({ row, dice, words, holder }: TextField): string {
  const about = [...kindOf(String(row[2] ?? '')), ...holder, ...words];
  const isApp = about.some((word) =>
    /^(application|app|service|test|probe|hostnames|aliases|exclusions|saas|dns|url|web)$/.test(word),
  );
  return `${dice.pick(isApp ? APP_HOSTS : SERVICE_HOSTS)}.harbour.example`;
}
