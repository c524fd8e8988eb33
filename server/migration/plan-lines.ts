/** A plan as lines for a terminal: the counts, then what is written in which order, what is not, and why. */
import { escapeInvisible, shownName } from '../telemetry/invisible.ts';
import type { Target } from './classification.ts';
import { type Plan, planDigest } from './plan.ts';
import { countsOf, type Refusals } from './plan-counts.ts';
import { GROUPS, notesOf, type Step, stepsOf } from './plan-notes.ts';

/** Of each group; a page and `--json` hold all. */
const MOST_SHOWN = 20;

export function planLines(plan: Plan, target: Target, refusals: Refusals): string[] {
  const counts = countsOf(plan, target, refusals);
  const steps = stepsOf(plan, target, refusals);
  const general = plan.warnings.filter(({ object }) => object === undefined);
  const groups = GROUPS.filter((group) => steps[group.class].length > 0).flatMap((group) => [
    '',
    `${group.class}: ${group.about}`,
    ...shortened(steps[group.class].map(stepLine)),
  ]);
  const about = general.map(({ pointer = '', message }) => `  ${escapeInvisible(`${pointer} ${message}`.trim())}`);
  return [
    `plan ${planDigest(plan).slice(0, 16)} for the ${target} generation, ${plan.warnings.length} warnings`,
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(6)} ${name}`),
    ...groups,
    ...(about.length > 0 ? ['', 'about the export', ...shortened(about)] : []),
  ];
}

function stepLine(step: Step): string {
  const { object_type, identifier } = step.candidate;
  const notes = notesOf(step).map(({ text, fields }) =>
    escapeInvisible(fields === undefined ? text : `${text} ${fields}`),
  );
  return `${String(step.step).padStart(6)}. ${object_type.replaceAll('_', ' ')} ${shownName(identifier)}: ${notes.join('; ')}`;
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - MOST_SHOWN;
  return more > 0 ? [...lines.slice(0, MOST_SHOWN), `  ${more} more are in --html <file> and --json`] : [...lines];
}
