/** One read: its arguments from the intent, the rest by reading the list that the object or its owner stands in. */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import type { Aliases } from './aliases.ts';
import type { Toolbox } from './discovery.ts';
import { fill } from './fill.ts';
import { fieldFor, itemsOf } from './items.ts';
import { compact, wordsOf } from './name-words.ts';
import { type Need, namedBy } from './needs.ts';
import { assign, type Descriptor, type Input, type Json, type Operation, statedOperation } from './operation.ts';
import { rowsMeant } from './row-choice.ts';
import type { Mention } from './task-intent.ts';

/** Pages of one list that are followed at most. */
const PAGES = 4;
const SEARCHED = 2;

export interface Reading {
  tools: Toolbox;
  need: Need;
  aliases: Aliases;
  /** Look-ups of owners that are left. */
  lookUps: { left: number };
}

/** Whether the tool answered. */
export async function readTool(reading: Reading, hit: Descriptor, isDone: () => boolean): Promise<boolean> {
  const { tools, need } = reading;
  const operation = statedOperation(hit) ?? (await tools.open(hit));
  const filled = fill(operation, need);
  if (filled.missing.length === 0) {
    if (operation.inputs.every(({ required }) => !required)) return readListAndOne(reading, hit, isDone);
    return !(await tools.read(hit.name, filled.arguments)).isError;
  }
  const seen = keysSeen(reading, filled.missing, filled.arguments);
  if (seen !== undefined && !(await tools.read(hit.name, seen)).isError) return true;
  const list = listBeside(hit);
  const rows = list === undefined ? undefined : await readList(reading, list);
  if (rows !== undefined && isDone()) return true;
  const args =
    keysFrom(rows ?? [], filled.missing, filled.arguments, reading) ?? (await ownersKeys(reading, operation, filled));
  return args === undefined ? rows !== undefined : !(await tools.read(hit.name, args)).isError;
}

