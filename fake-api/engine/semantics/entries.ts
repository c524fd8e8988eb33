/** What the entries of one drawn list owe to each other: different names, places in turn, and no ALL beside others. */
import { type OpenApiDocument, plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { isObject } from '../state/json-value.ts';
import { wordsOf } from './field-name-words.ts';

/** Fields by which an engineer tells the entries of a list apart. */
const IDENTITY =
  /^(name|id|key|mac|serial|interface|ifname|vap|rack|server|host|member|metric|attribute|model|channel|vlan|ssid|role|user|group|port|device|sensor|appliance|switch|gateway|node|ip|address|label|tag|prefix|network|attachment|parameter|zone|neighbour|neighbor|peer|app|application|site|stage|step|service|area|band|trafficclass|traffic_class|policer|section|key_?id|mount|partition|disk|activity|day|weekday)$/;

/** What no other entry of the list may have: the first identifying field of an object, else the whole value. */
export function markOf(entry: unknown): string {
  if (!isObject(entry)) return JSON.stringify(entry);
  const own = Object.entries(entry).find(([name, value]) => value !== null && isIdentity(name));
  return own === undefined ? JSON.stringify(entry) : `${own[0]} ${JSON.stringify(own[1])}`;
}

const identities = new Map<string, boolean>();
function isIdentity(name: string): boolean {
  const known =
    identities.get(name) ?? IDENTITY.test(name.replace(/[-_]?(id|name|address)$/i, '').toLowerCase() || name);
  identities.set(name, known);
  return known;
}

/** Numbers that say where in its list an entry stands; lines of lists of rules are ten apart. */
const PLACE = /^(position|order|rank|index|hop|number|row|place|step|choice|priority)$/;
const MEMBER = /^(member|slot) (id|number)$/;
const LINE = /^(seq|sequence|precedence)$/;

interface Turn {
  name: string;
  step: number;
  least: number;
  most: number;
}

const turns = new WeakMap<Schema, readonly Turn[]>();

function turnsOf(document: OpenApiDocument, items: Schema): readonly Turn[] {
  const known = turns.get(items);
  if (known !== undefined) return known;
  const found = Object.entries(shapeOf(document, items).properties).flatMap(([name, property]): Turn[] => {
    const schema = plain(document, property);
    const last = wordsOf(name).at(-1) ?? '';
    if (!typesOf(schema).includes('integer') || schema.enum !== undefined || schema['x-svc-ref'] !== undefined)
      return [];
    const step = LINE.test(last) ? 10 : PLACE.test(last) || MEMBER.test(wordsOf(name).join(' ')) ? 1 : 0;
    const { minimum: least = 0, maximum: most = Number.MAX_SAFE_INTEGER } = schema;
    return step === 0 ? [] : [{ name, step, least, most }];
  });
  turns.set(items, found);
  return found;
}

const EVERYTHING = /^(all|any)$/i;

/** The drawn entries as one list. */
export function asInList(document: OpenApiDocument, items: Schema, entries: unknown[], least: number): unknown[] {
  const everything = entries.find((entry) => typeof entry === 'string' && EVERYTHING.test(entry));
  if (everything !== undefined && least <= 1) return [everything];
  if (!isObject(entries[0])) return entries;
  inOrder(document, plain(document, items), entries as Record<string, unknown>[]);
  const inTurn = turnsOf(document, plain(document, items));
  for (const [at, entry] of inTurn.length === 0 ? [] : (entries as Record<string, unknown>[]).entries())
    for (const { name, step, least: from, most } of inTurn)
      if (typeof entry[name] === 'number') entry[name] = Math.min(most, Math.max(from, (at + 1) * step));
  return entries;
}

const orders = new WeakMap<Schema, ((entry: Record<string, unknown>) => number) | null>();

/** What happened at moments stands in their order, stages in the order in which they are run through. */
function inOrder(document: OpenApiDocument, items: Schema, entries: Record<string, unknown>[]): void {
  const known = orders.get(items);
  const order = known === undefined ? orderOf(document, items) : known;
  orders.set(items, order);
  if (order !== null) entries.sort((left, right) => order(left) - order(right));
}

function orderOf(document: OpenApiDocument, items: Schema): ((entry: Record<string, unknown>) => number) | null {
  const fields = Object.entries(shapeOf(document, items).properties).map(
    ([name, property]) => [name, plain(document, property)] as const,
  );
  const stages = fields.find(([name, { enum: words }]) => /^(stage|phase)$/.test(name) && words !== undefined);
  if (stages !== undefined) return (entry) => stages[1].enum?.indexOf(entry[stages[0]] as never) ?? 0;
  const moments = fields.filter(
    ([name, { format }]) => format === 'date-time' && /(^|[-_a-z])(at|At|time|timestamp)$/.test(name),
  );
  const [only] = moments;
  return only === undefined || moments.length > 1 ? null : (entry) => Date.parse(String(entry[only[0]])) || 0;
}
