/** A plan as one page for a browser: what moves, what needs a hand, why, and in which order. Asks nothing of a network. */
import { escapeMarkup } from '../markup/escape.ts';
import { htmlPage } from '../markup/html-page.ts';
import { escapeInvisible, shownName } from '../telemetry/invisible.ts';
import type { BrokenRule } from './adapters/adapter.ts';
import { refOf } from './candidate.ts';
import { type Class, isAutomatic, type Target } from './classification.ts';
import { type Plan, type PlannedCandidate, planDigest } from './plan.ts';
import { refusalsIn, shownClass } from './plan-counts.ts';
import type { Warning } from './plan-warning.ts';

const GROUPS: readonly { classes: Class[]; title: string; about: string }[] = [
  { classes: ['exact'], title: 'Moves exactly', about: 'Written as it is; nothing is lost.' },
  {
    classes: ['conditional'],
    title: 'Moves under a condition',
    about: 'Written after the target has answered and the notes are met.',
  },
  {
    classes: ['manual'],
    title: 'Needs a hand',
    about: 'Never written by a run: an operator creates it at the target.',
  },
  {
    classes: ['unsupported'],
    title: 'Stays behind',
    about: 'The target has nothing like it, or the way is not verified.',
  },
];
const MOST_WARNINGS = 500;

/** Text of an export: what nobody sees of it is written out. */
const shown = (text: string): string => escapeMarkup(escapeInvisible(text));
const named = (text: string): string => escapeMarkup(shownName(text));

export function planPage(plan: Plan, target: Target, refused = refusalsIn(plan, target)): string {
  const candidates = plan.candidates[target];
  const of = (classes: readonly Class[]) =>
    candidates.filter((candidate) => classes.includes(shownClass(candidate, refused.get(refOf(candidate)))));
  const step = new Map(candidates.map((candidate, index) => [refOf(candidate), index + 1]));
  const total = candidates.length;
  const tiles = GROUPS.map(
    ({ classes, title }) =>
      `<li class="${classes[0]}"><a href="#${classes[0]}"><b>${of(classes).length}</b> ${title}</a></li>`,
  );
  const sections = GROUPS.map(({ classes, title, about }) => {
    const own = of(classes);
    const rows = own.map((candidate) => rowOf(candidate, step, refused.get(refOf(candidate)))).join('');
    const table = `<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th>Step</th><th>Object</th><th>What to know</th><th>Needs first</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    return `<section id="${classes[0]}"><h2>${title} <small>${own.length}</small></h2><p>${about}</p>${own.length > 0 ? table : '<p>None.</p>'}</section>`;
  });
  const general = plan.warnings.filter(({ object }) => object === undefined);
  const body = `<h1>Migration plan</h1>
<p>${total} objects of <code>${shown(plan.config_path)}</code> for the <b>${target}</b> generation. Step numbers are the order in which objects can be
written. Plan <code>${planDigest(plan).slice(0, 16)}</code>.</p>
<ul class="tiles">${tiles.join('')}</ul>
${sections.join('\n')}
<section><h2>About the export <small>${general.length}</small></h2>${listOf(general)}</section>`;
  return htmlPage({ title: 'Migration plan', style: STYLE, body });
}

function rowOf(
  candidate: PlannedCandidate,
  step: ReadonlyMap<string, number>,
  refused: readonly BrokenRule[] = [],
): string {
  const { object_type, identifier, note, required, warnings } = { ...candidate, required: candidate.secret_fields };
  const needs = candidate.dependencies.map((ref) => `${named(ref)} <small>(step ${step.get(ref) ?? '–'})</small>`);
  const fields = Object.keys(candidate.unsupported_fields);
  const assumed = warnings.flatMap(({ code, field = '' }) => (code === 'assumed_default' ? [field] : []));
  const notes = [
    ...refused.map(({ message }) => `refused: ${shown(message)}`),
    // The note of a family that could be written says nothing true about an object that is refused.
    ...(refused.length > 0 ? [] : [shown(note)]),
    ...(required.length > 0 ? [`enter again: ${shown(required.join(', '))}`] : []),
    ...(fields.length > 0 && refused.length === 0 && !isAutomatic(candidate.classification)
      ? [`no place for: <code>${shown(fields.join(', '))}</code>`]
      : []),
    ...(assumed.length > 0 ? [`left out as assumed defaults: <code>${shown(assumed.join(', '))}</code>`] : []),
    ...(candidate.dry_run_only ? ['shown only, never written'] : []),
    ...warnings
      .filter(({ code }) => code !== 'unmapped_field' && code !== 'assumed_default' && code !== 'secret_removed')
      .map(({ message, field }) => shown(field === undefined ? message : `${message} (${field})`)),
  ];
  const mode = candidate.payload.security ? ` <small>${shown(candidate.payload.security.mode)}</small>` : '';
  return `<tr><td>${step.get(refOf(candidate))}</td><td>${escapeMarkup(object_type.replaceAll('_', ' '))}<br><b>${named(identifier)}</b>${mode}</td><td><ul>${notes.map((line) => `<li>${line}</li>`).join('')}</ul></td><td>${needs.join('<br>') || '–'}</td></tr>`;
}

function listOf(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return '<p>Everything in it could be read.</p>';
  const lines = warnings
    .slice(0, MOST_WARNINGS)
    .map(({ pointer, message }) => `<li><code>${shown(pointer ?? '')}</code> ${shown(message)}</li>`);
  const more = warnings.length - lines.length;
  const rest = more > 0 ? `<p>${more} more are not shown here; <code>--json</code> prints all of them.</p>` : '';
  return `<ul>${lines.join('')}</ul>${rest}`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h2 small { font-weight: normal; opacity: .6; }
.tiles { display: flex; gap: .75rem; list-style: none; padding: 0; flex-wrap: wrap; }
.tiles li { border: 1px solid var(--line); border-top: 4px solid; border-radius: 6px; padding: .5rem 1rem; }
.tiles b { font-size: 1.6rem; display: block; }
.tiles a { color: inherit; text-decoration: none; }
.exact { border-top-color: #2a7d46 !important; } .conditional { border-top-color: #2b6cb0 !important; }
.manual { border-top-color: #b7791f !important; } .unsupported { border-top-color: #9b2c2c !important; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; table-layout: fixed; width: 100%; min-width: 34rem; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th:first-child, td:first-child { width: 3.5rem; } th:nth-child(2) { width: 26%; } th:last-child { width: 24%; } td ul { margin: 0; padding-left: 1.1rem; } code { font-size: .9em; } b, code, li, td { white-space: pre-wrap; }
`;
