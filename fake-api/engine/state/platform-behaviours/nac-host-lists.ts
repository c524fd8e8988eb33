/** Members of a static host list of the policy server: addresses join it and leave it without the others being named. */
import { changeRow } from '../changed-row.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const addressOf = (entry: JsonObject): string => String(entry['address']).toLowerCase();

/** An address that is on the list already takes the description that is given now. */
function joined(members: readonly JsonObject[], { entries }: Values): JsonObject[] {
  const given = new Map((entries as JsonObject[]).map((entry) => [addressOf(entry), entry]));
  const kept = members.map((entry) => ({ ...entry, ...given.get(addressOf(entry)) }));
  const known = new Set(members.map(addressOf));
  return [...kept, ...[...given].flatMap(([address, entry]) => (known.has(address) ? [] : [entry]))];
}

function left(members: readonly JsonObject[], { addresses }: Values): JsonObject[] {
  const gone = new Set((addresses as string[]).map((address) => address.toLowerCase()));
  return members.filter((entry) => !gone.has(addressOf(entry)));
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof joined> = new Map([
  ['addStaticHostListEntries', joined],
  ['removeStaticHostListEntries', left],
]);

export function deedOnHostList(of: TaskCall, subject: Subject | null): Values {
  const deed = DEEDS.get(of.operationId);
  if (deed === undefined || subject === null) return {};
  const members = deed((subject.values['host_entries'] ?? []) as JsonObject[], of.input);
  changeRow(of, subject.resource.name, subject.id, { host_entries: members, entry_count: members.length });
  return { entry_count: members.length };
}
