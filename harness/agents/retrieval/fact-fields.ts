/**
 * Which field of an answer holds a fact: the words of both are compared, its type rules out, and a value that the
 * description gives as an example decides. Nothing here knows a tool or a platform; the synonyms are those of the trade.
 */
import { wordsOf } from './name-words.ts';
import { type Json, typesOf } from './operation.ts';

export interface Fact {
  name: string;
  type: string;
  format?: string;
  enum?: unknown[];
  words: string[];
  /** Words of the description that say something. */
  about: string[];
  description: string;
  items?: Json;
}

export interface Leaf {
  /** Names from the outermost object to the value. */
  path: string[];
  value: unknown;
}

export interface Found {
  score: number;
  value: unknown;
  leaf: Leaf;
}

/** Terms that engineers use for the same thing; each stands for all of its group. */
const SAME: readonly (readonly string[])[] = [
  ['ap', 'accesspoint'],
  ['ssid', 'wlan', 'network', 'essid', 'wireless'],
  ['state', 'status', 'condition', 'phase'],
  ['expire', 'expiry', 'expiration', 'until', 'end', 'after', 'valid'],
  ['host', 'hostname'],
  ['version', 'release', 'firmware', 'software'],
  ['count', 'number', 'total', 'many', 'amount'],
  ['site', 'place', 'location', 'branch'],
  ['owner', 'sponsor', 'holder'],
  ['reason', 'cause', 'why', 'failure'],
  ['signal', 'rssi', 'dbm'],
  ['latency', 'delay', 'rtt'],
  ['serial', 'serialnumber'],
  ['mac', 'macaddress'],
  ['mail', 'email'],
  ['name', 'label', 'title'],
  ['text', 'body', 'content', 'comment', 'description', 'note', 'summary'],
  ['power', 'watt', 'poe'],
  ['free', 'available', 'left', 'spare'],
  ['mode', 'opmode', 'security', 'encryption'],
  ['enable', 'active', 'on'],
  ['disable', 'off', 'pause'],
  ['start', 'begin', 'scheduled', 'planned'],
  ['acknowledge', 'acknowledged', 'acked', 'ack'],
  ['configuration', 'config', 'conf'],
  ['temperature', 'temp'],
  ['utilisation', 'utilization', 'usage', 'load'],
  ['authentication', 'auth', 'login'],
  ['address', 'ip'],
  ['limit', 'threshold', 'max', 'maximum', 'most'],
  ['line', 'link', 'uplink'],
  ['author', 'user', 'by', 'who', 'actor'],
];
const GROUP = new Map(SAME.flatMap((words, i) => words.map((word) => [word, i] as const)));

const SILENT = new Set(
  'a an the of in on at to for is are was it its as or and that this which what whether how such one any platform say says now by with from there after be been has have had no not than if per does do'.split(
    ' ',
  ),
);
/** A key says which object is meant, and is a fact only where one asks for it. */
const KEYS = new Set(['id', 'uuid', 'key', 'ref', 'href']);
/** The least that words must say for a field. */
const ENOUGH = 1;
const DEEPEST = 4;

export function factOf(name: string, schema: Json): Fact {
  const description = String(schema['description'] ?? '');
  return {
    name,
    type: typesOf(schema)[0] ?? 'string',
    ...(typeof schema['format'] === 'string' ? { format: schema['format'] } : {}),
    ...(Array.isArray(schema['enum']) ? { enum: schema['enum'] } : {}),
    words: joined(wordsOf(name)),
    about: joined(wordsOf(description)).filter((word) => !SILENT.has(word)),
    description,
    ...(schema['items'] === undefined ? {} : { items: schema['items'] as Json }),
  };
}

/** "access point" and "serial number" are one word each. */
function joined(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((word, i) => `${words[i]}${word}`);
  return [...words, ...pairs.filter((pair) => GROUP.has(pair))];
}

/** Every value below an object; lists are left out but for their number. */
export function leavesIn(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return [{ path: [...path], value }];
  if (Array.isArray(value)) {
    const scalars = value.every((item) => typeof item !== 'object' || item === null);
    return scalars ? [{ path: [...path], value }] : [];
  }
  return Object.entries(value)
    .filter(([name]) => !name.startsWith('_') && name !== 'execution_contract' && name !== 'poll')
    .flatMap(([name, inner]) => leavesIn(inner, [...path, name]));
}

/** The field that says most about the fact, or undefined when none says enough. */
export function bestField(fact: Fact, leaves: readonly Leaf[], intent: string): Found | undefined {
  const [best] = leaves
    .flatMap((leaf) => scored(fact, leaf, intent))
    .sort((a, b) => b.score - a.score || a.leaf.path.length - b.leaf.path.length);
  return best !== undefined && best.score >= ENOUGH ? best : undefined;
}

