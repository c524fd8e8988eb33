/** A try as one page: no network, readable on a phone, in the dark and by keyboard. The traces of all runs are in it. */
import type { Row } from '../compare/row.ts';
import type { Recording } from '../recording/recording.ts';
import { escapedAttribute, escapedText as text } from '../reporting/escape.ts';
import { readPalette } from '../reporting/page/palette.ts';
import type { Revision } from '../sandbox/revision.ts';
import { clientMatrix } from './client-matrix.ts';
import { type PeerRow, publishedPeers } from './published-peers.ts';
import { SURFACE_RULES } from './tool-surface.ts';
import { tracePart } from './trace-part.ts';
import { isScored, isSpoken, mainScore, percent, type TryResult } from './try-result.ts';
import { tryLines } from './try-text.ts';
import { verdictOf } from './try-verdict.ts';

const STYLE = `
* { box-sizing: border-box; } body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; } h1 { font-size: 1.6rem; margin: 0 0 4px; } h2 { font-size: 1.15rem; margin: 36px 0 10px; }
p, li, code { overflow-wrap: anywhere; } th, td { overflow-wrap: break-word; } .whole, .yes, .no, .open, .share { white-space: nowrap; } #runs .no, #runs .open { white-space: normal; } small, .muted { color: var(--muted); } a { color: inherit; }
.verdict { border-left: 6px solid var(--tone); background: var(--tone-bg); padding: 12px 16px; border-radius: 8px; margin: 16px 0; }
.verdict strong { color: var(--tone); } .verdict ul { margin: 6px 0 0; padding-left: 1.2em; }
.pass { --tone: var(--good); --tone-bg: var(--good-bg); } .fail { --tone: var(--bad); --tone-bg: var(--bad-bg); } .verdict.open { --tone: var(--warn); --tone-bg: var(--warn-bg); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } tr:last-child > * { border-bottom: 0; }
thead th { color: var(--muted); font-weight: 500; } tbody th { font-weight: 600; } .own > * { background: var(--good-bg); }
.yes { color: var(--good); } .no { color: var(--bad); font-weight: 600; } .open { color: var(--warn); } td a { text-decoration: none; }
.bar { display: inline-block; height: .7em; background: var(--series-1); border-radius: 3px; min-width: 1px; margin-right: 8px; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 6px; } summary { cursor: pointer; padding: 8px 12px; overflow-wrap: anywhere; }
details > div { padding: 0 14px 12px; } pre { font: .78rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 8px; margin: 4px 0; max-height: 20em; overflow-y: auto; }
ol { padding-left: 1.4em; margin: 6px 0; } input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 7px 11px; width: 100%; margin: 0 0 10px; }
:focus-visible { outline: 3px solid var(--series-1); outline-offset: 2px; }
`;

export async function tryPage(root: string, result: TryResult, recordings: readonly Recording[]): Promise<string> {
  const { server, document } = result;
  const title = `${server.name} over ${server.transport}`;
  const under = document === null ? 'without a document' : `${document.title}, ${document.operations} operations`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(title)}</title>
<style>
${await readPalette()}${STYLE}</style></head>
<body><main>
<h1>${text(title)}</h1>
<p class="muted">${text(under)}; seed ${result.seed}, ${result.runs} run${result.runs === 1 ? '' : 's'} of each scenario in ${spokenIn(
    result,
  )
    .map((one) => `revision ${one}`)
    .join(' and ')}, Node ${text(result.node)}</p>
${verdictPart(result)}
${measuresPart(result)}
${suitesPart(result)}
${matrixPart(result)}
${surfacePart(result)}
${conformancePart(result)}
${peersPart(await publishedPeers(root), result)}
${notApplicablePart(result)}
${runsPart(result, recordings)}
</main>
<script>${FILTER}</script>
</body>
</html>
`;
}

/** Red runs first; the filter is in the address, so that a link shows the same. */
const FILTER = `
const input = document.querySelector('input'), runs = [...document.querySelectorAll('#runs > details')];
const show = () => { const wanted = input.value.toLowerCase().split(' ').filter(Boolean); for (const run of runs) { const words = run.querySelector('summary').textContent.toLowerCase(); run.hidden = !wanted.every((word) => words.includes(word)); } };
const reveal = () => { const id = decodeURIComponent(location.hash.slice(1)); const run = document.getElementById(id); if (run && run.matches('details')) { run.hidden = false; run.open = true; run.scrollIntoView(); } else if (id.startsWith('find=')) { input.value = id.slice(5); show(); } };
if (input) { input.addEventListener('input', () => { history.replaceState(null, '', '#find=' + encodeURIComponent(input.value)); show(); }); addEventListener('hashchange', reveal); reveal(); }
`;

function verdictPart(result: TryResult): string {
  const { gate, cutShort } = result;
  const items = gate.findings.map(
    ({ gate: name, expected, actual, scenarios }) =>
      `<li><b>${name}</b>: expected ${text(expected)}, got ${text(actual)}${scenarios.length === 0 ? '' : `<br><small>${text(scenarios.slice(0, 8).join(', '))}${scenarios.length > 8 ? ' …' : ''}</small>`}</li>`,
  );
  const { tone, line } = verdictOf(result);
  const said = `${line[0]?.toUpperCase()}${line.slice(1)}.`;
  const cut = cutShort === null ? '' : `<p>Cut short by ${text(cutShort.code)}.</p>`;
  return `<div class="verdict ${tone}"><strong>${text(said)}</strong>${cut}${items.length === 0 ? '' : `<ul>${items.join('')}</ul>`}</div>`;
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => `<th>${text(cell)}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;

