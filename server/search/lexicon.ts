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
  'radius aaa',
  'policy rule',
  'role permission',
  'neighbor neighbour',
  'throughput bandwidth traffic',
  'health score status',
  'event log',
  'latency delay',
  'down offline unreachable',
  'passphrase password psk secret',
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
];

/** What people say → what documents call it. A line reads: saying, colon, words. */
const SAYINGS: readonly string[] = [
  // Things
  'laptop: client device endpoint',
  'phone: client device endpoint',
  'tablet: client device endpoint',
  'box: device appliance',
  'boxes: device appliance',
  'kit: device',
  'gear: device',
  'plug: port interface',
  'socket: port interface',
  'jack: port interface',
  'cable: link cabling',
  'wire: cabling link port',
  'fibre: optic transceiver',
  'uplink: interface wan',
  'line: link uplink circuit',
  'pipe: link bandwidth',
  'tunnel: vpn overlay',
  'peer: neighbor bgp',
  'peers: neighbor',
  'speaking terms: neighbor session',
  'talking to: session flow',
  'carrier: provider cellular',
  'stick: modem cellular',
  'chip: sim',
  'bill: invoice',
  'bills: invoice',
  'maker: support vendor',
  'complain: support case',
  'visitor: guest',
  'visitors: guest',
  'contractor: guest visitor',
  'welcome page: guest portal captive',
  'splash: portal captive',
  'hardware address: mac',
  'physical address: mac',
  'watts: poe power',
  'juice: poe power',
  'electricity: energy power',
  'socket power: poe',
  'cabinet: rack',
  'hall: datacentre blueprint',
  'tester: sensor test',
  'program: application app',
  'programs: application app',
  'apps: application',
  'websites: url web category',
  'website: url web category',
  'web page: url web',
  'collector: receiver',
  'rollout: upgrade deployment campaign',
  'script: runbook automation',
  'paper: report document download',
  'pdf: report export download',
  'spreadsheet: export csv',
  'csv: export',
  'account: user',
  'accounts: user',
  'staff: user employee',
  'people: user client',
  'colleague: user',
  'admin: administrator role',
  'key: token secret',
  'ceiling: quota limit',
  'segment: vlan subnet',
  'segments: vlan subnet',
  'layer tags: vlan',
  'range: pool subnet',
  'addresses: ip pool dhcp',
  'address rewriting: nat',
  'translation: nat',
  'wall: firewall',
  'air: radio rf',
  'bars: signal',
  'radar: dfs',
  'intruder: rogue',
  'rogues: rogue',
  'neighbours: neighbor',
  'floor plan: map floor',
  'drawing: map floorplan',
  // States
  'broken: fault down failed error',
  'dead: down offline',
  'silent: offline down',
  'alive: status reachable up',
  'greyed out: unreachable offline',
  'crashed: crash core reboot',
  'slow: latency performance experience throughput',
  'choppy: loss jitter quality',
  'freeze: loss latency',
  'freezes: loss latency',
  'sweating: cpu load utilization temperature',
  'hot: temperature',
  'full: utilization capacity usage',
  'busy: utilization load',
  'running out: utilization usage status pool',
  'running dry: utilization usage status pool',
  'eating: usage top bandwidth',
  'eat: usage',
  'dim: power optic',
  'stuck: pending waiting',
  'waiting: pending approval',
  'pending: change diff',
  'out of sync: config drift health issue',
  'banned: block lockout blacklist',
  'locked out: lockout block',
  'lets in: authentication',
  'log in: login authentication',
  'gets in: authentication login',
  'worst: top health',
  'covered: license subscription warranty',
  'free: available unused',
  'spare: available unused',
  // Deeds
  'throw out: disconnect delete terminate',
  'throw off: disconnect',
  'kick off: disconnect',
  'take off: disconnect remove',
  'shut out: block',
  'lock out: block lockout',
  'ban: block blacklist deny',
  'bar: block blacklist deny',
  'forbid: block deny',
  'allow: permit whitelist',
  'let back: unblock lift release',
  'unban: unblock',
  'set free: release unblock',
  'bring back: restore enable clear',
  'roll back: rollback restore revert',
  'go back: rollback restore revision',
  'undo: revert discard rollback',
  'throw away: discard delete',
  'fresh start: reboot restart',
  'power cycle: reboot poe bounce',
  'switch off: disable shutdown',
  'shut down: disable shutdown',
  'turn off: disable',
  'turn on: enable',
  'flash: locate blink led',
  'light up: locate blink led',
  'send out: deploy commit publish',
  'go live: commit deploy activate',
  'push: deploy apply sync',
  'roll out: deploy upgrade',
  'bring to: upgrade',
  'make ours: claim onboard',
  'take over: claim onboard manage',
  'hand back: release decommission return',
  'take out of service: decommission drain',
  'move load away: drain',
  'hand out: dhcp lease pool assign',
  'hands out: dhcp lease pool',
  'reserve: pool reservation create',
  'same ip: reservation reserve dhcp',
  'same address: reservation reserve dhcp',
  'fire: send test',
  'try: test',
  'play through: dry run simulate',
  'without touching: dry run simulate',
  'differs: diff compare',
  'differ: diff compare',
  'different: diff compare',
  'compare: diff',
  'line by line: diff',
  'fiddled: diff change audit',
  'hand edit: diff drift running',
  'tampered: audit drift',
  'who changed: audit history',
  'who did: audit timeline',
  'step by step: timeline history',
  'leans on: reference',
  'lean on: reference',
  'depends on: reference',
  'would miss: reference',
  'used by: reference',
  'who uses: reference',
  'sniff: packet capture',
  'pcap: packet capture',
  'record packets: packet capture',
  'trace: capture traceroute path',
  'hops: traceroute path',
  'which way: route path',
  'gets answer: ping reachability',
  'get answer: ping reachability',
  'talk to: reachability connectivity session',
  'reach: ping reachability connectivity',
  'reaches: ping reachability connectivity',
  'copper: cable test',
  'look up name: dns resolve',
  'resolves: dns',
  'pay again: subscription license expiry renew',
  'runs out: expiry subscription',
  'expire: expiry certificate subscription',
  'end date: expiry subscription',
  'saved copies: backup',
  'saved copy: backup',
  'written down: article knowledge',
  'vouch: approve',
  'say yes: approve approval',
  'said yes: approve approval',
  'turn down: reject deny',
  'knocking: discovered pending onboarding',
  'phishing: url web category threat',
  'gambling: url web category filter',
  'virus: malware threat',
  'infected: malware threat quarantine',
  'put in quarantine: quarantine isolate',
  'isolate: quarantine',
];

