/**
 * Another release on a device, a connector or an agent: every row of the platform that says what it runs says so afterwards, it has restarted, and
 * the answer tells the release that was asked for and the one before. One that is ordered for later, or without its restart, leaves what runs.
 */
import type { Call } from '../http/accepted-call.ts';
import { type OpenApiDocument, plain, plainName, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { changeRow } from './changed-row.ts';
import { type Row, rowParts } from './collection.ts';
import type { Subject, TaskCall, Values } from './platform-behaviour.ts';
import { beginRestart, endRestart, identitiesOf } from './restarts.ts';
import { readRow } from './stored-rows.ts';

const UPGRADE = /\/upgrade([-_]os)?$/;
const RUNNING = /^(?:(?:firmware|software|os|running)?version|firmware)$/;
const WANTED = /^(?:(?:firmware|software|os|target)?version|release)$/;
const LATER = /^(?:starttime|startat|scheduledat)$/;
const TOLD = /version|release|installed|^previous$/;
const BEFORE = /previous|before|from|old/;

export const isUpgrade = ({ kind, template }: Operation): boolean => kind === 'action' && UPGRADE.test(template);

/** Carries the upgrade out, and says which releases the answer has to name, by the fields that its schema declares. */
export function upgrade(
  call: Call,
  of: TaskCall,
  subject: Subject | null,
  result: { document: OpenApiDocument; schema: Schema | null },
): Values {
  if (subject === null) return {};
  const before = runningOf(subject.values) ?? runningOf(...viewsOf(call, subject).map(({ values }) => values));
  const wanted = isNow(of) ? wantedBy(call, of) : undefined;
  if (wanted !== undefined) install(call, of, subject, wanted);
  return toldOf(result, before, wanted ?? before);
}

function isNow({ input, state }: TaskCall): boolean {
  if (input['reboot'] === false || input['restart'] === false) return false;
  return !Object.entries(input).some(
    ([name, value]) => LATER.test(plainName(name)) && Date.parse(String(value)) > state.clock.ms,
  );
}

/** The release that the body names, or that of the image it refers to. */
function wantedBy({ operation, platform, state }: Call, { input }: TaskCall): string | undefined {
  const schema = operation.body?.content['application/json']?.schema;
  const fields = schema === undefined ? {} : shapeOf(operation.document, schema).properties;
  for (const [name, property] of Object.entries(fields)) {
    const sent = input[name];
    if (typeof sent !== 'string') continue;
    if (WANTED.test(plainName(name))) return sent;
    const target = plain(operation.document, property)['x-svc-ref']?.resource;
    const image = target === undefined ? undefined : state.rows(platform.id, target).get(sent)?.value['version'];
    if (typeof image === 'string') return image;
  }
  return undefined;
}

function install(call: Call, of: TaskCall, subject: Subject, release: string): void {
  for (const { resource, row, values } of viewsOf(call, subject)) {
    const stale = fieldsThatRun(resource).filter(
      (name) => typeof values[name] === 'string' && values[name] !== release,
    );
    if (stale.length > 0)
      changeRow(of, resource.name, row.id, Object.fromEntries(stale.map((name) => [name, release])));
  }
  beginRestart(of.state, subject, true);
  endRestart(of.state, subject, true);
}

interface View {
  resource: Resource;
  row: Row;
  values: Values;
}

/** Rows that are about the same thing: its own, and those whose key is one of its identities. */
function viewsOf({ platform, state, world }: Call, subject: Subject): View[] {
  const own = new Set([...identitiesOf(subject.values), rowParts(subject.id).at(-1)].map(String));
  return [...platform.resources.values()].flatMap((resource) => {
    if (fieldsThatRun(resource).length === 0) return [];
    const rows = [...state.rows(platform.id, resource.name).all()].filter((row) =>
      resource.name === subject.resource.name ? row.id === subject.id : own.has(keyIn(row)),
    );
    return rows.map((row) => ({ resource, row, values: readRow(platform, state, world, resource, row) }));
  });
}

/** A short number is the key of many things. */
function keyIn({ id }: Row): string {
  const key = String(rowParts(id).at(-1));
  return /^\d+$/.test(key) ? '' : key;
}

const running = new WeakMap<Resource, readonly string[]>();

function fieldsThatRun(resource: Resource): readonly string[] {
  const known = running.get(resource);
  if (known !== undefined) return known;
  const { document, readSchema } = resource;
  const properties = readSchema === null ? {} : shapeOf(document, readSchema).properties;
  const found = Object.keys(properties).filter((name) => RUNNING.test(plainName(name)));
  running.set(resource, found);
  return found;
}

function runningOf(...rows: Values[]): string | undefined {
  for (const values of rows)
    for (const [name, value] of Object.entries(values))
      if (RUNNING.test(plainName(name)) && typeof value === 'string') return value;
  return undefined;
}

function toldOf(
  { document, schema }: { document: OpenApiDocument; schema: Schema | null },
  before: string | undefined,
  now: string | undefined,
): Values {
  if (schema === null) return {};
  const told: Values = {};
  for (const [name, property] of Object.entries(shapeOf(document, schema).properties)) {
    const word = plainName(name);
    const value = BEFORE.test(word) ? before : now;
    if (TOLD.test(word) && typesOf(plain(document, property)).includes('string') && value !== undefined)
      told[name] = value;
  }
  return told;
}
