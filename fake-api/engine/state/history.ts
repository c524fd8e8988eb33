/** Revisions of objects whose history can be read: noted as they are stored, the first one worked out when asked for. */
import type { Resource } from '../openapi/stored-resource.ts';
import { isoSeconds } from './clock.ts';
import type { Row } from './collection.ts';
import { canonicalJson } from './json-value.ts';

export interface Revision {
  revision: number;
  at: string;
  by: string;
  action: 'created' | 'changed';
  /** Fields that differ from the revision before. */
  fields: string[];
}

/** Every namespace has one account. */
const ACCOUNT = 'demo';

function noteName(resource: Resource, id: string): string {
  return `history ${resource.platform} ${resource.name} ${id}`;
}

export function noteRevision(
  notes: Map<string, unknown>,
  nowMs: number,
  resource: Resource,
  before: Row | undefined,
  row: Row,
): void {
  if (!resource.hasHistory || before?.revision === row.revision) return;
  const name = noteName(resource, row.id);
  const known = (notes.get(name) as Revision[] | undefined) ?? [];
  const fields = [...resource.writable]
    .filter((field) => canonicalJson(before?.value[field]) !== canonicalJson(row.value[field]))
    .sort();
  const revision: Revision = {
    revision: row.revision,
    at: isoSeconds(nowMs),
    by: ACCOUNT,
    action: before === undefined ? 'created' : 'changed',
    fields,
  };
  notes.set(name, [...known, revision]);
}

export function forgetRevisions(notes: Map<string, unknown>, resource: Resource, id: string): void {
  if (resource.hasHistory) notes.delete(noteName(resource, id));
}

const CREATED = /^(created|creation|added|registered)/i;

/** Newest first. An object that was there from the start was created before anybody could look. */
export function revisionsOf(
  notes: ReadonlyMap<string, unknown>,
  resource: Resource,
  row: Row,
  startedMs: number,
): Revision[] {
  const noted = (notes.get(noteName(resource, row.id)) as Revision[] | undefined) ?? [];
  const first = noted[0];
  if (first?.action === 'created') return noted.toReversed();
  const created = Object.entries(row.value).find(
    ([name, value]) => CREATED.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  );
  const origin: Revision = {
    revision: (first?.revision ?? row.revision + 1) - 1,
    at: created === undefined ? isoSeconds(startedMs) : String(created[1]),
    by: ACCOUNT,
    action: 'created',
    fields: [],
  };
  return [...noted.toReversed(), origin];
}
