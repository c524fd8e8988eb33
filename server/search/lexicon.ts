/**
 * A small, reviewed list of words that people of this trade use for each other. It is about the language of networks,
 * not about any one API: what a platform calls its objects belongs into that platform's document as aliases.
 */
import { stem } from './tokens.ts';

const GROUPS: readonly string[] = [
  'reboot restart',
  'ssid wlan',
  'wifi wireless wlan',
  'locate blink led beacon',
  'disconnect kick deauthenticate boot',
  'reach ping reachable',
  'device hardware equipment',
  'client endpoint station laptop phone user',
  'alert alarm incident warning',
  'firmware software image upgrade version',
  'site location building branch',
  'gateway gw',
  'switch sw',
  'port interface',
  'auth authentication',
  'radius aaa',
  'policy rule acl',
  'role permission',
  'neighbor neighbour lldp',
  'throughput bandwidth usage traffic',
  'health score status condition',
  'event log history',
  'slow latency delay',
  'down offline unreachable',
  'password passphrase psk secret key',
  'dhcp lease address ip',
  'trend history timeline',
  'config configuration setting',
  'drift mismatch compliance',
  'cpu memory utilization load',
  'dns nslookup resolve',
  'path traceroute hop',
  'roam mobility handover',
];

const related = new Map<string, Set<string>>();
for (const group of GROUPS) {
  const members = group.split(' ').map(stem);
  for (const member of members) {
    const others = related.get(member) ?? new Set<string>();
    for (const other of members) if (other !== member) others.add(other);
    related.set(member, others);
  }
}

/** Stemmed words that may stand for this stemmed word. */
export function relatedTerms(term: string): ReadonlySet<string> {
  return related.get(term) ?? new Set();
}
