/** A plan as one page for a browser: what moves, what needs a hand, why, and in which order. Asks nothing of a network. */
import { escapeMarkup } from '../markup/escape.ts';
import { htmlPage } from '../markup/html-page.ts';
import { escapeInvisible, shownName } from '../telemetry/invisible.ts';
import { refOf } from './candidate.ts';
import type { Target } from './classification.ts';
import { type Plan, planDigest } from './plan.ts';
import { refusalsIn } from './plan-counts.ts';
import { GROUPS, notesOf, type Step, stepsOf } from './plan-notes.ts';
import type { Warning } from './plan-warning.ts';

const MOST_WARNINGS = 500;

/** Text of an export: what nobody sees of it is written out. */
const shown = (text: string): string => escapeMarkup(escapeInvisible(text));
const named = (text: string): string => escapeMarkup(shownName(text));

export function planPage(plan: Plan, target: Target, refused = refusalsIn(plan, target)): string {
  const candidates = plan.candidates[target];
  const steps = stepsOf(plan, target, refused);
  const step = new Map(candidates.map((candidate, index) => [refOf(candidate), index + 1]));
  const total = candidates.length;
  const tiles = GROUPS.map(
    ({ class: name, title }) => `<li class="${name}"><a href="#${name}"><b>${steps[name].length}</b> ${title}</a></li>`,
  );
  const sections = GROUPS.map(({ class: name, title, about }) => {
    const own = steps[name];
    const rows = own.map((each) => rowOf(each, step)).join('');
    const table = `<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th>Step</th><th>Object</th><th>What to know</th><th>Needs first</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    return `<section id="${name}"><h2>${title} <small>${own.length}</small></h2><p>${about}</p>${own.length > 0 ? table : '<p>None.</p>'}</section>`;
  });
  const general = plan.warnings.filter(({ object }) => object === undefined);
  const body = `<main><h1>Migration plan</h1>
<p>${total} objects of <code>${shown(plan.config_path)}</code> for the <b>${target}</b> generation. Step numbers are the order in which objects can be
written. Plan <code>${planDigest(plan).slice(0, 16)}</code>.</p>
<ul class="tiles">${tiles.join('')}</ul>
${sections.join('\n')}
<section><h2>About the export <small>${general.length}</small></h2>${listOf(general)}</section></main>`;
  return htmlPage({ title: 'Migration plan', style: STYLE, body });
}

function rowOf({ candidate, refused, step: own }: Step, step: ReadonlyMap<string, number>): string {
  const { object_type, identifier } = candidate;
  const needs = candidate.dependencies.map((ref) => `${named(ref)} <small>(step ${step.get(ref) ?? '–'})</small>`);
  const notes = notesOf({ candidate, refused }).map(({ text, fields }) =>
    fields === undefined ? shown(text) : `${shown(text)} <code>${shown(fields)}</code>`,
  );
  const mode = candidate.payload.security ? ` <small>${shown(candidate.payload.security.mode)}</small>` : '';
  return `<tr><td>${own}</td><td>${escapeMarkup(object_type.replaceAll('_', ' '))}<br><b>${named(identifier)}</b>${mode}</td><td><ul>${notes.map((line) => `<li>${line}</li>`).join('')}</ul></td><td>${needs.join('<br>') || '–'}</td></tr>`;
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
