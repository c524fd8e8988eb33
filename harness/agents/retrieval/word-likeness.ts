/** How much two names or sentences have in common: words in one form, and terms of the trade that mean the same. */
import { wordsOf } from './name-words.ts';
import { remembered } from './remembered.ts';

/** Terms that engineers use for the same thing; each stands for all of its group. */
const SAME: readonly (readonly string[])[] = [
  ['ap', 'accesspoint'],
  ['ssid', 'wlan', 'network', 'essid', 'wireless'],
  ['state', 'status', 'condition', 'phase', 'stand', 'standing', 'rate'],
  ['expire', 'expiry', 'expiration', 'until', 'end', 'after', 'valid', 'validity'],
  ['host', 'hostname'],
  ['version', 'release', 'firmware', 'software'],
  ['count', 'number', 'total', 'many', 'amount'],
  ['site', 'place', 'location', 'branch'],
  ['owner', 'sponsor', 'holder'],
  ['reason', 'cause', 'why', 'failure'],
  ['signal', 'rssi', 'dbm'],
  ['latency', 'delay', 'rtt', 'interruption', 'gap'],
  ['serial', 'serialnumber'],
  ['mac', 'macaddress'],
  ['mail', 'email'],
  ['name', 'label', 'title'],
  ['text', 'body', 'content', 'comment', 'description', 'note', 'summary'],
  ['power', 'watt', 'poe'],
  ['free', 'available', 'left', 'spare'],
  ['opmode', 'security', 'encryption'],
  ['processor', 'cpu'],
  ['memory', 'ram'],
  ['provider', 'isp', 'carrier'],
  ['restart', 'reboot'],
  ['finish', 'complete', 'done', 'success', 'accept'],
  ['moment', 'time', 'timestamp', 'at', 'when'],
  ['parent', 'above'],
  ['kind', 'type', 'category'],
  ['finding', 'summary', 'description'],
  ['enable', 'active', 'on'],
  ['disable', 'off', 'pause'],
  ['start', 'begin', 'began', 'since', 'schedul', 'plann', 'plan'],
  ['acknowledge', 'acknowledg', 'acked', 'ack'],
  ['configuration', 'config', 'conf'],
  ['temperature', 'temp'],
  ['utilisation', 'utilization', 'usage', 'load'],
  ['authentication', 'auth', 'login'],
  ['address', 'ip', 'ipv4'],
  ['limit', 'threshold', 'max', 'maximum', 'most'],
  ['line', 'link', 'uplink'],
  ['from', 'left', 'source', 'origin', 'leave'],
  ['to', 'join', 'destination', 'target', 'reach'],
  ['stage', 'step'],
  ['offline', 'down', 'dark', 'dead', 'unreachable'],
  ['used', 'use', 'carry', 'usedby'],
  ['author', 'user', 'by', 'who', 'actor'],
  ['rogue', 'foreign', 'strange'],
];
export const GROUP = new Map(SAME.flatMap((words, i) => words.map((word) => [word, i] as const)));

export const SILENT = new Set(
  'a an the of in on at to for is are was it its as or and that this which what whether how such one any platform say says now by with from there after be been has have had no not than if per does do'.split(
    ' ',
  ),
);
/** "ended" and "ends" are the same word, and so are "running" and "runs". */
export const stems = remembered((text: string): readonly string[] => wordsOf(text).map(stemOf));

function stemOf(word: string): string {
  const stem = word.replace(/(?<=[a-z]{3})(ed|ing)$/, '');
  return /([b-df-hj-np-tv-z])\1$/.test(stem) && stem !== word ? stem.slice(0, -1) : stem;
}

/** "access point" and "serial number" are one word each. */
export function joined(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((word, i) => `${words[i]}${word}`);
  return [...words, ...pairs.filter((pair) => GROUP.has(pair))];
}

/** The share of the words that have one of the same meaning among the others; the same word counts most. */
export function likeness(words: readonly string[], others: readonly string[]): number {
  if (words.length === 0 || others.length === 0) return 0;
  const all = words.reduce((total, word) => total + weightOf(word), 0);
  const sum = words.reduce(
    (total, word) => total + weightOf(word) * Math.max(...others.map((other) => alike(word, other))),
    0,
  );
  return sum / Math.min(all, 3);
}

/** Words that stand in the name of almost every field say little. */
export const WEAK: ReadonlyMap<string, number> = new Map([
  ['name', 0.35],
  ['id', 0.35],
  ['number', 0.5],
  ['value', 0.3],
  ['platform', 0.2],
  ['device', 0.6],
  ['network', 0.6],
]);

const weightOf = (word: string): number => (SILENT.has(word) ? 0.2 : (WEAK.get(word) ?? 1));

export const resembles = (word: string, others: readonly string[]): boolean =>
  others.some((other) => alike(word, other) > 0);

const [SAME_WORD, SAME_STEM, SAME_END, SAME_MEANING] = [1, 0.85, 0.7, 0.6];

export function alike(a: string, b: string): number {
  return a === b ? SAME_WORD : alikeTo(a)(b);
}

const alikeTo = remembered((a: string) => remembered((b: string) => comparedWords(a, b)));

function comparedWords(a: string, b: string): number {
  const least = Math.min(a.length, b.length);
  let common = 0;
  while (common < least && a[common] === b[common]) common++;
  // "hidden" and "hide", "expires" and "expiry": the beginning of a word is its meaning.
  if (least >= 4 && common >= Math.max(3, Math.ceil(least * 0.7)) && Math.abs(a.length - b.length) <= 4)
    return SAME_STEM;
  // "opmode" is a mode.
  if (least >= 4 && (a.endsWith(b) || b.endsWith(a)) && !WEAK.has(a) && !WEAK.has(b)) return SAME_END;
  const group = GROUP.get(a);
  return group !== undefined && group === GROUP.get(b) ? SAME_MEANING : 0;
}