/** Keys that an object read before carries under the very name: an alarm's `applianceId` leads to the appliance. */
function keysSeen(reading: Reading, missing: readonly Input[], args: Json): Json | undefined {
  const { need, tools, aliases } = reading;
  if (missing.some(({ name }) => ownerOf(name) === undefined)) return undefined;
  for (const { json } of [...tools.evidence()].reverse()) {
    const rows = itemsOf(json);
    const meant = rows === undefined ? undefined : rowsMeant(rows, need.text, namedBy(need), aliases);
    const object = rows === undefined ? json : meant !== undefined && meant.score > 1.5 ? meant.rows[0] : undefined;
    const found = typeof object === 'object' && object !== null ? exactKeys(object as Json, missing, args) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function exactKeys(object: Json, missing: readonly Input[], args: Json): Json | undefined {
  const result = structuredClone(args);
  for (const input of missing) {
    const value = Object.entries(object).find(([field]) => compact(field) === compact(input.name))?.[1];
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    assign(result, input.path, value);
  }
  return result;
}

/** A list, and the object that is meant by the tool beside it, which tells more of it. */
async function readListAndOne(reading: Reading, hit: Descriptor, isDone: () => boolean): Promise<boolean> {
  const { tools, need } = reading;
  const rows = await readList(reading, hit);
  if (rows === undefined || rows.length === 0) return false;
  const one = Object.entries(hit.siblings ?? {}).find(([_name, required]) => required.length === 1);
  if (isDone() || one === undefined) return true;
  const input = { path: [one[1][0] ?? ''], name: one[1][0] ?? '', required: true, schema: {}, description: '' };
  const meant = rowsMeant(rows, need.text, namedBy(need), reading.aliases);
  const args = meant.score > 1.5 && meant.rows.length === 1 ? withKeys(meant.rows[0] as Json, [input], {}) : undefined;
  if (args !== undefined) await tools.read(one[0], args);
  return true;
}

/** The list that a tool of one object stands beside. */
function listBeside({ siblings, name, description }: Descriptor): Descriptor | undefined {
  const list = Object.entries(siblings ?? {}).find(([other, required]) => other !== name && required.length === 0)?.[0];
  return list === undefined
    ? undefined
    : { name: list, description, read_only: true, destructive: false, required: [] };
}

function keysFrom(
  rows: readonly Json[],
  missing: readonly Input[],
  args: Json,
  { need, aliases }: Reading,
): Json | undefined {
  const meant = rowsMeant(rows, need.text, namedBy(need), aliases);
  const row = meant.score > 0 || rows.length === 1 ? meant.rows[0] : undefined;
  return row === undefined ? undefined : withKeys(row, missing, args);
}

function withKeys(row: Json, missing: readonly Input[], args: Json): Json | undefined {
  const result = structuredClone(args);
  for (const input of missing) {
    const value = fieldFor(row, input.name);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    assign(result, input.path, value);
  }
  return result;
}

/** "siteId" is found in the list of sites. */
async function ownersKeys(
  reading: Reading,
  operation: Operation,
  filled: { missing: readonly Input[]; arguments: Json },
): Promise<Json | undefined> {
  const result = structuredClone(filled.arguments);
  for (const input of filled.missing) {
    const owner = ownerOf(input.name);
    if (owner === undefined || reading.lookUps.left-- <= 0) return undefined;
    const row = await ownerNamed(reading, owner, reading.tools.platforms.of(operation.name));
    const value = row === undefined ? undefined : (fieldFor(row, input.name) ?? row['id'] ?? row['name']);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    assign(result, input.path, value);
  }
  return result;
}

/** `siteId` speaks of sites; `serialNumber` and `name` of nothing in particular. */
export function ownerOf(field: string): string | undefined {
  const words = wordsOf(field).filter((word) => !['id', 'name', 'number', 'key', 'uuid', 'address'].includes(word));
  return words.length === 0 || words.every((word) => ['serial', 'mac'].includes(compact(word)))
    ? undefined
    : words.join(' ');
}

const plural = (noun: string): string => (/(s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`);

/** The row of the owners' list that the intent names, or its only one. */
async function ownerNamed(reading: Reading, owner: string, platform: string | undefined): Promise<Json | undefined> {
  const { tools, need, aliases } = reading;
  const hits = await tools.search(`list all ${plural(owner)}`, { platform, capability: 'read' });
  const last = compact(owner.split(' ').at(-1) ?? owner);
  const hit = hits.find(({ required, schema, name }) => isPlain(required, schema) && compact(name).includes(last));
  if (hit === undefined) return undefined;
  const rows = await readList(reading, hit);
  if (rows === undefined) return undefined;
  const meant = rowsMeant(rows, need.whole.text, namedBy(need), aliases);
  return rows.length === 1 ? rows[0] : meant.score > 0 && meant.rows.length === 1 ? meant.rows[0] : undefined;
}

const isPlain = (required: readonly string[] | undefined, schema: Json | undefined): boolean =>
  (required ?? (schema?.['required'] as string[] | undefined) ?? []).length === 0;

/** Rows of a list as far as they matter: all of a short one, those that a search of the server finds of a long one. */
export async function readList(reading: Reading, hit: Descriptor): Promise<Json[] | undefined> {
  const { tools, need, aliases } = reading;
  const answer = await tools.read(hit.name, {});
  const rows = answer.isError ? undefined : itemsOf(answer.json);
  if (rows === undefined) return answer.isError ? undefined : [];
  const named = namesIn(need);
  aliases.learn(rows, named);
  let all = rows;
  if (goesOn(answer)) all = (await searched(reading, hit, named)) ?? (await allPages(reading, hit, answer));
  aliases.learn(all, named);
  await learnOwners(reading, hit, all, named);
  return all;
}

const NAMES: ReadonlySet<Mention['kind']> = new Set(['mac', 'ip', 'identifier', 'quoted', 'capitalised', 'name']);

export const namesIn = ({ mentions, text }: Need): Mention[] =>
  mentions
    .filter(({ kind, secret }) => NAMES.has(kind) && !secret)
    .sort((a, b) => Number(text.includes(b.value)) - Number(text.includes(a.value)));

const goesOn = ({ json }: ToolAnswer): boolean =>
  cursorOf(json) !== undefined ||
  missingRows(json) > 0 ||
  (json as { _pagination?: { truncated?: unknown } })?._pagination?.truncated === true;

function missingRows(json: unknown): number {
  const total = (json as { _pagination?: { total?: unknown } })?._pagination?.total;
  return typeof total === 'number' ? total - (itemsOf(json)?.length ?? 0) : 0;
}

function cursorOf(json: unknown): string | undefined {
  const cursor = (json as { next_cursor?: unknown })?.next_cursor;
  return typeof cursor === 'string' ? cursor : undefined;
}

async function searched(
  { tools, need }: Reading,
  hit: Descriptor,
  named: readonly Mention[],
): Promise<Json[] | undefined> {
  const own = named.filter(({ value }) => need.text.includes(value)).slice(0, SEARCHED);
  if (own.length === 0 || !(await tools.open(hit)).inputs.some(({ name }) => name === 'search')) return undefined;
  for (const { value } of own) {
    const answer = await tools.read(hit.name, { search: value });
    const rows = answer.isError ? undefined : itemsOf(answer.json);
    if (rows !== undefined && rows.length > 0) return rows;
  }
  return undefined;
}

async function allPages({ tools }: Reading, hit: Descriptor, first: ToolAnswer): Promise<Json[]> {
  const { inputs } = await tools.open(hit);
  const largest = inputs.find(({ name }) => name === 'limit')?.schema['maximum'];
  const args = typeof largest === 'number' ? { limit: largest } : {};
  let last = typeof largest === 'number' ? await tools.read(hit.name, args) : first;
  const rows = [...(itemsOf(last.json) ?? [])];
  for (let page = 1; page < PAGES; page++) {
    const cursor = cursorOf(last.json);
    if (cursor === undefined) break;
    last = await tools.read(hit.name, args, cursor);
    if (last.isError) break;
    rows.push(...(itemsOf(last.json) ?? []));
  }
  tools.join(hit.name, rows);
  return rows;
}

/** A list of what belongs to a place carries the place's id: its name is looked up once. */
async function learnOwners(
  reading: Reading,
  hit: Descriptor,
  rows: readonly Json[],
  named: readonly Mention[],
): Promise<void> {
  const { need, aliases, tools } = reading;
  const text = JSON.stringify(rows).toLowerCase();
  const unknown = named.filter(
    ({ value, kind }) =>
      kind === 'capitalised' && need.text.includes(value) && !aliases.has(value) && !text.includes(value.toLowerCase()),
  );
  if (unknown.length === 0 || rows.length === 0) return;
  const owners = Object.keys(rows[0] ?? {}).filter((field) =>
    /^(site|location|branch|place|store|shop|building|campus|branch)s?([-_]?(id|key|uuid|name))?$/i.test(field),
  );
  const owner = owners.length === 0 ? idFields(rows[0] ?? {})[0] : ownerOf(owners[0] ?? '');
  if (owner === undefined || reading.lookUps.left-- <= 0) return;
  await ownerNamed({ ...reading, lookUps: { left: 0 } }, owner, tools.platforms.of(hit.name));
}

const idFields = (row: Json): string[] =>
  Object.keys(row)
    .filter((field) => /^[a-z]+([-_]id|Id)$/.test(field))
    .flatMap((field) => ownerOf(field) ?? []);
