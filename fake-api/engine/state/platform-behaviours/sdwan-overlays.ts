/** Who is in an overlay, in which order overlays are matched, and in which region an appliance is. */
import { changeRow } from '../changed-row.ts';
import { textList } from '../json-value.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

const PLATFORM = 'sdwan';
/** Fields in which a region names its appliances. */
const MEMBERS = ['appliances', 'hubs', 'branches'] as const;

/** An appliance is in one region; it joins as a branch, and is a hub of none until it is made one. */
function associated(of: TaskCall, subject: Subject | null): Values {
  const wanted = textList(of.input['applianceIds']);
  const known = new Set(textList(subject?.values['appliances']));
  const joining = wanted.filter((id) => !known.has(id));
  let moved = 0;
  for (const { id, value } of [...of.state.rows(PLATFORM, 'regions').all()]) {
    if (id === subject?.id) continue;
    const leaving = textList(value['appliances']).filter((appliance) => joining.includes(appliance));
    if (leaving.length === 0) continue;
    moved += leaving.length;
    const left = MEMBERS.map((name) => [name, textList(value[name]).filter((one) => !leaving.includes(one))]);
    changeRow(of, 'regions', id, Object.fromEntries(left));
  }
  if (subject !== null && joining.length > 0)
    changeRow(of, 'regions', subject.id, {
      appliances: [...known, ...joining],
      branches: [...textList(subject.values['branches']), ...joining],
    });
  return { moved };
}

function removed(of: TaskCall): Values {
  const { overlayId } = of.input;
  const wanted = textList(of.input['applianceIds']);
  const left = removeRows(
    of,
    'overlay-associations',
    ({ value }) => value['overlayId'] === overlayId && wanted.includes(String(value['applianceId'])),
  );
  return { removed: left.length };
}

interface Reordered {
  /** All overlays from the first to the last. */
  order: string[];
  /** How many have another place than before. */
  changed: number;
}

/** The first of the list is matched first; overlays that it leaves out come behind, in the order they had. */
export function reorder(of: Pick<TaskCall, 'platform' | 'state'>, wanted: unknown): Reordered {
  const rows = [...of.state.rows(PLATFORM, 'overlays').all()];
  const placeOf = new Map(textList(wanted).map((id, at) => [id, at]));
  const rankOf = ({ id, value }: (typeof rows)[number]) => placeOf.get(id) ?? 1_000 + Number(value['priority'] ?? 999);
  const inOrder = rows.toSorted((left, right) => rankOf(left) - rankOf(right));
  const moved = inOrder
    .map(({ id, value }, at) => ({ id, value, place: at + 1 }))
    .filter(({ value, place }) => value['priority'] !== place);
  for (const { id, place } of moved) changeRow(of, 'overlays', id, { priority: place });
  return { order: inOrder.map(({ id }) => id), changed: moved.length };
}

function reordered(of: TaskCall): Values {
  const { order, changed } = reorder(of, of.input['order']);
  for (const { id } of [...of.state.rows(PLATFORM, 'overlay-priority').all()])
    changeRow(of, 'overlay-priority', id, { order });
  return { changed };
}

/** Overlays have the devices of their memberships: as many as at the start, and those that came since, without those that left. */
export function siteCount({ overlayId, siteCount: stated }: Values, look: Look): Values {
  const came = look.state.memo('memberships since the start', () => {
    const memberships = look.state.rows(PLATFORM, 'overlay-associations');
    const counts = new Map<unknown, number>();
    const add = (overlay: unknown, by: number) => counts.set(overlay, (counts.get(overlay) ?? 0) + by);
    for (const [id, row] of memberships.changes()) {
      const before = memberships.original(id);
      if (before !== undefined) add(before.value['overlayId'], -1);
      if (row !== null) add(row.value['overlayId'], 1);
    }
    return counts;
  });
  return { siteCount: Math.max(0, Number(stated) + (came.get(overlayId) ?? 0)) };
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof associated> = new Map([
  ['associateRegion', associated],
  ['removeOverlayAssociationsBulk', (of: TaskCall) => removed(of)],
  ['reorderOverlays', (of: TaskCall) => reordered(of)],
]);

export function deedOnOverlays(of: TaskCall, subject: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, subject) ?? {};
}
