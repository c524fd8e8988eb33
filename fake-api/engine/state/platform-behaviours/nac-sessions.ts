/** Orders to several sessions of the policy server: which of them are meant, and what becomes of them. */
import { fits } from '../../filters/expression.ts';
import { parseJsonExpression } from '../../filters/json-expression.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Row } from '../collection.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';
import type { State } from '../state.ts';

const PLATFORM = 'nac';
const ORDER = /^\/api\/session-action\/(disconnect|coa|reauthorize)(\/\w+)?$/;
const OF_ONE = /^\/api\/(session|active-session)\/\{\w+\}\/disconnect$/;
const OPERATORS = ['eq', 'ne', 'in', 'gt', 'ge', 'lt', 'le', 'contains'];

export function orderToSessions(of: TaskCall): Values {
  const [, kind] = ORDER.exec(of.template) ?? [];
  if (kind === undefined) return OF_ONE.test(of.template) ? ofOne(of) : {};
  const meant = open(of).filter(meantBy(of.input));
  if (kind === 'disconnect') for (const row of meant) close(of, row);
  const profile = of.input['profile_name'];
  if (kind === 'coa' && typeof profile === 'string')
    for (const row of meant) changeRow(of, 'session', row.id, { enforcement_profile: profile });
  return { outcome: { total: meant.length, succeeded: meant.length, failed: 0, order_id: null } };
}

/** A device is online as long as one of its sessions is open; one that is cut off has none. */
function ofOne(of: TaskCall): Values {
  const key = String(of.values[0]);
  const isOfDevice = of.template.includes('active-session');
  const mac = isOfDevice ? key.toLowerCase() : of.state.rows(PLATFORM, 'session').get(key)?.value['mac_address'];
  const own = open(of).filter(({ value }) => value['mac_address'] === mac);
  if (isOfDevice) for (const row of own) close(of, row);
  if (isOfDevice || own.length === 0) goOffline(of, mac);
  return { disconnected_at: isoSeconds(of.state.clock.ms) };
}

const open = (of: TaskCall): Row[] =>
  [...of.state.rows(PLATFORM, 'session').all()].filter(
    ({ value }) => value['state'] === 'active' && cutOffAt(of.state, value, 'start') === null,
  );

interface Block {
  reason: unknown;
  atMs: number;
  isCutOff: boolean;
}

const blockNote = (mac: unknown): string => `blocked ${String(mac).toLowerCase()}`;

/** The order to block says why, and whether what is up ends as well, as it does unless it is told otherwise. */
export function block(of: TaskCall, subject: Subject | null): Values {
  const { reason, disconnect } = of.input;
  const order: Block = { reason, atMs: of.state.clock.ms, isCutOff: disconnect !== false };
  of.state.notes.set(blockNote(subject?.values['mac_address']), order);
  of.state.touch();
  return {};
}

export function blockReason({ mac_address: mac, status }: Values, { state }: Look): Values {
  const order = state.notes.get(blockNote(mac)) as Block | undefined;
  return order === undefined || status !== 'Disabled' ? {} : { block_reason: order.reason };
}

/** When what began before was ended by a block of its endpoint; null where it was not. */
function cutOffAt(state: State, row: Values, start: string): number | null {
  const order = state.notes.get(blockNote(row['mac_address'])) as Block | undefined;
  return order?.isCutOff === true && Date.parse(String(row[start])) <= order.atMs ? order.atMs : null;
}

export function sessionNow(row: Values, { state }: Look): Values {
  const atMs = row['state'] === 'active' ? cutOffAt(state, row, 'start') : null;
  return atMs === null ? {} : { state: 'closed', stop: isoSeconds(atMs), terminate_cause: 'Admin-Reset' };
}

export const isOver = (row: Values, { state }: Look): boolean => cutOffAt(state, row, 'started_at') !== null;

function meantBy({ username, mac_address: mac, ip_address: ip, filter }: Values): (row: Row) => boolean {
  if (username !== undefined) return ({ value }) => value['username'] === username;
  if (mac !== undefined) return ({ value }) => value['mac_address'] === String(mac).toLowerCase();
  if (ip !== undefined) return ({ value }) => value['framed_ip'] === ip;
  return ({ value }) => {
    const fields = Object.fromEntries(Object.keys(value).map((name) => [name, OPERATORS]));
    const read = parseJsonExpression(JSON.stringify(filter ?? {}), fields);
    return read.ok && fits(value, read.expression);
  };
}

function close(of: TaskCall, row: Row): void {
  changeRow(of, 'session', row.id, {
    state: 'closed',
    stop: isoSeconds(of.state.clock.ms),
    terminate_cause: 'Admin-Reset',
  });
  goOffline(of, row.value['mac_address']);
}

function goOffline(of: TaskCall, mac: unknown): void {
  const resource = of.platform.resources.get('active-session');
  if (resource !== undefined && of.state.rows(PLATFORM, resource.name).get(String(mac)) !== undefined)
    of.state.remove(resource, String(mac));
}
