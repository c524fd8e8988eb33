/** What the management cloud grants one person or host: how long a visitor may stay, and the address that a host keeps. */
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const HOUR_MS = 3_600_000;

/** The hours are added to the end that stands; an account that had expired is active again where that is to come. */
function prolonged(of: TaskCall, subject: Subject | null): Values {
  if (subject === null) return {};
  const endMs = Date.parse(String(subject.values['valid-to'])) + Number(of.input['hours']) * HOUR_MS;
  const isRevived = subject.values['status'] === 'expired' && endMs > of.state.clock.ms;
  const end = isoSeconds(endMs);
  const change = { 'valid-to': end, ...(isRevived ? { status: 'active' } : {}) };
  changeRow(of, subject.resource.name, subject.id, change);
  return { 'valid-to': end };
}

/** A host has one reservation in a pool, and an address belongs to one host: the later order counts. */
function reserved(of: TaskCall, subject: Subject | null): Values {
  if (subject === null) return {};
  const { mac, address, hostname = null } = of.input;
  const host = String(mac).toLowerCase();
  const before = (subject.values['reservations'] ?? []) as JsonObject[];
  const others = before.filter((one) => one['mac'] !== host && one['address'] !== address);
  const reservations = [...others, { mac: host, address, hostname } as JsonObject];
  changeRow(of, subject.resource.name, subject.id, { reservations });
  return { 'reserved-hosts': reservations.length };
}

/** By operation id in small letters. */
export const GRANTS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['extendnacvisitor', prolonged],
  ['reservedhcpaddress', reserved],
]);
