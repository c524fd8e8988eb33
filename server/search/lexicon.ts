/**
 * Words that people of this trade use for each other, and everyday words for technical ones. It is about the language
 * of networks and their operation, not about any one API: what a platform calls its objects belongs into that platform's
 * document as aliases. Reviewed by hand; a line stays when it would be right for any network platform.
 */
import { stem } from './stem.ts';
import { WEIGHTS } from './weights.ts';

export interface Expansion {
  term: string;
  share: number;
}

/** Either word may stand for the other. */
const GROUPS: readonly string[] = [
  'reboot restart',
  'ssid wlan',
  'wifi wireless wlan',
  'locate blink led beacon flash',
  'disconnect kick deauthenticate',
  'reach ping reachable reachability',
  'device hardware equipment',
  'client endpoint station',
  'alert alarm incident warning',
  'firmware software image release',
  'site location building branch',
  'gateway router',
  'port interface',
  'auth authentication',
  'authorise authorize authorization',
  'radius aaa',
  'policy rule',
  'role permission',
  'neighbor neighbour',
  'throughput bandwidth traffic',
  'health healthy score status',
  'event log',
  'latency delay',
  'down offline unreachable',
  'password psk secret',
  'trend history timeline',
  'config configuration setting',
  'drift mismatch',
  'cpu processor load',
  'traceroute hop',
  'roam mobility handover',
  'reference usage dependency',
  'revision version history',
  'certificate cert',
  'quota limit',
  'license subscription entitlement',
  'ticket case',
  'schedule plan',
  'transceiver optic sfp',
  'backup snapshot checkpoint',
  'lease dhcp',
  'repository repo',
  'denylist blacklist blocklist deny block',
  'allowlist whitelist',
  'vlan segment',
  'administrator admin operator',
  'organisation organization org',
  'optimisation optimization',
  'utilisation utilization usage use',
];

/** Words of users → words of documents. A line is: word, colon, words. */
const EVERYDAY: readonly string[] = [
  // Things in the rack, on the wall and in the hand
  'laptop: client device endpoint',
  'phone: client device endpoint',
  'tablet: client device endpoint',
  'pc: client endpoint',
  'scanner: client endpoint station',
  'box: device appliance',
  'kit: device',
  'gear: device',
  'machine: device host',
  'leaf: fabric system switch',
  'leafs: fabric system switch',
  'spine: fabric system switch',
  'hypervisor: vm virtual infra',
  'plug: port interface',
  'socket: port interface',
  'jack: port interface',
  'plugged: neighbor port connected',
  'cable: link cabling interface',
  'wire: cabling link port',
  'fibre: optic transceiver',
  'uplink: interface wan link',
  'line: link uplink circuit',
  'pipe: tunnel link bandwidth',
  'tunnel: vpn overlay ipsec',
  'peer: neighbor bgp session',
  'prefix: route bgp',
  'carrier: provider cellular',
  'cabinet: rack',
  'drawing: map floorplan',
  'clock: ntp time',
  'room: zone map',
  'crowded: occupancy zone client count',
  'collector: receiver target server',
  'siem: forwarder stream syslog log',
  // Air
  'air: radio rf',
  'hear: rf scan neighbor radio',
  'transmitter: rogue radio',
  'foreign: rogue neighbor',
  'fake: rogue',
  'frequency: channel radio',
  'bars: signal',
  'radar: dfs channel',
  'intruder: rogue',
  // People
  'visitor: guest',
  'contractor: guest visitor',
  'splash: portal captive',
  'account: user',
  'staff: user employee',
  'colleague: user',
  'inherited: effective config',
  // Money and paper
  'bill: invoice',
  'expire: expiry certificate subscription',
  'seat: subscription license assignment',
  'seats: subscription license assignment',
  'covered: license subscription warranty entitlement',
  'maker: support vendor case',
  'supplier: vendor support',
  'complain: support case',
  'rollout: upgrade deployment campaign',
  'script: runbook automation',
  'pdf: report export download',
  'spreadsheet: export csv',
  'csv: export',
  'audit: log compliance',
  // Numbers, names and addresses
  'range: pool subnet',
  'translation: nat',
  'resolve: dns',
  'programs: application app',
  'program: application app',
  'website: url web category',
  'websites: url web category',
  'pages: url web',
  'gambling: url web category filter',
  'surf: web url log',
  // Power
  'watts: poe power energy',
  'juice: poe power',
  'electricity: energy power watts',
  'feeds: poe power',
  // States
  'broken: fault failed error',
  'dead: down offline failed',
  'silent: offline down',
  'alive: status reachable health',
  'crashed: crash reboot',
  'slow: latency performance experience slo',
  'choppy: loss jitter quality voice',
  'freeze: loss latency',
  'hot: temperature',
  'full: utilization capacity usage',
  'busy: utilization load',
  'eating: usage top bandwidth application',
  'offenders: top',
  'crc: error counter interface',
  'dim: power optic transceiver',
  'stuck: pending waiting approval',
  'banned: block lockout blacklist',
  'unusual: anomaly',
  'dangerous: risk threat',
  'catch: threat match detected',
  'free: available unused',
  'spare: available unused replacement',
  // Deeds
  'ban: block blacklist deny',
  'bar: block blacklist deny',
  'forbid: block deny',
  'allow: permit whitelist authorize',
  'unban: unblock',
  'looped: loop bpdu guard stp port',
  'undo: revert discard rollback',
  'flash: locate blink led',
  'push: deploy apply sync',
  'release: software version upgrade',
  'try: test',
  'differs: diff compare',
  'different: diff compare',
  'compare: diff mismatch',
  'lacks: mismatch compare',
  'altered: audit log revision',
  'sniff: packet capture',
  'pcap: packet capture',
  'trace: capture traceroute path',
  'reach: ping reachability connectivity',
  'copper: cable test',
  'phishing: url web category threat',
  'virus: malware threat',
  'infected: malware threat quarantine',
  'isolate: quarantine',
  // Work on code
  'pipeline: workflow action run',
  'build: workflow action run',
  'bug: issue',
];

type Relation = 'related' | 'everyday';

const related = new Map<string, Map<string, Relation>>();

const relate = (from: string, to: string, relation: Relation) => {
  if (from === to) return;
  const others = related.get(from) ?? new Map<string, Relation>();
  others.set(to, relation);
  related.set(from, others);
};

for (const group of GROUPS) {
  const members = group.split(' ').map(stem);
  for (const member of members) for (const other of members) relate(member, other, 'related');
}
for (const line of EVERYDAY) {
  const [said = '', meaning = ''] = line.split(': ');
  for (const term of meaning.split(' ').map(stem)) relate(stem(said), term, 'everyday');
}

/** Terms that may stand for a term. */
export const expansionsOf = (term: string): Expansion[] =>
  Array.from(related.get(term) ?? [], ([other, relation]) => ({ term: other, share: WEIGHTS[relation] }));
