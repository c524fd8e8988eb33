/** Writes the last recorded figures into the column "Last seen" of docs/reliability.md. */
import type { NightlyRun } from './nightly-history.ts';
import type { Figure, NightlyJob } from './nightly-job.ts';

/** The jobs that a command of the table runs, by id. None when another page has its figures. */
export function jobsOf(command: string, jobs: readonly NightlyJob[]): NightlyJob[] {
  const [, script, only] = /^`npm run ([a-z:]+)(?: -- --only ([\w,-]+))?`$/.exec(command) ?? [];
  const ids = only?.split(',') ?? [];
  if (script === 'nightly') return ids.flatMap((id) => jobs.filter((job) => job.id === id));
  return jobs.filter(
    ({ run }) => 'script' in run && run.script === script && ids.every((id) => run.arguments?.includes(id)),
  );
}

/** The figures of the newest run that contains all these jobs; undefined when there is none. */
export function cellOf(jobs: readonly NightlyJob[], runs: readonly NightlyRun[]): string | undefined {
  const night = runs.findLast((one) => jobs.every(({ id }) => one.lines[id] !== undefined));
  if (night === undefined || jobs.length === 0) return undefined;
  const told = jobs.map((job) => {
    const { state, figures = {} } = night.lines[job.id] ?? {};
    const units = new Map((job.figures ?? []).map(({ name, unit }) => [name, unit]));
    const parts = Object.entries(figures).map(([name, value]) => `${name}: ${shown(value, units.get(name))}`);
    return `${state === 'passed' ? '' : 'FAILED: '}${parts.join(', ')}`;
  });
  return `${told.join('; ')} (${night.at.slice(0, 10)}, ${night.commit.slice(0, 8)})`.replaceAll('|', '/');
}

function shown(value: Figure['value'], unit: string | undefined): string {
  const text =
    typeof value === 'number'
      ? (Number.isInteger(value) ? value : Number(value.toPrecision(3))).toLocaleString('en', {
          maximumSignificantDigits: 21,
        })
      : String(value ?? 'not printed');
  return unit === undefined ? text : `${text} ${unit}`;
}

const ROW = /^\| (.*) \| (.*) \| (.*) \| (`npm run [^|`]+`) \|$/;
/** A row whose figures are on another page. */
const ELSEWHERE = /^see /;

/** The page with the recorded figures in its table. A row without a recorded figure does not change. */
export function withCells(page: string, jobs: readonly NightlyJob[], runs: readonly NightlyRun[]): string {
  const written = page.split('\n').map((row) => {
    const [, id, what, seen = '', command = ''] = ROW.exec(row) ?? [];
    const cell = ELSEWHERE.test(seen) ? undefined : cellOf(jobsOf(command, jobs), runs);
    return cell === undefined ? row : `| ${id} | ${what} | ${cell} | ${command} |`;
  });
  return written.join('\n');
}