interface Saying {
  words: readonly string[];
  means: readonly string[];
}

const related = new Map<string, Map<string, number>>();
const phrases = new Map<string, Saying[]>();

const relate = (from: string, to: string, share: number) => {
  if (from === to) return;
  const others = related.get(from) ?? new Map<string, number>();
  others.set(to, Math.max(others.get(to) ?? 0, share));
  related.set(from, others);
};

for (const group of GROUPS) {
  const members = group.split(' ').map(stem);
  for (const member of members) for (const other of members) relate(member, other, WEIGHTS.related);
}
for (const line of SAYINGS) {
  const [saying = '', meaning = ''] = line.split(': ');
  const said = saying.split(' ').map(stem);
  const means = meaning.split(' ').map(stem);
  const [first = ''] = said;
  if (said.length === 1) for (const term of means) relate(first, term, WEIGHTS.said);
  else phrases.set(first, [...(phrases.get(first) ?? []), { words: said, means }]);
}

const asList = new Map(
  [...related].map(([term, others]) => [term, [...others].map(([other, share]) => ({ term: other, share }))]),
);

/** How many words may stand between the parts of a saying: "take that thing off". */
const APART = 4;

/** Words that may stand for one word, or for what several words together say. */
export function expansionsOf(plain: readonly string[]): {
  byTerm: ReadonlyMap<string, readonly Expansion[]>;
  byPhrase: [string, Expansion[]][];
} {
  const stems = plain.map(stem);
  const byPhrase = new Map<string, Expansion[]>();
  stems.forEach((word, i) => {
    for (const { words, means } of phrases.get(word) ?? []) {
      if (!follows(stems, i, words)) continue;
      byPhrase.set(
        words.join(' '),
        means.map((term) => ({ term, share: WEIGHTS.said })),
      );
    }
  });
  return { byTerm: asList, byPhrase: [...byPhrase] };
}

function follows(stems: readonly string[], from: number, words: readonly string[]): boolean {
  let at = from;
  for (const word of words.slice(1)) {
    const end = Math.min(stems.length, at + 1 + APART);
    let next = at + 1;
    while (next < end && stems[next] !== word && stems[next] !== '.') next++;
    if (next >= end || stems[next] !== word) return false;
    at = next;
  }
  return true;
}
