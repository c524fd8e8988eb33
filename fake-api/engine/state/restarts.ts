/**
 * Devices that restart. One is away from the moment its restart begins, and back when its task is polled to the end, or after some reads of it or some
 * minutes where the platform has no task for it. While it is away its clients are, too; when it is back its uptime counts from zero.
 */
import { plain, plainName, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { rowParts } from './collection.ts';
import type { Subject, Values } from './platform-behaviour.ts';
import type { State } from './state.ts';

interface Restart {
  platform: string;
  /** Serial number, address and key of the device. */
  ids: string[];
  startedMs: number;
  /** Reads of the device that still find it away; null where its task says when it is back. */
  readsLeft: number | null;
  /** Virtual time at which it came back. */
  upMs: number | null;
}

const NOTE = 'restarts';
const AWAY_MS = 180_000;
const READS_AWAY = 2;

const IDENTITY = /^(serial|serialnumber|mac|macaddress|ethernetmac|deviceid|applianceid|systemid)$/;
const ATTACHED_TO = /^(ap|apmac|apname|connecteddeviceserial|deviceserial)$/;
const CLIENTS = /client|station|user|session/;
const AWAY_WORDS = [/^(rebooting|restarting)$/i, /^(offline|disconnected|unreachable|down)$/i];
const BACK_WORD = /^(online|connected|normal|up)$/i;
const PRESENCE = /^(online|connected|agentreachable|reachable)$/;
const COUNT = /^(clientcount|numclients|clients)$/;

/** Whether an action restarts the device it is about, and not a part of it. */
export function isRestart({ id, kind }: Operation): boolean {
  return kind === 'action' && /reboot|restart|reload/i.test(id) && !/radio|service|agent|portal|upgrade/i.test(id);
}

function restarts(state: State): readonly Restart[] {
  return (state.notes.get(NOTE) as Restart[] | undefined) ?? [];
}

/** What a device is known by in the rows about it. */
export function identitiesOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    IDENTITY.test(plainName(name)) && typeof value === 'string' ? [value] : [],
  );
}

/** `hasTask` leaves the end to `endRestart`. */
export function beginRestart(state: State, subject: Subject | null, hasTask: boolean): void {
  if (subject === null) return;
  const { resource, id, values } = subject;
  const own = [...new Set([...identitiesOf(values), ...rowParts(id).slice(-1)])];
  const readsLeft = hasTask ? null : READS_AWAY;
  const restart: Restart = { platform: resource.platform, ids: own, startedMs: state.clock.ms, readsLeft, upMs: null };
  const others = restarts(state).filter(
    ({ platform, ids: known }) => platform !== resource.platform || known[0] !== own[0],
  );
  state.notes.set(NOTE, [...others, restart]);
  state.touch();
}

/** The task of a restart has ended; one that was refused has restarted nothing. */
export function endRestart(state: State, subject: Subject | null, isDone: boolean): void {
  if (subject === null) return;
  const values = { ...subject.values, [subject.resource.keyNames[0] ?? '']: rowParts(subject.id).at(-1) };
  update(state, restartOf(state, subject.resource, values), (restart) =>
    isDone ? { ...restart, upMs: state.clock.ms } : null,
  );
}

/** A read has found these rows: a device without a task comes back after some of them. */
export function noteReads(state: State, resource: Resource, rows: readonly Values[]): void {
  if (!state.notes.has(NOTE)) return;
  for (const values of rows) {
    const restart = restartOf(state, resource, values);
    if (restart === undefined || restart.readsLeft === null || isBack(restart, state.clock.ms)) continue;
    const readsLeft = restart.readsLeft - 1;
    update(state, restart, (before) => ({ ...before, readsLeft, upMs: readsLeft > 0 ? null : state.clock.ms }));
  }
}

/** Null takes the restart away. */
function update(state: State, restart: Restart | undefined, change: (restart: Restart) => Restart | null): void {
  if (restart === undefined) return;
  const changed = restarts(state).flatMap((each) => (each === restart ? (change(each) ?? []) : each));
  if (changed.length === 0) state.notes.delete(NOTE);
  else state.notes.set(NOTE, changed);
  state.touch();
}

function isBack({ startedMs, readsLeft, upMs }: Restart, nowMs: number): boolean {
  return upMs !== null || (readsLeft !== null && nowMs >= startedMs + AWAY_MS);
}

function restartOf(state: State, resource: Resource, values: Values): Restart | undefined {
  const known = restarts(state).filter(({ platform }) => platform === resource.platform);
  if (known.length === 0) return undefined;
  const key = resource.keyNames.length === 1 ? values[resource.keyNames[0] as string] : undefined;
  const own = Object.entries(values).flatMap(([name, value]) => (IDENTITY.test(plainName(name)) ? [value] : []));
  return known.findLast(({ ids }) => ids.includes(String(key)) || own.some((value) => ids.includes(String(value))));
}

/** The row of a device as its restart lets it look; every other row as it is. */
export function withRestart(state: State, resource: Resource, values: Values): Values {
  if (!state.notes.has(NOTE) || resource.readSchema === null) return values;
  const restart = restartOf(state, resource, values);
  if (restart === undefined) return values;
  const isAway = !isBack(restart, state.clock.ms);
  const upMs = restart.upMs ?? restart.startedMs + AWAY_MS;
  const { properties } = shapeOf(resource.document, resource.readSchema);
  const changed = Object.entries(properties).flatMap(([name, property]) => {
    if (values[name] === undefined) return [];
    const schema = plain(resource.document, property);
    const value = isAway ? awayValue(name, schema) : backValue(name, schema, values[name], state.clock.ms - upMs);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

function awayValue(name: string, schema: Schema): unknown {
  if (schema.enum !== undefined && /^(state|status)$/.test(wordsOf(name).at(-1) ?? ''))
    return AWAY_WORDS.map((words) => schema.enum?.find((word) => words.test(String(word)))).find(Boolean);
  if (PRESENCE.test(plainName(name)) && typesOf(schema).includes('boolean')) return false;
  if (isUptime(name, schema)) return typesOf(schema).includes('null') ? null : 0;
  return COUNT.test(plainName(name)) ? 0 : undefined;
}

function backValue(name: string, schema: Schema, stored: unknown, upForMs: number): unknown {
  if (isUptime(name, schema)) return Math.floor(/milli/i.test(name) ? upForMs : upForMs / 1000);
  // An action may have stored the state on the way.
  if (schema.enum !== undefined && AWAY_WORDS[0]?.test(String(stored)))
    return schema.enum.find((word) => BACK_WORD.test(String(word)));
  return undefined;
}

function isUptime(name: string, schema: Schema): boolean {
  const types = typesOf(schema);
  return wordsOf(name).includes('uptime') && (types.includes('integer') || types.includes('number'));
}

/** Whether a client is away because the device it is attached to restarts. */
export function isAwayWithDevice(state: State, resource: Resource, values: Values): boolean {
  if (!state.notes.has(NOTE) || !CLIENTS.test(resource.name)) return false;
  const away = restarts(state).filter(
    (restart) => restart.platform === resource.platform && !isBack(restart, state.clock.ms),
  );
  return (
    away.length > 0 &&
    Object.entries(values).some(
      ([name, value]) => ATTACHED_TO.test(plainName(name)) && away.some(({ ids }) => ids.includes(String(value))),
    )
  );
}
