/**
 * Slots: values that a scenario leaves open, drawn by the run seed. The same seed, scenario and fixture give the same
 * values; another seed gives other objects, so an agent cannot memorise a scenario.
 */
import { createHash } from 'node:crypto';
import { got, HarnessError } from '../harness-errors.ts';
import { seededRandom, seedFor } from '../statistics/stats.ts';
import type { ScenarioFile, Slot } from './scenario-schema.ts';
import { canonicalJson } from './sorted-json.ts';

/** What of a scenario its slots depend on; `file` is for messages. */
type Slotted = Pick<ScenarioFile, 'id' | 'platform' | 'slots'> & { file: string };
export type FixtureObject = Record<string, unknown>;
/** Reads one resource of the starting state. */
export type ReadState = (platform: string, resource: string) => Promise<FixtureObject[]>;
export type SlotValues = Record<string, unknown>;

/** Of an invented number that states no bounds. */
export const NUMBER_RANGE = { from: 1, to: 100 };

const WORDS = ['harrier', 'hazel', 'marble', 'orchard', 'pebble', 'quartz', 'saffron', 'thistle', 'willow', 'zephyr'];

export async function drawSlots(scenario: Slotted, seed: number, read: ReadState): Promise<SlotValues> {
  const values: SlotValues = {};
  for (const [name, slot] of Object.entries(scenario.slots ?? {})) {
    const random = seededRandom(seedFor(seed, scenario.id, name));
    values[name] =
      'resource' in slot ? await drawObject(scenario, name, slot, random, read, values) : invent(slot, random);
  }
  return values;
}

async function drawObject(
  scenario: Slotted,
  name: string,
  slot: Extract<Slot, { resource: string }>,
  random: () => number,
  read: ReadState,
  earlier: SlotValues,
): Promise<unknown> {
  const where = fillSlots(slot.where ?? {}, earlier);
  const all = await read(slot.platform ?? scenario.platform, slot.resource).catch((error: unknown) => {
    const [, expected] = /UNKNOWN_RESOURCE","message":"resource: (expected one of .*)/.exec(String(error)) ?? [];
    if (expected === undefined) throw error;
    const said = `${scenario.file}: slot \`${name}\` has resource ${got(slot.resource)}, ${expected}`;
    throw new HarnessError('SCENARIO_INVALID', said, { cause: error });
  });
  const matching = all.filter((object) => matchesWhere(object, where));
  if (slot.take === 'count') return matching.length;
  if (slot.take === 'all') return matching;
  if (matching.length === 0) {
    throw new HarnessError(
      'SLOT_EMPTY',
      `${scenario.file}: slot \`${name}\` should match an object of ${slot.resource} (${all.length} in the fixture), got none for ${canonicalJson(where)}`,
    );
  }
  // Order by content, not by position, so that a reordered fixture draws the same object.
  const ordered = matching
    .map((object) => ({ object, key: createHash('sha256').update(canonicalJson(object)).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return ordered[Math.floor(random() * ordered.length)]?.object;
}

function invent(slot: Exclude<Slot, { resource: string }>, random: () => number): unknown {
  if ('one_of' in slot) return slot.one_of[Math.floor(random() * slot.one_of.length)];
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? 'willow';
  if (slot.invent === 'number') {
    const { from = NUMBER_RANGE.from, to = NUMBER_RANGE.to } = slot;
    return from + Math.floor(random() * (to - from + 1));
  }
  if (slot.invent === 'word') return word();
  return `${word()}-${word()}-${1000 + Math.floor(random() * 9000)}`;
}

/** Object satisfies every condition of a `where`. */
export function matchesWhere(object: FixtureObject, where: Record<string, unknown>): boolean {
  return Object.entries(where).every(([field, condition]) => matchesCondition(fieldOf(object, field), condition));
}

function matchesCondition(value: unknown, condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    return canonicalJson(value ?? null) === canonicalJson(condition);
  }
  return Object.entries(condition).every(([name, operand]) => {
    const holds = OPERATORS.get(name);
    if (holds !== undefined) return holds(value, operand);
    throw new HarnessError('SCENARIO_INVALID', `\`where\` should use ${CONDITIONS.join(', ')}, got ${got(name)}`);
  });
}

const OPERATORS = new Map<string, (value: unknown, operand: unknown) => boolean>([
  ['not', (value, operand) => !matchesCondition(value, operand)],
  ['in', (value, operand) => Array.isArray(operand) && operand.some((item) => matchesCondition(value, item))],
  ['min', (value, operand) => typeof value === 'number' && value >= Number(operand)],
  ['max', (value, operand) => typeof value === 'number' && value <= Number(operand)],
  [
    'contains',
    (value, operand) =>
      (typeof value === 'string' || Array.isArray(value)) && (value as string).includes(operand as string),
  ],
]);

export const CONDITIONS: readonly string[] = [...OPERATORS.keys()];

/** `a.b.0` inside a value; a field whose own name has dots wins. */
export function fieldOf(object: unknown, path: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  const record = object as Record<string, unknown>;
  if (Object.hasOwn(record, path)) return record[path];
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  return fieldOf(record[path.slice(0, dot)], path.slice(dot + 1));
}

/** Fills `{{slot}}` and `{{slot.field}}`; text that is one placeholder alone keeps the value's type. */
export function fillSlots<T>(value: T, slots: SlotValues): T {
  if (typeof value === 'string') return fillText(value, slots) as T;
  if (Array.isArray(value)) return value.map((item) => fillSlots(item, slots)) as T;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [
      String(fillText(key, slots)),
      fillSlots(inner, slots),
    ]);
    return Object.fromEntries(entries) as T;
  }
  return value;
}

function fillText(text: string, slots: SlotValues): unknown {
  const lookUp = (path: string): unknown => {
    const [name = '', ...rest] = path.split('.');
    const value = rest.length === 0 ? slots[name] : fieldOf(slots[name], rest.join('.'));
    if (value === undefined)
      throw new HarnessError('SLOT_EMPTY', `\`{{${path}}}\` should have a value, got ${got(slots[name])}`);
    return value;
  };
  const alone = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(text);
  if (alone) return lookUp(alone[1] ?? '');
  return text.replaceAll(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, path: string) => String(lookUp(path)));
}

/** `METHOD /path?query` with its slots filled in; whatever a value holds, it stays one segment of the path or one value of the query. */
export function fillCall(call: string, slots: SlotValues): string {
  return call.replaceAll(/\{\{[^{}]*\}\}/g, (slot) => encodeURIComponent(String(fillText(slot, slots))));
}

/** Slot values that must never appear in an answer. */
export function secretSlots(scenario: Pick<Slotted, 'slots'>, values: SlotValues): Record<string, string> {
  const secret = Object.entries(scenario.slots ?? {}).filter(([, slot]) => 'invent' in slot && slot.secret === true);
  return Object.fromEntries(secret.map(([name]) => [name, String(values[name])]));
}
