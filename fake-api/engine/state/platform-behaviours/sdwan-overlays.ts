/** Who is in an overlay, in which order overlays are matched, and in which region an appliance is. */
import { changeRow } from '../changed-row.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'sdwan';
/** Fields in which a region names its appliances. */
const MEMBERS = ['appliances', 'hubs', 'branches'] as const;

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** An appliance is in one region; it joins as a branch, and is a hub of none until it is made one. */
function associated(of: TaskCall, subject: Subject | null): Values {
  const wanted = texts(of.input['applianceIds']);
  const known = new Set(texts(subject?.values['appliances']));
  const joining = wanted.filter((id) => !known.has(id));
  let moved = 0;
  for (const { id, value } of [...of.state.rows(PLATFORM, 'regions').all()]) {
    if (id === subject?.id) continue;
    const leaving = texts(value['appliances']).filter((appliance) => joining.includes(appliance));
    if (leaving.length === 0) continue;
    moved += leaving.length;
    const left = MEMBERS.map((name) => [name, texts(value[name]).filter((one) => !leaving.includes(one))]);
    changeRow(of, 'regions', id, Object.fromEntries(left));
  }
  if (subject !== null && joining.length > 0)
    changeRow(of, 'regions', subject.id, {
      appliances: [...known, ...joining],
      branches: [...texts(subject.values['branches']), ...joining],
    });
  return { moved };
}

function removed(of: TaskCall): Values {
  const { overlayId } = of.input;
  const wanted = texts(of.input['applianceIds']);
  const resource = of.platform.resources.get('overlay-associations');
  const rows = [...of.state.rows(PLATFORM, 'overlay-associations').all()].filter(
    ({ value }) => value['overlayId'] === overlayId && wanted.includes(String(value['applianceId'])),
  );
  if (resource !== undefined) for (const { id } of rows) of.state.remove(resource, id);
  return { removed: rows.length };
}

/**
 * The first of the list is matched first; overlays that it leaves out come behind, in the order they had. Answers how many have
 * another place than before.
 */
export function reorder(of: Pick<TaskCall, 'platform' | 'state'>, order: unknown): number {
  const rows = [...of.state.rows(PLATFORM, 'overlays').all()];
  const placeOf = new Map(texts(order).map((id, at) => [id, at]));
  const rankOf = ({ id, value }: (typeof rows)[number]) => placeOf.get(id) ?? 1_000 + Number(value['priority'] ?? 999);
  const inOrder = rows.toSorted((left, right) => rankOf(left) - rankOf(right));
  let changed = 0;
  for (const [at, { id, value }] of inOrder.entries()) {
    if (value['priority'] === at + 1) continue;
    changed += 1;
    changeRow(of, 'overlays', id, { priority: at + 1 });
  }
  return changed;
}

function reordered(of: TaskCall): Values {
  const changed = reorder(of, of.input['order']);
  const overlays = [...of.state.rows(PLATFORM, 'overlays').all()];
  const placeOf = ({ value }: (typeof overlays)[number]) => Number(value['priority']);
  const order = overlays.toSorted((left, right) => placeOf(left) - placeOf(right)).map(({ id }) => id);
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
