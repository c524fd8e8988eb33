/**
 * The task of a recording, made again from the scenario file. Values that the seed alone decides are drawn again. Values that
 * were read from the fixture are taken from where the recorded task has them, and must be the same everywhere in it.
 */
import { isDeepStrictEqual } from 'node:util';
import { got } from '../harness-errors.ts';
import type { Recording, Task } from '../recording/recording.ts';
import { redact } from '../recording/redact-recording.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { drawSlots, matchesWhere, type SlotValues, secretSlots } from '../scenario/seeded-slots.ts';
import { buildTask } from './seeded-task.ts';

export interface TaskProblem {
  /** Below the recording, such as `task.api_calls`. */
  field: string;
  expected: string;
  got: string;
}

export async function rebuildTask(
  scenario: Scenario,
  { task, seed, subject }: Pick<Recording, 'task' | 'seed' | 'subject'>,
): Promise<{ task: Task } | { problem: TaskProblem }> {
  const paths = placeholdersOf(scenario);
  const drawn = await drawSlots(withoutObjects(scenario), seed, async () => []);
  const marked = markedSlots(paths);
  const template = buildTask(scenario, marked.slots, subject.name).task;
  const found = new Map<string, unknown>();
  capture(template, task, marked.markers, found);
  const slots = withRows(slotsFrom(paths, drawn, found), rowsFrom(scenario, task));
  const condition = brokenCondition(scenario, slots);
  if (condition !== undefined) return { problem: condition };
  const rebuilt = redact(buildTask(scenario, slots, subject.name).task, secretSlots(scenario, slots));
  const difference = firstDifference(rebuilt, task, 'task');
  return difference === undefined ? { task: rebuilt } : { problem: difference };
}

/** Every `slot` and `slot.field` that the scenario uses. */
function placeholdersOf(scenario: Scenario): string[] {
  const { slots: _slots, paraphrases: _others, ...used } = scenario;
  const text = JSON.stringify(used);
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map((match) => match[1] ?? ''))];
}

/** Slots that need no fixture. */
function withoutObjects(scenario: Scenario): Scenario {
  const slots = Object.entries(scenario.slots ?? {}).filter(([, slot]) => !('resource' in slot));
  return { ...scenario, slots: Object.fromEntries(slots) };
}

interface Marked {
  slots: SlotValues;
  /** Marker → path of the placeholder that it stands for. */
  markers: Map<string, string>;
}

/** Letters and digits only, so that a marker is the same in a path and in a text. */
function markedSlots(paths: readonly string[]): Marked {
  const markers = new Map(paths.map((path, i) => [`SlotMarker${i}End`, path]));
  return { slots: nested([...markers].map(([marker, path]) => [path, marker])), markers };
}

/** `a.b.c` becomes the field `b.c` of `a`: a field whose own name has dots wins when it is looked up. */
function nested(values: readonly (readonly [path: string, value: unknown])[]): SlotValues {
  const slots: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) slots[name] = value;
    else slots[name] = { ...(slots[name] as object | undefined), [rest.join('.')]: value };
  }
  return slots;
}

const MARKER = /SlotMarker\d+End/g;

/** Walks the template beside the recorded value. A value that stands alone keeps its type and therefore wins. */
function capture(
  template: unknown,
  recorded: unknown,
  markers: ReadonlyMap<string, string>,
  found: Map<string, unknown>,
): void {
  if (typeof template === 'string') {
    const alone = markers.get(template);
    if (alone !== undefined) found.set(alone, recorded);
    else if (typeof recorded === 'string') captureText(template, recorded, markers, found);
  } else if (Array.isArray(template) && Array.isArray(recorded)) {
    for (const [i, inner] of template.entries()) capture(inner, recorded[i], markers, found);
  } else if (typeof template === 'object' && template !== null && typeof recorded === 'object' && recorded !== null) {
    for (const [key, inner] of Object.entries(template)) {
      capture(inner, (recorded as Record<string, unknown>)[key], markers, found);
    }
  }
}

