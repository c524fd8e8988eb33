/** The nightly run as one self-contained page: each figure beside its goal and its values in earlier runs. */
import { escapeMarkup } from '../../../markup/escape.ts';
import { draw, pageOf } from '../bench-page.ts';
import type { NightlyRun } from './nightly-history.ts';
import { type Figure, goalText } from './nightly-job.ts';
import type { Outcome } from './nightly-run.ts';

const STATES = { passed: 'holds', failed: 'FAILS', 'not-run': 'not run here' } as const;
const SABOTAGED = { passed: 'noticed', failed: 'NOT NOTICED', 'not-run': 'not run here' } as const;

export async function nightlyPage(
  outcomes: readonly Outcome[],
  runs: readonly NightlyRun[],
  commit: string,
): Promise<string> {
  const lines = outcomes.filter(({ kind }) => kind === 'job');
  const sabotages = new Map(outcomes.filter(({ kind }) => kind === 'sabotage').map((outcome) => [outcome.id, outcome]));
  const alone = [...sabotages.values()].filter(({ id }) => lines.every((line) => line.id !== id));
  const sections = await Promise.all([...lines, ...alone].map((line) => section(line, sabotages.get(line.id), runs)));
  const count = (state: Outcome['state']) => lines.filter((line) => line.state === state).length;
  const lead = `Commit <code>${escapeMarkup(commit)}</code>: ${count('passed')} jobs hold, ${count('failed')} fail, ${count('not-run')} could not be run here. Made with <code>npm run nightly</code>.`;
  return pageOf('Nightly run', lead, [notRun(outcomes), ...sections]);
}

/** Jobs that did not run come first. */
function notRun(outcomes: readonly Outcome[]): string {
  const absent = outcomes.filter(({ state, kind }) => state === 'not-run' && kind === 'job');
  if (absent.length === 0) return '';
  const rows = absent.map(({ id, title, reason }) => row([id, title, reason ?? ''], 'td'));
  return `<figure style="display:block"><figcaption><h2>Not run here, because</h2></figcaption><table>${rows.join('')}</table></figure>`;
}

async function section(outcome: Outcome, sabotage: Outcome | undefined, runs: readonly NightlyRun[]): Promise<string> {
  const { id, kind, title, state, reason, seconds, figures } = outcome;
  const status = kind === 'job' ? `${STATES[state]} after ${seconds} s` : 'run without its job';
  const broken = sabotage === undefined ? '' : `; its sabotage: ${SABOTAGED[sabotage.state]}`;
  const why = reason === undefined ? '' : `<p><b>${escapeMarkup(reason)}</b></p>`;
  const rows = await Promise.all(
    figures.map(async (figure) =>
      row(
        [figure.name, shown(figure), goalText(figure.goal), figure.held ? '' : 'missed', await trend(id, figure, runs)],
        'td',
      ),
    ),
  );
  const head = row(['figure', 'now', 'goal', '', 'earlier runs'], 'th');
  const table = figures.length === 0 ? '' : `<table>${head}${rows.join('')}</table>`;
  return `<figure style="display:block" id="${escapeMarkup(id)}"><figcaption><h2>${escapeMarkup(id)} · ${escapeMarkup(title)}</h2><p>${status}${broken}</p>${why}</figcaption>${table}</figure>`;
}

function row(cells: readonly string[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell.startsWith('<svg') ? cell : escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
}

const shown = ({ value, unit }: Figure): string =>
  `${typeof value === 'number' ? value.toLocaleString('en') : (value ?? 'not printed')}${unit === undefined ? '' : ` ${unit}`}`;

/** A small line chart of the runs with the goal as a dashed line. Text when fewer than two runs have a number. */
async function trend(id: string, { name, goal }: Figure, runs: readonly NightlyRun[]): Promise<string> {
  const values = runs.flatMap(({ lines }, run) => {
    const value = lines[id]?.figures[name];
    return typeof value === 'number' ? [{ run, value }] : [];
  });
  if (values.length < 2) return values.length === 0 ? '–' : '1 run';
  const limits = [goal?.most, goal?.least].flatMap((limit) => (limit === undefined ? [] : [{ limit }]));
  return draw({
    width: 180,
    height: 36,
    data: { values },
    encoding: { x: { field: 'run', type: 'quantitative', axis: null } },
    layer: [
      {
        mark: { type: 'line', point: { size: 12 }, color: 'var(--series-1)' },
        encoding: { y: { field: 'value', type: 'quantitative', axis: null, scale: { zero: true } } },
      },
      {
        data: { values: limits },
        mark: { type: 'rule', color: 'var(--series-6)', strokeDash: [3, 3] },
        encoding: { y: { field: 'limit', type: 'quantitative' }, x: null },
      },
    ],
    config: { background: 'transparent', view: { stroke: null } },
  } as Parameters<typeof draw>[0]);
}
