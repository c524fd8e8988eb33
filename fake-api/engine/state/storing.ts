/** How a row comes into being, changes and goes, by whichever operation: the rules are asked, then the state is told. */
import type { Call } from '../http/accepted-call.ts';
import { type Answer, refuse } from '../http/platform-answer.ts';
import { plain, plainName, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { expressionOf, textMatching } from '../openapi/pattern.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { type Row, rowId, rowParts } from './collection.ts';
import { Dice } from './determinism.ts';
import { brokenRule } from './integrity.ts';
import { isObject, type JsonObject } from './json-value.ts';
import { assignmentsOf, livesElsewhere, setPlace } from './scopes.ts';
import { keyOf, newId, referrersOf } from './stored-rows.ts';
import { missingParent } from './target-row.ts';
import { clonedDraft, type Draft, newDraft } from './writing.ts';

/** Row id of the stored object, or the refusal. */
export function createOne(call: Call, resource: Resource, body: JsonObject): string | Answer {
  const id = idForCreate(call, resource, body);
  if (typeof id !== 'string') return id;
  const rows = call.state.rows(call.platform.id, resource.name);
  if (rows.get(id) !== undefined) return taken(resource, id);
  return store(call, resource, id, newDraft(call, resource, id, body), 1);
}

export function store(call: Call, resource: Resource, id: string, draft: Draft, revision: number): string | Answer {
  const rows = call.state.rows(call.platform.id, resource.name);
  const before = rows.get(id) ?? null;
  const broken =
    livesElsewhere(call, resource, id) ??
    brokenRule(call, resource, id, draft.value, draft.secrets, before) ??
    call.world.objects(call, { resource, id, values: draft.value });
  if (broken !== null) return broken;
  call.state.put(resource, { id, value: draft.value, secrets: draft.secrets, revision });
  setPlace(call, resource, id);
  call.world.wrote(call, resource, draft.value);
  return id;
}

/** Key from the path, from the body, or given by the platform. */
function idForCreate(call: Call, resource: Resource, body: JsonObject): string | Answer {
  const parents = call.values.slice(0, resource.parentNames.length);
  if (call.operation.template.endsWith('}') && call.values.length > parents.length) return rowId(call.values);
  const parts: string[] = [];
  for (const name of resource.keyNames) {
    const given = body[name];
    parts.push(given === undefined || given === null ? generatedKey(call, resource, name) : String(given));
  }
  return rowId([...parents, ...parts]);
}

function generatedKey(call: Call, resource: Resource, name: string): string {
  const shape = resource.readSchema === null ? null : shapeOf(resource.document, resource.readSchema);
  const schema = shape?.properties[name] === undefined ? {} : plain(resource.document, shape.properties[name]);
  const dice = newId(call.state, call.platform.id, resource.name);
  if (typesOf(schema).includes('integer')) return String(highestOf(call, resource, name) + 1);
  if (schema.format === 'mac') return dice.mac();
  const uuid = dice.uuid();
  if (schema.pattern === undefined) return uuid.slice(0, schema.maxLength ?? 64);
  const pattern = expressionOf(schema.pattern);
  if (pattern.test(uuid)) return uuid.slice(0, schema.maxLength ?? 64);
  const number = String(highestOf(call, resource, name) + 1);
  const forms = [uuid.replaceAll('-', ''), `${resource.name.slice(0, 8)}-${dice.hex(8)}`, dice.base32(10), number];
  return forms.find((form) => pattern.test(form)) ?? unusedMatch(call, resource, name, schema.pattern, dice) ?? uuid;
}

function highestOf(call: Call, resource: Resource, name: string): number {
  let highest = 0;
  for (const row of call.state.rows(call.platform.id, resource.name).all()) {
    const value = Number(row.value[name] ?? 0);
    if (Number.isInteger(value)) highest = Math.max(highest, value);
  }
  return highest;
}

const TRIES = 50;

function unusedMatch(call: Call, resource: Resource, name: string, pattern: string, dice: Dice): string | null {
  const rows = [...call.state.rows(call.platform.id, resource.name).all()];
  const used = new Set(rows.map((row) => row.value[name]));
  for (let number = 1; number <= TRIES; number += 1) {
    const text = textMatching(pattern, new Dice(...dice.parts, number));
    if (text !== null && !used.has(text)) return text;
  }
  return null;
}

/** A copy of a row under another key. What must be unique and was not given gets a value that nobody has. */
export function cloneOne(call: Call, resource: Resource, row: Row, given: JsonObject): string | Answer {
  const own = Object.entries(row.value).filter(([name]) => resource.writable.has(name));
  const body: JsonObject = { ...(Object.fromEntries(own) as JsonObject), ...overridesOf(resource, given) };
  const parents = rowParts(row.id).slice(0, resource.parentNames.length);
  for (const name of new Set([...resource.keyNames, ...resource.unique])) {
    const value = row.value[name];
    if (body[name] !== undefined && body[name] !== value) continue;
    if (!resource.writable.has(name) && !resource.keyNames.includes(name)) continue;
    if (resource.keyNames.includes(name) && isGenerated(resource, name)) delete body[name];
    else if (value !== undefined && value !== null) body[name] = unusedLike(call, resource, name, value);
  }
  const keys = resource.keyNames.map((name) => String(body[name] ?? generatedKey(call, resource, name)));
  const id = rowId([...parents, ...keys]);
  if (call.state.rows(call.platform.id, resource.name).get(id) !== undefined) return taken(resource, id);
  return store(call, resource, id, clonedDraft(call, resource, id, row, body), 1);
}

/** `newName` of an action's input is the `name` of the copy. */
function overridesOf(resource: Resource, given: JsonObject): JsonObject {
  const fields = [...new Set([...resource.keyNames, ...resource.writable])];
  const named = Object.entries(given).flatMap(([name, value]) => {
    const plainly = plainName(name).replace(/^(new|target|copy)(?=.)/, '');
    const field = fields.find((each) => each === name) ?? fields.find((each) => plainName(each) === plainly);
    return field === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(named);
}

function isGenerated(resource: Resource, name: string): boolean {
  return resource.generatedKey || (resource.itemTemplate === null && !resource.writable.has(name));
}

function unusedLike(call: Call, resource: Resource, name: string, value: unknown): JsonObject[string] {
  const rows = [...call.state.rows(call.platform.id, resource.name).all()];
  const used = new Set(rows.map((row) => row.value[name]));
  if (typeof value === 'number') return Math.max(...[...used].filter((each) => typeof each === 'number')) + 1;
  const longest = shapeOf(resource.document, resource.createSchema ?? {}).properties[name]?.maxLength ?? 64;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '-copy' : `-copy-${number}`;
    const candidate = `${String(value).slice(0, longest - ending.length)}${ending}`;
    if (!used.has(candidate)) return candidate;
  }
}

export function removeOne(call: Call, resource: Resource, id: string): Answer | null {
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  if (row === undefined) return missingParent(call) ?? notFound(resource, rowParts(id));
  const objection =
    livesElsewhere(call, resource, id) ??
    stillUsed(call, resource, id) ??
    call.world.objects(call, { resource, id, values: row.value });
  if (objection !== null) return objection;
  clearReferences(call, resource, row.id);
  call.state.remove(resource, id);
  call.world.wrote(call, resource, null);
  return null;
}

/** Who still points at a row and keeps it from being deleted. */
export function stillUsed(call: Call, resource: Resource, id: string): Answer | null {
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  if (row === undefined) return null;
  const key = String(keyOf(resource, row));
  const pointing = referrersOf(call, resource, row).filter(
    (entry) => entry.field.target.onDelete !== 'set-null' && !entry.field.readOnly,
  );
  const users = [
    ...pointing.map((entry) => `${entry.resource.name}/${rowParts(entry.row.id).join('/')}`),
    ...assignmentsOf(call, resource, key),
  ];
  if (users.length === 0) return null;
  const listed = users.slice(0, 10).join(', ');
  const message = `${resource.name} entry "${key}": expected no reference to it, got ${users.length} (${listed}${users.length > 10 ? ', …' : ''})`;
  return refuse(409, 'STILL_REFERENCED', message);
}

/** References that are declared to be cleared on deletion. */
function clearReferences(call: Call, resource: Resource, id: string): void {
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  if (row === undefined) return;
  for (const pointing of referrersOf(call, resource, row)) {
    const wanted = keyOf(resource, row, pointing.field.target.field);
    const value = structuredClone(pointing.row.value);
    clear(value, pointing.field.path, wanted);
    call.state.put(pointing.resource, { ...pointing.row, value });
  }
}

function clear(at: unknown, path: string[], wanted: unknown): void {
  const [step, ...rest] = path;
  if (step === '[]' && Array.isArray(at)) {
    if (rest.length === 0) at.splice(0, at.length, ...at.filter((entry) => entry !== wanted));
    else for (const entry of at) clear(entry, rest, wanted);
  } else if (isObject(at) && step !== undefined) {
    if (rest.length > 0) clear(at[step], rest, wanted);
    else if (at[step] === wanted) at[step] = null;
  }
}

function taken(resource: Resource, id: string): Answer {
  const key = rowParts(id).slice(resource.parentNames.length).join('/');
  return refuse(
    409,
    'ALREADY_EXISTS',
    `${resource.name} entry "${key}": expected a name not in use, got one that exists`,
  );
}

export function notFound(resource: Resource, values: readonly string[]): Answer {
  const key = values.slice(resource.parentNames.length).join('/') || values.join('/');
  return refuse(404, 'NOT_FOUND', `${resource.name} entry "${key}": expected an existing one, got none of that name`);
}
