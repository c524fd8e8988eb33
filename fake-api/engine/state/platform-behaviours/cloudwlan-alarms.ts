/** An alarm of the cloud WLAN is one thing, seen at its site and in the organisation; one call may take care of several. */
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowParts } from '../collection.ts';
import { deedStamps } from '../deed-stamps.ts';
import type { JsonObject } from '../json-value.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'cloudwlan';
const ACTION = /^\/api\/v1\/(orgs|sites)\/\{\w+\}\/alarms(\/\{\w+\})?\/(un)?ack(_all)?$/;
/** What says that somebody takes care of an alarm. */
const CARE = ['acked', 'acked_by', 'acked_time', 'note'];

const keyOf = ({ id }: Row): string => rowParts(id).at(-1) as string;

/** Carries out what the model does not state of an action on alarms; nothing for any other action. */
export function takeCareOfAlarms(of: TaskCall): Values {
  const [path, place, one, un, all] = ACTION.exec(of.template) ?? [];
  if (path === undefined) return {};
  const isAcked = un === undefined;
  const [own, twin] = place === 'sites' ? ['site-alarms', 'org-alarms'] : ['org-alarms', 'site-alarms'];
  const named = one === undefined ? of.input['alarm_ids'] : of.values.slice(-1);
  const isMeant = (row: Row): boolean =>
    all === undefined && Array.isArray(named)
      ? named.includes(keyOf(row))
      : row.value['status'] === 'open' && row.value['acked'] !== isAcked;
  const rows = [...of.state.rows(PLATFORM, own as string).under(of.values.slice(0, 1))].filter(isMeant);
  if (one === undefined)
    for (const row of rows) changeRow(of, own as string, row.id, careOf(of, own as string, isAcked));
  showIn(of, twin as string, new Map(rows.map((row) => [keyOf(row), row.id])), own as string);
  return isAcked ? { acknowledged: rows.length } : { reopened: rows.length };
}

function careOf(of: TaskCall, name: string, isAcked: boolean): JsonObject {
  const resource = of.platform.resources.get(name);
  const now = isoSeconds(of.state.clock.ms);
  const { note } = of.input;
  const said = { acked: isAcked, acked_time: isAcked ? now : null, ...(typeof note === 'string' ? { note } : {}) };
  return resource === undefined ? said : { ...said, ...deedStamps(resource, said, now) };
}

/** What the rows of these keys say of who takes care, at the other place where they are seen. */
function showIn(of: TaskCall, twin: string, ids: ReadonlyMap<string, string>, own: string): void {
  for (const row of [...of.state.rows(PLATFORM, twin).all()]) {
    const seen = of.state.rows(PLATFORM, own).get(ids.get(keyOf(row)) ?? '')?.value;
    if (seen !== undefined)
      changeRow(of, twin, row.id, Object.fromEntries(CARE.map((name) => [name, seen[name] ?? null])));
  }
}
