/** `bless`: make a stored run the baseline, with a reason, unless the controls say it measured nothing. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { writeAtomically } from '../../atomic-write.ts';
import { gradeRecordings } from '../../execution/judgement.ts';
import { EXIT } from '../../exit-codes.ts';
import { BASELINE_FILE, type Baseline, baselineEntries, baselineText, METHODOLOGY } from '../../grading/baseline.ts';
import type { Grade } from '../../grading/grade.ts';
import { unconditionalFindings } from '../../grading/verdict.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import { identityKey, identityOf, plannedKeys } from '../../recording/campaign-plan.ts';
import type { Recording } from '../../recording/recording.ts';
import { type ReportMeta, seedsOf } from '../../reporting/run-report.ts';
import { readStoredRun } from '../../reporting/stored-run.ts';
import type { CommandContext } from './context.ts';

export function addBlessCommand(program: Command, context: CommandContext): void {
  program
    .command('bless [run]')
    .description('make a stored run the baseline (default: the latest)')
    .requiredOption('--reason <text>', 'why these numbers are right')
    .option('--json', 'print one JSON object')
    .action(async (name: string | undefined, options: { reason: string; json?: boolean }) => {
      const { recordings, meta, folder } = await readStoredRun(context.root, name);
      const run = { meta, recordings, grades: await gradeRecordings(recordings) };
      const baseline = blessedBaseline(run, options.reason, new Date());
      await writeAtomically(join(context.root, BASELINE_FILE), baselineText(baseline));
      const entries = Object.keys(baseline.entries).length;
      const summary = { blessed: BASELINE_FILE, from: folder, entries, reason: options.reason };
      context.stdout.write(
        options.json === true ? `${JSON.stringify(summary)}\n` : `${BASELINE_FILE}: ${entries} entries blessed\n`,
      );
      context.exitWith(EXIT.pass);
    });
}

export interface GradedRun {
  meta: ReportMeta;
  recordings: readonly Recording[];
  grades: readonly Grade[];
}

export function blessedBaseline(run: GradedRun, reason: string, at: Date): Baseline {
  const refusals = refusalsFor(run, reason);
  if (refusals.length > 0) throw new HarnessError('BLESS_REFUSED', refusals.join('\n'));
  const { meta, recordings, grades } = run;
  const listing = (gates: Recording['gates']) =>
    recordings.find((recording) => recording.gates === gates)?.subject.directListingTokens;
  const [closed, open] = [listing('closed'), listing('open')];
  return {
    version: 2,
    blessed: { at: at.toISOString(), reason, commit: meta.commit },
    subject: meta.subject,
    settings: meta.settings,
    seeds: seedsOf(meta),
    methodology: meta.methodology,
    ...(closed === undefined || open === undefined ? {} : { directListingTokens: { closed, open } }),
    fixtures: Object.fromEntries(
      meta.fixtures.map((fixture): [string, string] => [fixture.bundle, fixture.digest]).sort(),
    ),
    scenarios: meta.scenarios,
    entries: baselineEntries(grades, seedsOf(meta)),
  };
}

export function refusalsFor({ meta, recordings, grades }: GradedRun, reason: string): string[] {
  const refusals: string[] = [];
  if (reason.trim().length < 10) refusals.push(`--reason should be a sentence, got ${got(reason)}`);
  const left = Object.keys(meta.scenarios).filter((id) => !meta.selected.includes(id));
  if (left.length > 0) refusals.push(`a baseline should hold every scenario, got a run without ${left.join(', ')}`);
  if (meta.wording !== 0) refusals.push(`a baseline should hold the intents, got wording ${meta.wording}`);
  if (meta.methodology !== METHODOLOGY) {
    refusals.push(`a baseline should be of methodology ${METHODOLOGY}, got ${meta.methodology}`);
  }
  const { shard: _shard, ...whole } = meta;
  const keys = new Set(recordings.map(identityOf).map(identityKey));
  const missing = plannedKeys(whole).filter((key) => !keys.has(key));
  if (missing.length > 0)
    refusals.push(`a baseline should hold every run, got none of ${missing.length}, first ${missing[0]}`);
  for (const agent of ['oracle', 'noop']) {
    if (!meta.agents.includes(agent))
      refusals.push(`the run should include the control ${agent}, got ${meta.agents.join(', ')}`);
  }
  const crashed = grades.filter((g) => g.crashed);
  refusals.push(...crashed.map((g) => `the agent should answer in ${g.key}, got: ${g.reasons.join(' · ')}`));
  const red = grades.flatMap((g) => unconditionalFindings([g]));
  refusals.push(...red.map((f) => `${f.gate}: ${f.key} should be ${f.expected}, got ${f.actual}: ${f.reason ?? ''}`));
  return refusals;
}
