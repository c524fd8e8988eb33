/** What a person has to know of each object of a plan: the same in the page of a plan and in the terminal. */
import type { BrokenRule } from './adapters/adapter.ts';
import { refOf } from './candidate.ts';
import { type Class, isAutomatic, type Target } from './classification.ts';
import type { Plan, PlannedCandidate } from './plan.ts';
import { type Refusals, shownClass } from './plan-counts.ts';

export interface Note {
  text: string;
  /** Names of fields that the text is about. */
  fields?: string;
}

/** An object with its place in the order in which objects can be written. */
export interface Step {
  step: number;
  candidate: PlannedCandidate;
  refused: readonly BrokenRule[];
}

export const GROUPS: readonly { class: Class; title: string; about: string }[] = [
  { class: 'exact', title: 'Moves exactly', about: 'Written as it is; nothing is lost.' },
  {
    class: 'conditional',
    title: 'Moves under a condition',
    about: 'Written after the target has answered and the notes are met.',
  },
  { class: 'manual', title: 'Needs a hand', about: 'Never written by a run: an operator creates it at the target.' },
  {
    class: 'unsupported',
    title: 'Stays behind',
    about: 'The target has nothing like it, or the way is not verified.',
  },
];

/** The objects of a plan by class, in their order. */
export function stepsOf(plan: Plan, target: Target, refusals: Refusals): Readonly<Record<Class, readonly Step[]>> {
  const steps: Record<Class, Step[]> = { exact: [], conditional: [], manual: [], unsupported: [] };
  for (const [index, candidate] of plan.candidates[target].entries()) {
    const refused = refusals.get(refOf(candidate)) ?? [];
    steps[shownClass(candidate, refused)].push({ step: index + 1, candidate, refused });
  }
  return steps;
}

export function notesOf({ candidate, refused }: Omit<Step, 'step'>): Note[] {
  const { classification, dry_run_only, note, secret_fields, unsupported_fields, warnings } = candidate;
  const fields = Object.keys(unsupported_fields);
  const assumed = warnings.flatMap(({ code, field = '' }) => (code === 'assumed_default' ? [field] : []));
  const isKeptAside = fields.length > 0 && refused.length === 0 && !isAutomatic(classification);
  return [
    ...refused.map(({ message }) => ({ text: `refused: ${message}` })),
    // The note of a family that could be written says nothing true about an object that is refused.
    ...(refused.length > 0 ? [] : [{ text: note }]),
    ...(secret_fields.length > 0 ? [{ text: `enter again: ${secret_fields.join(', ')}` }] : []),
    ...(isKeptAside ? [{ text: 'no place for:', fields: fields.join(', ') }] : []),
    ...(assumed.length > 0 ? [{ text: 'left out as assumed defaults:', fields: assumed.join(', ') }] : []),
    ...(dry_run_only ? [{ text: 'shown only, never written' }] : []),
    ...warnings
      .filter(({ code }) => code !== 'unmapped_field' && code !== 'assumed_default' && code !== 'secret_removed')
      .map(({ message, field }) => ({ text: field === undefined ? message : `${message} (${field})` })),
  ];
}
