/** `diff A B`: what changed between two stored runs, scenario by scenario. */
import type { Command } from 'commander';
import { type BaselineEntry, baselineEntries } from '../baseline.ts';
import { EXIT } from '../exit-codes.ts';
import { readStoredRun } from '../stored-run.ts';
import type { CommandContext } from './context.ts';

export interface Change {
  key: string;
  field: keyof BaselineEntry | 'presence';
  before: number | null | 'absent' | 'present';
  after: number | null | 'absent' | 'present';
}

export function addDiffCommand(program: Command, context: CommandContext): void {
  program
    .command('diff <a> <b>')
    .description('compare two stored runs')
    .option('--json', 'print one JSON object')
    .action(async (a: string, b: string, options: { json?: boolean }) => {
      const [before, after] = [await readStoredRun(context.root, a), await readStoredRun(context.root, b)];
      const changes = changesBetween(baselineEntries(before.report.grades), baselineEntries(after.report.grades));
      if (options.json === true) context.stdout.write(`${JSON.stringify({ changes })}\n`);
      else if (changes.length === 0) context.stdout.write('no difference\n');
      else context.stdout.write(changes.map((c) => `${c.key}  ${c.field}: ${c.before} → ${c.after}\n`).join(''));
      context.exitWith(EXIT.pass);
    });
}

export function changesBetween(before: Record<string, BaselineEntry>, after: Record<string, BaselineEntry>): Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key): Change[] => {
    const [a, b] = [before[key], after[key]];
    if (a === undefined || b === undefined) {
      const at = (entry: BaselineEntry | undefined) => (entry === undefined ? 'absent' : 'present');
      return [{ key, field: 'presence', before: at(a), after: at(b) }];
    }
    const fields = Object.keys(a) as (keyof BaselineEntry)[];
    return fields
      .filter((field) => a[field] !== b[field])
      .map((field) => ({ key, field, before: a[field], after: b[field] }));
  });
}
