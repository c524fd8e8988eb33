/**
 * The objects a change is about are as the scenario wants them, and every other object is as it was: read from the fake and
 * not from an answer. What else changes by itself is declared in the scenario.
 */
import type { Change, Recording, Task } from '../../recording/recording.ts';
import { fieldOf, matchesWhere } from '../../scenario/seeded-slots.ts';
import { canonicalJson } from '../../scenario/sorted-json.ts';
import { type Check, noneOf } from '../grading-check.ts';

export default {
  id: 'end-state',
  promise: 'the platform ended in the wanted state, and nothing else changed',
  kind: 'task',
  examine: (recording) => noneOf([...unmet(recording), ...unlisted(recording)], 'the end state of the scenario'),
} satisfies Check;

function unmet({ task, endState }: Recording): string[] {
  return task.end_state.flatMap((wanted) => {
    const platform = wanted.platform ?? task.platforms[0];
    const isOf = (state: Recording['endState'][number]) =>
      state.resource === wanted.resource && (state.platform ?? platform) === platform;
    const items = endState.find(isOf)?.items ?? [];
    const matching = items.filter((item) => matchesWhere(item, wanted.where));
    const name = `${wanted.resource} ${canonicalJson(wanted.where)}`;
    const count = wanted.count ?? 1;
    if (matching.length !== count) return [`${name}: ${matching.length} instead of ${count}`];
    return Object.entries(wanted.equals ?? {}).flatMap(([field, value]) =>
      matching
        .filter((item) => canonicalJson(fieldOf(item, field) ?? null) !== canonicalJson(value))
        .map(
          (item) =>
            `${name}: ${field} is ${canonicalJson(fieldOf(item, field) ?? null)} instead of ${canonicalJson(value)}`,
        ),
    );
  });
}

function unlisted({ task, changes }: Recording): string[] {
  return changes.flatMap((change) => {
    const listed = listedFields(change, task);
    if (listed === 'whole') return [];
    const name = `${change.platform} ${change.resource}`;
    if (change.kind !== 'changed') return [`${name}: one was ${change.kind}, and nothing says so`];
    const others = change.fields.flatMap((field) => unlistedIn(field, change.inside, listed));
    return others.length === 0 ? [] : [`${name}: ${others.join(', ')} changed, and nothing says so`];
  });
}

/** The field, or the paths in it that differ, as far as they are not listed. Older recordings know no paths. */
function unlistedIn(field: string, inside: Change['inside'], listed: ReadonlySet<string>): string[] {
  if (listed.has(field)) return [];
  const within = [...listed].filter((path) => path.startsWith(`${field}.`));
  if (within.length === 0) return [field];
  const differing = (inside ?? []).filter((path) => path.startsWith(`${field}.`));
  return differing.filter((path) => !within.some((one) => isWithin(path, one) || isWithin(one, path)));
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);

/** Fields, and paths inside them, of a changed row that the scenario lists; `whole` where the row may come or go. */
function listedFields(change: Change, task: Task): Set<string> | 'whole' {
  const isOf = ({ resource, platform }: { resource: string; platform?: string | undefined }) =>
    resource === change.resource && (platform ?? task.platforms[0]) === change.platform;
  const wanted = task.end_state.filter((state) => isOf(state) && matchesWhere(change.value, state.where));
  const effects = task.side_effects.filter(isOf);
  const comesOrGoes =
    effects.some(({ fields }) => fields === undefined) ||
    wanted.some(({ count = 1 }) => (change.kind === 'created' ? count > 0 : change.kind === 'deleted' && count === 0));
  if (comesOrGoes) return 'whole';
  const fields = [
    ...wanted.flatMap(({ equals = {} }) => Object.keys(equals)),
    ...effects.flatMap(({ fields = [] }) => fields),
  ];
  return new Set(fields);
}