function captureText(
  template: string,
  recorded: string,
  markers: ReadonlyMap<string, string>,
  found: Map<string, unknown>,
): void {
  const names = [...template.matchAll(MARKER)].map(([marker]) => markers.get(marker) ?? '');
  if (names.length === 0) return;
  const isCall = /^[A-Z]+ \//.test(template);
  const pattern = template
    .split(MARKER)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(isCall ? '([^/]*)' : '([\\s\\S]+?)');
  const groups = new RegExp(`^${pattern}$`).exec(recorded)?.slice(1) ?? [];
  for (const [i, text] of groups.entries()) {
    const name = names[i] ?? '';
    if (!found.has(name)) found.set(name, isCall ? decoded(text) : text);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Lists are stated by the fields of their rows that are facts, so the rows can be made again from the facts. */
function rowsFrom({ expect }: Scenario, { facts }: Task): Map<string, Record<string, unknown>[]> {
  const found = new Map<string, Record<string, unknown>[]>();
  for (const [fact, stated] of Object.entries(expect.facts)) {
    const { each, fields } = (stated ?? {}) as { each?: unknown; fields?: string | Record<string, string> };
    const name = typeof each === 'string' ? /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(each)?.[1] : undefined;
    const rows = facts[fact];
    if (name === undefined || fields === undefined || !Array.isArray(rows)) continue;
    const before = found.get(name) ?? [];
    found.set(
      name,
      rows.map((row, i) => ({ ...before[i], ...rowOf(row, fields) })),
    );
  }
  return found;
}

/** Rows are a slot of their own, or a field of an object that was drawn. */
function withRows(slots: SlotValues, rows: ReadonlyMap<string, unknown>): SlotValues {
  const all: Record<string, unknown> = { ...slots };
  for (const [path, value] of rows) {
    const [name = '', ...rest] = path.split('.');
    all[name] = rest.length === 0 ? value : { ...(all[name] as object | undefined), [rest.join('.')]: value };
  }
  return all;
}

function rowOf(row: unknown, fields: string | Record<string, string>): Record<string, unknown> {
  if (typeof fields === 'string') return { [fields]: row };
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [field, (row as Record<string, unknown> | null)?.[name]]),
  );
}

/** What the seed decides wins over what the recording says. A value that no field of the task shows stands for itself. */
function slotsFrom(paths: readonly string[], drawn: SlotValues, found: ReadonlyMap<string, unknown>): SlotValues {
  // A field that is null in the fixture is a value too.
  const shown = (path: string) => (found.get(path) === undefined ? `{{${path}}}` : found.get(path));
  const values = paths.map((path) => [path, shown(path)] as const);
  return { ...nested(values), ...drawn };
}

/** A drawn object satisfies its `where`, as far as the task shows its fields. */
function brokenCondition(scenario: Scenario, slots: SlotValues): TaskProblem | undefined {
  for (const [name, slot] of Object.entries(scenario.slots ?? {})) {
    const value = slots[name];
    if (!('resource' in slot) || typeof value !== 'object' || value === null) continue;
    const shown = Object.entries(slot.where ?? {}).filter(
      ([field, condition]) =>
        Object.hasOwn(value, field) && !JSON.stringify([condition, value[field as keyof typeof value]]).includes('{{'),
    );
    for (const [field, condition] of shown) {
      if (matchesWhere(value as Record<string, unknown>, { [field]: condition })) continue;
      const actual = got((value as Record<string, unknown>)[field]);
      return { field: `task (slot ${name}.${field})`, expected: JSON.stringify(condition), got: actual };
    }
  }
  return undefined;
}

/** The first field in which two values differ. */
export function firstDifference(expected: unknown, actual: unknown, field: string): TaskProblem | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  const inside = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (inside(expected) && inside(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const at = Array.isArray(expected) ? `${field}[${key}]` : `${field}.${key}`;
      const difference = firstDifference(expected[key], actual[key], at);
      if (difference !== undefined) return difference;
    }
  }
  return { field, expected: got(expected), got: got(actual) };
}
