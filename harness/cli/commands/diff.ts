/** `diff A B`: what changed between two stored runs, scenario by scenario and in sum, with exact paired tests. */
import type { Command } from 'commander';
import { gradeRecordings } from '../../execution/judgement.ts';
import { EXIT } from '../../exit-codes.ts';
import { type ComparedCell, compareRuns, measuredOf } from '../../grading/baseline-comparison.ts';
import type { Grade } from '../../grading/grade.ts';
import { differenceLine, planDifferences } from '../../reporting/plan-differences.ts';
import { readRun } from '../../reporting/publication.ts';
import { textTable } from '../../reporting/text-table.ts';
import type { CommandContext } from './context.ts';

export interface Change {
  /** agent/transport/suite/scenario and the run. */
  key: string;
  field: string;
  before: number | string | null;
  after: number | string | null;
}

export function addDiffCommand(program: Command, context: CommandContext): void {
  program
    .command('diff <a> <b>')
    .description('compare two stored runs or published versions')
    .option('--json', 'print one JSON object')
    .action(async (a: string, b: string, options: { json?: boolean }) => {
      const [before, after] = [await readRun(context.root, a), await readRun(context.root, b)];
      const [old, now] = [await gradeRecordings(before.recordings), await gradeRecordings(after.recordings)];
      const changes = changesBetween(old, now);
      const tests = compareRuns(measuredOf(old), measuredOf(now), after.meta.seed);
      const plan = planDifferences(before, after);
      if (options.json === true) context.stdout.write(`${JSON.stringify({ plan, changes, tests })}\n`);
      else {
        if (plan.length > 0) context.stdout.write(`${plan.map(differenceLine).join('\n')}\n\n`);
        if (changes.length === 0) context.stdout.write('no difference\n');
        else context.stdout.write(`${changes.map(changeLine).join('')}\n${testTable(tests)}\n`);
      }
      context.exitWith(EXIT.pass);
    });
}

/** Everything but times, which differ between any two runs. Joined by seed, or by place where they share no seed. */
export function changesBetween(before: readonly Grade[], after: readonly Grade[]): Change[] {
  const seeds = new Set(before.map(({ seed }) => seed));
  const bySeed = after.some(({ seed }) => seeds.has(seed));
  const keyed = (grades: readonly Grade[]) =>
    new Map(grades.map((grade) => [`${grade.key}#${bySeed ? grade.seed : grade.run}`, grade]));
  const [old, now] = [keyed(before), keyed(after)];
  const joined = [...new Set([...old.keys(), ...now.keys()])].sort();
  return joined.flatMap((place): Change[] => {
    const [a, b] = [old.get(place), now.get(place)];
    const { key: run, run: number } = (b ?? a)!;
    const key = `${run}#${number}`;
    if (a === undefined || b === undefined) {
      const at = (grade: Grade | undefined) => (grade === undefined ? 'absent' : 'present');
      return [{ key, field: 'presence', before: at(a), after: at(b) }];
    }
    const fields = [...new Set([...Object.keys(a.metrics), ...Object.keys(b.metrics)])].filter(
      (name) => name !== 'latency_ms',
    );
    const [values, others] = [fieldsOf(a, fields), fieldsOf(b, fields)];
    return ['status', ...fields]
      .filter((field) => values[field] !== others[field])
      .map((field) => ({ key, field, before: values[field] ?? null, after: others[field] ?? null }));
  });
}

const fieldsOf = (grade: Grade, fields: readonly string[]): Record<string, number | string | null> => ({
  status: grade.status,
  ...Object.fromEntries(fields.map((field) => [field, grade.metrics[field] ?? null])),
});

const changeLine = ({ key, field, before, after }: Change): string => `${key}  ${field}: ${before} → ${after}\n`;

function testTable(cells: readonly ComparedCell[]): string {
  const shown = cells.filter((cell) => cell.signs.better + cell.signs.worse > 0);
  const number = (value: number | null) => (value === null ? '–' : value.toFixed(2));
  return textTable(
    ['agent', 'suite', 'metric', 'before', 'after', 'better', 'worse', 'p (Holm)'],
    shown.map((cell) => [
      cell.agent,
      cell.suite,
      cell.metric,
      number(cell.before),
      number(cell.after),
      String(cell.signs.better),
      String(cell.signs.worse),
      cell.adjusted.toFixed(3),
    ]),
    3,
  ).join('\n');
}