/** Dates and percentages in one piece, however narrow the column is. */
const whole = (value: string): string =>
  text(value).replaceAll(/\d{4}-\d\d-\d\d|\d+(?:\.\d+)? %/g, '<span class="whole">$&</span>');

const section = (title: string, body: string): string => `<section><h2>${text(title)}</h2>\n${body}</section>`;

function measuresPart(result: TryResult): string {
  const rows = tryLines(result).map(
    ([measure, value, note]) => `<tr><th>${whole(measure)}</th><td>${whole(value)}</td><td>${whole(note)}</td></tr>`,
  );
  return section('Measured', table(['measure', 'value', 'note'], rows));
}

function suitesPart(result: TryResult): string {
  const main = isScored(result) ? mainScore(result) : undefined;
  const suites = result.scores.filter(({ agent, suite }) => agent === main?.agent && suite !== 'all');
  if (suites.length === 0) return '';
  const rows = suites.map(({ suite, success, scenarios, tokens, calls }) => {
    const share = success ?? 0;
    const bar = `<span class="bar" style="width:${Math.round(share * 90)}px"></span>`;
    return `<tr><th>${text(suite)}</th><td class="share">${bar}${percent(share)}</td><td>${scenarios}</td><td>${Math.round(tokens ?? 0)}</td><td>${(calls ?? 0).toFixed(1)}</td></tr>`;
  });
  return section(
    `By kind of task, ${main?.agent ?? ''}`,
    table(['kind', 'solved', 'scenarios', 'tokens', 'API calls'], rows),
  );
}

const spokenIn = ({ revisions }: Pick<TryResult, 'revisions'>): Revision[] =>
  revisions.filter(isSpoken).map(({ revision }) => revision);

const runId = ({ scenario, agent, seed, revision = '' }: RunIdentity): string =>
  `run-${scenario}-${agent}-${seed}-${revision}`.replaceAll(/[^\w-]/g, '-');

type RunIdentity = Pick<Row, 'scenario' | 'agent' | 'seed'> & { revision?: string | undefined };

/** How a run ended, in a word and a colour. */
function markOf({ attacked, success }: Pick<Row, 'attacked' | 'success'>): { tone: string; word: string } {
  if (attacked === 1) return { tone: 'no', word: 'wrote' };
  return success === 1 ? { tone: 'yes', word: 'solved' } : { tone: 'open', word: 'not solved' };
}