function scored(fact: Fact, leaf: Leaf, intent: string): Found[] {
  const value = asType(fact, leaf);
  if (value === undefined) return [];
  const own = joined(wordsOf(leaf.path.at(-1) ?? ''));
  const outer = wordsOf(leaf.path.slice(0, -1).join(' '));
  const named = likeness(fact.words, own) * 3 + likeness(fact.words, outer);
  const told = likeness(own, fact.about) * 1.5;
  const extra = own.filter((word) => !resembles(word, [...fact.words, ...fact.about])).length * 0.25;
  const stated = isExample(fact, value) ? 2 : 0;
  const spoken = isSpoken(value, intent) ? 0.5 : 0;
  const isKey = KEYS.has(own.at(-1) ?? '') && !resembles(own.at(-1) as string, [...fact.words, ...fact.about]);
  const score = (named + told + stated + spoken - extra - leaf.path.length * 0.05) * (isKey ? 0.3 : 1);
  return named + told + stated === 0 ? [] : [{ score, value, leaf }];
}

/** What the intent names is often what a fact names again: the object, or the value it was given. */
function isSpoken(value: unknown, intent: string): boolean {
  if (typeof value === 'number') return new RegExp(`(?<![\\w.])${value}(?![\\w.])`).test(intent);
  return typeof value === 'string' && value.length > 3 && intent.includes(value);
}

/** The share of the words that have one of the same meaning among the others; the same word counts most. */
function likeness(words: readonly string[], others: readonly string[]): number {
  if (words.length === 0 || others.length === 0) return 0;
  const sum = words.reduce((total, word) => total + Math.max(...others.map((other) => alike(word, other))), 0);
  return sum / Math.min(words.length, 3);
}

const resembles = (word: string, others: readonly string[]): boolean => others.some((other) => alike(word, other) > 0);

const [SAME_WORD, SAME_STEM, SAME_MEANING] = [1, 0.85, 0.6];

function alike(a: string, b: string): number {
  if (a === b) return SAME_WORD;
  const least = Math.min(a.length, b.length);
  const same = [...a].findIndex((letter, i) => letter !== b[i]);
  const common = same < 0 ? a.length : same;
  // "hidden" and "hide", "expires" and "expiry": the beginning of a word is its meaning.
  if (least >= 4 && common >= Math.max(3, Math.ceil(least * 0.7)) && Math.abs(a.length - b.length) <= 4)
    return SAME_STEM;
  const group = GROUP.get(a);
  return group !== undefined && group === GROUP.get(b) ? SAME_MEANING : 0;
}

/** The description names the value: "such as ONLINE or OFFLINE". */
function isExample({ description, enum: listed = [] }: Fact, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < 2) return false;
  const folded = (text: unknown) =>
    String(text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  if (listed.some((choice) => folded(choice) === folded(value))) return true;
  return /^[A-Z][A-Z_0-9]+$/.test(value) && description.includes(value);
}

const MOMENT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/;
/** A secret that the server does not show. */
const HIDDEN = /^(\*+|\[redacted\])$/i;
const MAC = /^[0-9a-f]{2}([:-]?[0-9a-f]{2}){5}$/i;
const DONE = /^(completed?|succeeded|success|done|finished|ok|true|yes)$/i;

/** The value as the fact's type; undefined when it cannot be. */
function asType(fact: Fact, { value, path }: Leaf): unknown {
  if (fact.type === 'boolean') return asBoolean(fact, value, path);
  if (fact.type === 'integer' || fact.type === 'number') return asNumber(fact, value);
  if (fact.type === 'array') return Array.isArray(value) ? value : undefined;
  return asText(fact, value);
}

function asNumber(fact: Fact, value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const counts = fact.words.some((word) => GROUP.get(word) === GROUP.get('count'));
  return Array.isArray(value) && counts ? value.length : undefined;
}

function asText({ format }: Fact, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (HIDDEN.test(String(value))) return undefined;
  const form = format === 'mac' ? MAC : format === undefined ? undefined : MOMENT;
  return form === undefined || form.test(String(value)) ? value : undefined;
}

/** A switch is a fact as it stands; a word of state answers "whether it is …" when it says the same or that all is done. */
function asBoolean(fact: Fact, value: unknown, path: readonly string[]): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || !/^(status|state|phase|result)$/i.test(path.at(-1) ?? '')) return undefined;
  const isSaid = wordsOf(value).some((word) => resembles(word, fact.words));
  return isSaid || DONE.test(value);
}
