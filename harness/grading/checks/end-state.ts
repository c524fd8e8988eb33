/** The objects a change is about are as the scenario wants them, read from the fake and not from an answer. */

import { fieldOf, matchesWhere } from '../../scenario/seeded-slots.ts';
import { canonicalJson } from '../../scenario/sorted-json.ts';
import { type Check, NOT_APPLICABLE, noneOf } from '../grading-check.ts';

export default {
  id: 'end-state',
  promise: 'the platform ended in the wanted state',
  kind: 'task',
  examine: (recording) => {
    if (recording.task.end_state.length === 0) return NOT_APPLICABLE;
    const findings = recording.task.end_state.flatMap((wanted) => {
      const items = recording.endState.find((state) => state.resource === wanted.resource)?.items ?? [];
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
    return noneOf(findings, 'the end state of the scenario');
  },
} satisfies Check;
