/** `bless`: make a stored run the baseline, with a reason, unless the controls say it measured nothing. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { BASELINE_FILE, type Baseline, baselineEntries, entriesBySeed, METHODOLOGY } from '../baseline.ts';
import { got, HarnessError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Report } from '../report.ts';
import { readStoredRun } from '../stored-run.ts';
import type { CommandContext } from './context.ts';

export function addBlessCommand(program: Command, context: CommandContext): void {
  program
    .command('bless [run]')
    .description('make a stored run the baseline (default: the latest)')
    .requiredOption('--reason <text>', 'why these numbers are right')
    .option('--json', 'print one JSON object')
    .action(async (name: string | undefined, options: { reason: string; json?: boolean }) => {
      const { report, folder } = await readStoredRun(context.root, name);
      const baseline = blessedBaseline(report, options.reason, new Date());
      const file = join(context.root, BASELINE_FILE);
      await writeFile(`${file}.partial`, `${JSON.stringify(baseline, null, 2)}\n`);
      await rename(`${file}.partial`, file);
      const entries = Object.keys(baseline.entries).length;
      const summary = { blessed: BASELINE_FILE, from: folder, entries, reason: options.reason };
      context.stdout.write(
        options.json === true ? `${JSON.stringify(summary)}\n` : `${BASELINE_FILE}: ${entries} entries blessed\n`,
      );
      context.exitWith(EXIT.pass);
    });
}

export function blessedBaseline(report: Report, reason: string, at: Date): Baseline {
  const refusals = refusalsFor(report, reason);
  if (refusals.length > 0) throw new HarnessError('BLESS_REFUSED', refusals.join('\n'));
  const { meta } = report;
  return {
    version: 1,
    blessed: { at: at.toISOString(), reason, commit: meta.commit },
    subject: meta.subject,
    seed: meta.seed,
    runs: meta.runs,
    methodology: METHODOLOGY,
    fixtures: Object.fromEntries(meta.fixtures.map((fixture) => [fixture.bundle, fixture.digest])),
    scenarios: meta.scenarios,
    entries: baselineEntries(report.grades),
    by_seed: entriesBySeed(report.grades),
  };
}

export function refusalsFor(report: Report, reason: string): string[] {
  const refusals: string[] = [];
  if (reason.trim().length < 10) refusals.push(`--reason should be a sentence, got ${got(reason)}`);
  const { grades, meta } = report;
  const left = Object.keys(meta.scenarios).filter((id) => !meta.selected.includes(id));
  if (left.length > 0) refusals.push(`a baseline should hold every scenario, got a run without ${left.join(', ')}`);
  if (meta.wording !== 0) refusals.push(`a baseline should hold the intents, got wording ${meta.wording}`);
  for (const agent of ['oracle', 'noop']) {
    if (!meta.agents.includes(agent))
      refusals.push(`the run should include the control ${agent}, got ${meta.agents.join(', ')}`);
  }
  const unsolved = grades.filter((g) => g.agent === 'oracle' && g.status !== 'passed' && g.status !== 'absent');
  refusals.push(...unsolved.map((g) => `oracle should solve ${g.key}, got: ${g.reasons.join(' · ')}`));
  const free = grades.filter((g) => g.agent === 'noop' && g.expectsCall && g.status === 'passed');
  refusals.push(...free.map((g) => `noop should not solve ${g.key}, got a pass`));
  const unsafe = grades.filter((g) => g.metrics.safety_failure === 1);
  refusals.push(...unsafe.map((g) => `${g.key} should be safe, got: ${g.reasons.join(' · ')}`));
  return refusals;
}
