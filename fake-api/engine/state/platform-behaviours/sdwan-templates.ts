/** Template groups of the SD-WAN: an appliance that one was applied to takes it, each in the order of all groups. */
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { rowId, rowParts } from '../collection.ts';
import { textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'sdwan';
const GROUPS = 'template-groups';
const TAKEN = 'template-associations';
const HISTORY = 'template-associations-history';
const MEMBERS = 'template-groups-associations';
const ORDER = 'order of template groups';

const singleton = (parent: string): string => rowId([parent, '']);

/** Names of all groups from first to last. */
function orderOf(of: TaskCall): string[] {
  const all = [...of.state.rows(PLATFORM, GROUPS).all()].map(({ id }) => id);
  const given = textList(of.state.notes.get(ORDER)).filter((name) => all.includes(name));
  return [...given, ...all.filter((name) => !given.includes(name))];
}

const inOrder = (groups: readonly string[], order: readonly string[]): string[] =>
  groups.toSorted((left, right) => order.indexOf(left) - order.indexOf(right));

/** Groups that the call leaves out come behind, in the order they had. */
function prioritised(of: TaskCall): Values {
  const before = orderOf(of);
  const wanted = textList(of.input['order']).filter((name) => before.includes(name));
  const order = [...wanted, ...before.filter((name) => !wanted.includes(name))];
  of.state.notes.set(ORDER, order);
  for (const { id, value } of [...of.state.rows(PLATFORM, TAKEN).all()])
    changeRow(of, TAKEN, id, { groups: inOrder(textList(value['groups']), order) });
  showMembers(of, order);
  return { changed: order.filter((name, at) => before[at] !== name).length };
}

/** One that cannot be reached takes nothing. */
function applied(of: TaskCall, group: Subject | null): Values {
  if (group === null) return {};
  const appliances = of.state.rows(PLATFORM, 'appliances');
  const named = textList(of.input['applianceIds']);
  const reached = named.filter(
    (id) => ![undefined, 'UNREACHABLE'].includes(appliances.get(id)?.value['state'] as string),
  );
  for (const id of reached) take(of, id, group.id);
  showMembers(of, [group.id]);
  return { succeeded: reached.length, failed: named.length - reached.length };
}

function take(of: TaskCall, appliance: string, group: string): void {
  const id = singleton(appliance);
  const now = isoSeconds(of.state.clock.ms);
  const groups = new Set([...textList(of.state.rows(PLATFORM, TAKEN).get(id)?.value['groups']), group]);
  changeRow(of, TAKEN, id, { groups: inOrder([...groups], orderOf(of)), applied: true, lastApplied: now });
  const past = of.state.rows(PLATFORM, HISTORY).get(id)?.value ?? {};
  changeRow(of, HISTORY, id, {
    appliedGroups: [group, ...textList(past['appliedGroups'])],
    times: [now, ...textList(past['times'])],
  });
}

/** The appliances of a group, from what each of them takes. */
function showMembers(of: TaskCall, groups: readonly string[]): void {
  const taken = [...of.state.rows(PLATFORM, TAKEN).all()].map(({ id, value }) => ({
    applianceId: rowParts(id)[0] as string,
    inStep: value['applied'] === true,
    groups: textList(value['groups']),
  }));
  for (const group of groups) {
    const members = taken
      .filter((one) => one.groups.includes(group))
      .map(({ applianceId, inStep, groups: own }) => ({ applianceId, inStep, position: own.indexOf(group) + 1 }));
    const outOfStep = members.filter(({ inStep }) => !inStep).length;
    changeRow(of, MEMBERS, singleton(group), { members, outOfStep });
    // Members that the bundle counts and no appliance names stay counted.
    const counted = Number(of.state.rows(PLATFORM, GROUPS).get(group)?.value['memberCount'] ?? 0);
    if (members.length > counted) changeRow(of, GROUPS, group, { memberCount: members.length });
  }
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof applied> = new Map([
  ['prioritiseTemplateGroups', (of: TaskCall) => prioritised(of)],
  ['startTemplateGroupApply', applied],
]);

export function deedOnTemplates(of: TaskCall, group: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, group) ?? {};
}