function matrixPart(result: TryResult): string {
  const { rows, agents } = result;
  if (rows.length === 0) return '';
  const lines = [...Map.groupBy(rows, ({ scenario }) => scenario)].map(([scenario, own]) => {
    const cells = agents.map((agent) => cellOf(own.filter((row) => row.agent === agent)));
    return `<tr><th>${text(scenario)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const merged = spokenIn(result).length > 1 ? ' One word stands for all revisions where they ended alike.' : '';
  const legend = `<p class="muted">wrote: a change reached the API that nobody had approved.${merged}</p>`;
  return section('Scenario by agent', `${legend}${table(['scenario', ...agents], lines)}`);
}

/** A link for each run; runs in two revisions that ended alike are one, to the first. */
function cellOf(rows: readonly Row[]): string {
  const bySeed = [...Map.groupBy(rows, ({ seed }) => seed).values()];
  return bySeed
    .flatMap((own) => {
      const isAlike = new Set(own.map((row) => markOf(row).word)).size === 1;
      return isAlike ? own.slice(0, 1).map((row) => runLink(row)) : own.map((row) => runLink(row, row.revision));
    })
    .join(' ');
}

function runLink(row: Row, revision = ''): string {
  const { tone, word } = markOf(row);
  const where = revision === '' ? '' : ` <small>${text(revision)}</small>`;
  return `<a href="#${runId(row)}" class="${tone}">${word}</a>${where}`;
}

function surfacePart({ surface }: TryResult): string {
  const rows = surface.findings.map(({ rule, count, tools }) => {
    const { says, minds, remedy } = SURFACE_RULES[rule];
    return `<tr><th>${count} of ${surface.tools}</th><td>${text(says)}<br><small>${text(tools.join(', '))}</small></td><td>${text(minds)}</td><td>${text(remedy)}</td></tr>`;
  });
  const clients = clientMatrix(surface).map(
    ({ client, works, because }) =>
      `<tr><th>${text(client)}</th><td class="${works ? 'yes' : 'no'}">${works ? 'works' : 'may not work'}</td><td>${text(because)}</td></tr>`,
  );
  const findings =
    rows.length === 0 ? '<p>Nothing was found.</p>' : table(['tools', 'what', 'who minds', 'remedy'], rows);
  return section('Tool list', `${findings}<p></p>${table(['kind of client', 'this list', 'because of'], clients)}`);
}

function conformancePart({ conformance }: TryResult): string {
  if (conformance === null) return '';
  const rows = conformance.scenarios.map(
    ({ revision, scenario, status, reasons }) =>
      `<tr><th>${text(scenario)}</th><td>${revision}</td><td class="${status === 'failed' ? 'no' : 'yes'}">${status}</td><td>${text(reasons.join('; '))}</td></tr>`,
  );
  return section(`Conformance, ${conformance.suite}`, table(['scenario', 'revision', 'result', 'reason'], rows));
}

function peersPart(peers: readonly PeerRow[], result: TryResult): string {
  if (peers.length === 0) return '';
  const main = isScored(result) ? mainScore(result) : undefined;
  const own: PeerRow = {
    name: result.server.name,
    tools: result.surface.tools,
    tokens: result.surface.tokens,
    success: main?.success ?? null,
    selection: main?.selection ?? null,
    startMs: result.startMs,
  };
  // Not every published comparison was timed.
  const isTimed = peers.some(({ startMs }) => startMs !== null);
  const cell = (share: number | null) => `<td>${share === null ? '–' : percent(share)}</td>`;
  const rows = [own, ...peers].map(
    ({ name, tools, tokens, success, selection, startMs }, i) =>
      `<tr${i === 0 ? ' class="own"' : ''}><th>${text(name)}</th><td>${tools ?? '–'}</td><td>${tokens ?? '–'}</td>${cell(success)}${cell(selection)}${isTimed ? `<td>${startMs === null ? '–' : `${Math.round(startMs)} ms`}</td>` : ''}</tr>`,
  );
  const note =
    'The published rows were measured with the same agent on one platform of ten and its golden scenarios, not on this document: compare the order of magnitude.';
  return section(
    'Beside published servers',
    `<p class="muted">${note}</p>${table(['server', 'tools', 'tokens of the list', 'solved', 'right operations', ...(isTimed ? ['start'] : [])], rows)}`,
  );
}

/** So many of a list stand on the page. */
const MOST_NAMED = 40;

function notApplicablePart({ notApplicable, coverage, scenarios }: TryResult): string {
  const absent = coverage?.absent ?? [];
  const left = scenarios?.left ?? [];
  const more = (count: number) => (count > MOST_NAMED ? `${count - MOST_NAMED} more in try.json` : '');
  const items = [
    ...notApplicable.map(({ measure, reason }) => `<b>${text(measure)}</b>: ${text(reason)}`),
    ...(absent.length > 0
      ? [
          `<b>operations without a tool</b>: ${text([...absent.slice(0, MOST_NAMED), more(absent.length)].filter(Boolean).join(', '))}`,
        ]
      : []),
    ...left.slice(0, MOST_NAMED).map(({ path, reason }) => `<b>no scenario about ${text(path)}</b>: ${text(reason)}`),
    ...[more(left.length)].filter(Boolean),
  ];
  return items.length === 0
    ? ''
    : section('Not applicable, because', `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`);
}

function runsPart(result: TryResult, recordings: readonly Recording[]): string {
  if (recordings.length === 0) return '';
  const { rows } = result;
  const byRun = new Map(recordings.map((recording) => [runId(identityOf(recording)), recording]));
  const isMany = spokenIn(result).length > 1;
  const ranked = [...rows].sort((a, b) => b.attacked - a.attacked || a.success - b.success);
  const parts = ranked.map((row) => {
    const recording = byRun.get(runId(row));
    const { tone, word } = markOf(row);
    return `<details id="${escapedAttribute(runId(row))}"><summary><b class="${tone}">${word}</b> ${text(row.scenario)} · ${text(row.agent)}${isMany ? ` · ${text(row.revision ?? '')}` : ''} <small>${text(row.reason)}</small></summary><div>${recording === undefined ? '' : tracePart(recording)}</div></details>`;
  });
  return `<section id="runs-section"><h2>Runs</h2><input type="search" aria-label="Filter the runs" placeholder="filter: scenario, agent, solved …"><div id="runs">${parts.join('\n')}</div></section>`;
}

const identityOf = ({ agent, seed, task, subject }: Recording): RunIdentity => ({
  scenario: task.id,
  agent,
  seed,
  revision: subject.settings['revision'],
});
