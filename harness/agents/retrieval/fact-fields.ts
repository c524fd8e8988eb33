/**
 * Which field of an answer holds a fact: the words of both are compared, its type rules out, and a value that the
 * description gives as an example decides. Nothing here knows a tool or a platform; the synonyms are those of the trade.
 */
import { mentions } from './name-words.ts';
import { type Json, typesOf } from './operation.ts';
import { GROUP, joined, likeness, resembles, SILENT, stems, WEAK } from './word-likeness.ts';

export interface Fact {
  name: string;
  type: string;
  format?: string;
  enum?: unknown[];
  words: string[];
  /** What the description says that it is: its words up to the first "of", "that" or "in". */
  head: string[];
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

/** A key says which object is meant, and is a fact only where one asks for it. */
const KEYS = new Set(['id', 'uuid', 'key', 'ref', 'href']);
const OWN_NAME = /^(host-?_?name|name|label|title|user-?_?name)$/i;
const UNIT_OF: Record<string, string> = {
  ...{ percent: '%', pct: '%', ms: 'ms', millisecond: 'ms', second: 's', sec: 's', minute: 'min', min: 'min' },
  ...{ byte: 'B', dbm: 'dBm', db: 'dB', watt: 'W', mbps: 'Mbps', celsiu: 'C', celsius: 'C', day: 'd', hour: 'h' },
};
/** The least that words must say for a field. */
const ENOUGH = 1;
const DEEPEST = 4;
/** Fields that the server adds around an answer. */
const ENVELOPE =
  /^(_pagination|_links|_no_row_matches|_response_bounds|execution_contract|contract|poll|next|related)$/;

export function factOf(name: string, schema: Json): Fact {
  const description = String(schema['description'] ?? '');
  return {
    name,
    type: typesOf(schema)[0] ?? 'string',
    ...(typeof schema['format'] === 'string' ? { format: schema['format'] } : {}),
    ...(Array.isArray(schema['enum']) ? { enum: schema['enum'] } : {}),
    words: joined(stems(name)),
    head: joined(
      stems(
        description.split(/\b(?:of|that|which|in|at|on|to|for|by|from|through|according|under|with|as)\b|[,(]/i)[0] ??
          '',
      ),
    ),
    about: joined(stems(description)).filter((word) => !SILENT.has(word)),
    description,
    ...(schema['items'] === undefined ? {} : { items: schema['items'] as Json }),
  };
}

/** Every value below an object; lists are left out but for their number. */
export function leavesIn(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return [{ path: [...path], value }];
  if (Array.isArray(value)) {
    const scalars = value.every((item) => typeof item !== 'object' || item === null);
    return scalars ? [{ path: [...path], value }] : [];
  }
  return Object.entries(value)
    .filter(([name]) => !ENVELOPE.test(name))
    .flatMap(([name, inner]) => leavesIn(inner, [...path, name]));
}

/** Every field that may hold the fact, best first. */
export function fieldsFor(fact: Fact, leaves: readonly Leaf[], intent: string, source = '', whole = intent): Found[] {
  const nouns = stems(source);
  return leaves
    .flatMap((leaf) => scored(fact, leaf, intent, nouns).map((one) => spokenElsewhere(fact, one, intent, whole)))
    .sort((a, b) => b.score - a.score || a.leaf.path.length - b.leaf.path.length);
}

/** A name that another part of the intent gives is still a name that it gives. */
function spokenElsewhere(fact: Fact, one: Found, intent: string, whole: string): Found {
  const isName = fact.type === 'string' && NAMES_OF.test(fact.description) && typeof one.value === 'string';
  if (!isName || intent.includes(String(one.value)) || !whole.includes(String(one.value))) return one;
  return { ...one, score: one.score + 0.7 * Math.max(0, spokenFor(fact, one.value, whole)) };
}

const NAMES_OF = /^(?:host)?names? (?:of|under)\b/i;

/** The field that says most about the fact, or undefined when none says enough. */
export const bestField = (fact: Fact, leaves: readonly Leaf[], intent: string, source = ''): Found | undefined =>
  fieldsFor(fact, leaves, intent, source)[0];

function scored(fact: Fact, leaf: Leaf, intent: string, nouns: readonly string[]): Found[] {
  const value = asType(fact, leaf);
  const own = joined(stems(leaf.path.at(-1) ?? ''));
  const isId = KEYS.has(own.at(-1) ?? '');
  // An id is no name.
  if (value === undefined || !inRange(fact, value) || (isId && own.length > 1 && /\bname\b/i.test(fact.description)))
    return [];
  const said = saidBy(fact, leaf, own, nouns);
  // The moment that a change was asked for is told by whatever field repeats it.
  if (repeatsMoment(fact, value, intent)) return [{ score: 2 + said.names + said.told, value, leaf }];
  const words = said.names + said.told + likeExample(fact, value);
  const unit = sharesUnit(own, fact) ? 1 : 0;
  if (words + unit < ENOUGH) return [];
  // A name is that of the object itself, unless the words before it say whose.
  const others = isNameOfOther(fact, leaf, nouns) ? 2 : 0;
  // The fact's own words say nothing for it: only what its description tells around them.
  const doubt = said.names < 0.4 && fact.type !== 'boolean' && words > 0 ? 2.5 : 0;
  const isKey = isId && !resembles(own.at(-1) as string, [...fact.words, ...fact.about]);
  const sum = words + unit + spokenFor(fact, value, intent) - others - doubt - leaf.path.length * 0.05;
  return [{ score: sum * (isKey ? 0.3 : 1), value, leaf }];
}

/** How much of the fact the field says, and how much of the field the fact says. */
function saidBy(
  fact: Fact,
  leaf: Leaf,
  own: readonly string[],
  nouns: readonly string[],
): { names: number; told: number } {
  const around = [...own, ...joined(stems(leaf.path.slice(0, -1).join(' ')))];
  const isOfTool = resembles(own.at(-1) ?? '', [...fact.words, ...fact.head]);
  const byTool = isOfTool ? 0.6 * likeness(fact.words, [...around, ...nouns]) : 0;
  const named = 1.5 * Math.max(likeness(fact.words, around), byTool) + 1.5 * likeness(own, fact.words);
  const headed = likeness(fact.head, around) + likeness(own, fact.head);
  return { names: named + headed, told: likeness(around, fact.about) + saidByState(fact, leaf) };
}

const repeatsMoment = ({ format }: Fact, value: unknown, intent: string): boolean =>
  format !== undefined && typeof value === 'string' && MOMENT.test(value) && intent.includes(value);

const sharesUnit = (own: readonly string[], { about }: Fact): boolean =>
  own.some((word) => UNIT_OF[word] !== undefined && about.some((one) => UNIT_OF[one] === UNIT_OF[word]));

const NAME_OF =
  /\bnames? of (?:the |all |its |an? |every |that )*([a-z][a-z -]*?)(?= (?:that|which|who|in|at|of|to|on|through|from|according|with|under)\b|[,.]|$)/i;

/** The name of a client is not that of the access point it hangs on. */
function isNameOfOther({ words, description }: Fact, { path }: Leaf, nouns: readonly string[]): boolean {
  if (path.length !== 1 || !OWN_NAME.test(path[0] as string) || nouns.length === 0) return false;
  const thing = NAME_OF.exec(description)?.[1];
  const subjects =
    thing === undefined
      ? words.filter((word) => !NAMES.has(word) && !['new', 'old'].includes(word))
      : joined(stems(thing));
  return subjects.length > 0 && !subjects.some((word) => (WEAK.get(word) ?? 1) > 0.5 && resembles(word, nouns));
}

const RANGE = /\b(\d+)(?: to |-)(\d+)\b/;

/** "0 to 100", "in percent": a value outside is something else. */
function inRange({ description }: Fact, value: unknown): boolean {
  if (typeof value !== 'number') return true;
  const [, low, high] = RANGE.exec(description) ?? [];
  if (low !== undefined && high !== undefined) return value >= Number(low) && value <= Number(high);
  return !/\bpercent\b/.test(description) || (value >= 0 && value <= 100);
}

/** "Whether it came to its end" is told by a state that says so. */
function saidByState(fact: Fact, { value, path }: Leaf): number {
  // A platform of the older kind answers 0 where all went well.
  if (fact.type === 'boolean' && value === 0 && STATE.test(path.at(-1) ?? ''))
    return [...fact.words, ...fact.about].some((word) => resembles('success', [word])) ? 2 : 0;
  if (fact.type !== 'boolean' || typeof value !== 'string' || !STATE.test(path.at(-1) ?? '')) return 0;
  return DONE.test(value) || stems(value).some((word) => resembles(word, [...fact.words, ...fact.about])) ? 2 : 0.5;
}

const NAMES = new Set(['name', 'serial', 'address', 'host', 'ssid', 'hostname']);

/** What the intent names is often what a fact names again: the object itself, or the value that it was given. */
function spokenFor({ head, format }: Fact, value: unknown, intent: string): number {
  if (typeof value === 'number') return new RegExp(`(?<![\\w.])${value}(?![\\w.])`).test(intent) ? 1.5 : 0;
  if (typeof value !== 'string' || !intent.includes(value) || !mentions(intent, value)) return 0;
  if (value === value.toUpperCase() && /[A-Z]_/.test(value)) return 0.3;
  // The address that a question names is what it asks by, not what it asks for.
  if (format === 'mac') return -1.5;
  return format === undefined && head.some((word) => NAMES.has(word)) && !/\s/.test(value) ? 2 : 0.3;
}

/** The value has the form of what the description gives as examples: "such as ONLINE or OFFLINE". */
function likeExample({ description, enum: listed = [] }: Fact, value: unknown): number {
  if (typeof value !== 'string' || value.length < 2) return 0;
  if (/\bIP(v4)? address\b/i.test(description) && IPV4.test(value)) return 1.2;
  const folded = (text: unknown) =>
    String(text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  if (listed.some((choice) => folded(choice) === folded(value))) return 2;
  if (!/^[A-Za-z][A-Za-z_0-9-]+$/.test(value)) return 0;
  // An example of the same family: WPA2_ENTERPRISE for WPA3_SAE.
  const examples = (/such as (.*)$/i.exec(description)?.[1] ?? '')
    .split(/[^A-Za-z_0-9-]+/)
    .filter((word) => word.length > 2);
  const isShouted = value === value.toUpperCase();
  if (examples.some((example) => isShouted && example.slice(0, 3) === value.slice(0, 3))) return 1.2;
  return isShouted && examples.some((example) => example === example.toUpperCase()) ? 0.8 : 0;
}

const MOMENT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/;
/** A secret that the server does not show. */
const HIDDEN = /^(\*+|\[redacted\])$/i;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const MAC = /^[0-9a-f]{2}([:-]?[0-9a-f]{2}){5}$/i;
/** A text that may be a number. */
const NUMBERED = /\b(id|identifier|number|code|version|release|serial|key|value)\b/i;
const STATE = /^(status|state|phase|result)$/i;
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

function asText({ format, description }: Fact, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof value === 'number' && !(format === undefined && NUMBERED.test(description))) return undefined;
  if (HIDDEN.test(String(value))) return undefined;
  if (/\bIP(v4)? address\b/i.test(description) && MAC.test(String(value))) return undefined;
  // A moment answers only what asks for one.
  if (
    format === undefined &&
    MOMENT.test(String(value)) &&
    !/\b(when|time|date|day|moment|since|until)\b/i.test(description)
  )
    return undefined;
  const form = format === 'mac' ? MAC : format === undefined ? undefined : MOMENT;
  return form === undefined || form.test(String(value)) ? value : undefined;
}

/** A switch is a fact as it stands; a word of state answers "whether it is …" when it says the same or that all is done. */
function asBoolean(fact: Fact, value: unknown, path: readonly string[]): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (!STATE.test(path.at(-1) ?? '')) return undefined;
  if (typeof value === 'number') return value === 0;
  if (typeof value !== 'string') return undefined;
  return DONE.test(value) || stems(value).some((word) => resembles(word, fact.words));
}
