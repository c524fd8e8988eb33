/** The figures last recorded, as the column "Last seen" of docs/reliability.md has them: written there, not copied by hand. */
import type { Night } from './nightly-history.ts';
import type { Figure, Line } from './nightly-job.ts';

/** The lines that a command of the table plays, by id; none where its figures stand on a page of their own. */
export function linesOf(command: string, lines: readonly Line[]): Line[] {
  const [, script, only] = /^`npm run ([a-z:]+)(?: -- --only ([\w,-]+))?`$/.exec(command) ?? [];
  const ids = only?.split(',') ?? [];
  if (script === 'nightly') return ids.flatMap((id) => lines.filter((line) => line.id === id));
  return lines.filter(
    ({ run }) => 'script' in run && run.script === script && ids.every((id) => run.words?.includes(id)),
  );
}

/** What the newest night says that played all of them; nothing where none did. */
export function cellOf(lines: readonly Line[], nights: readonly Night[]): string | undefined {
  const night = nights.findLast((one) => lines.every(({ id }) => one.lines[id] !== undefined));
  if (night === undefined || lines.length === 0) return undefined;
  const told = lines.map((line) => {
    const { state, figures = {} } = night.lines[line.id] ?? {};
    const units = new Map((line.figures ?? []).map(({ name, unit }) => [name, unit]));
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
/** A row whose figures stand on a page of their own. */
const ELSEWHERE = /^see /;

/** The page with each figure that a night recorded in its place; a row that none recorded stays as it is. */
export function withCells(page: string, lines: readonly Line[], nights: readonly Night[]): string {
  const written = page.split('\n').map((row) => {
    const [, id, what, seen = '', command = ''] = ROW.exec(row) ?? [];
    const cell = ELSEWHERE.test(seen) ? undefined : cellOf(linesOf(command, lines), nights);
    return cell === undefined ? row : `| ${id} | ${what} | ${cell} | ${command} |`;
  });
  return written.join('\n');
}
