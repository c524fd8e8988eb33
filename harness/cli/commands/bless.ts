/**
 * `bless`: make a stored run the baseline, with a reason. It is refused where the controls say that the run measured nothing,
 * and where it gives up a success, a seed, a scenario or an agent whose loss nobody accepted.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Command, InvalidArgumentError } from 'commander';
import { writeAtomically } from '../../atomic-write.ts';
import { gradeRecordings, scenarioDigestsOf } from '../../execution/judgement.ts';
import { publishedResults } from '../../execution/published-version.ts';
import { assertUntampered } from '../../execution/rebuilt-recordings.ts';
import { EXIT } from '../../exit-codes.ts';
import {
  BASELINE_FILE,
  type Baseline,
  baselineEntries,
  baselineText,
  METHODOLOGY,
  readBaseline,
} from '../../grading/baseline.ts';
import { type AcceptedLoss, BLESS_LOG_FILE, type BlessRecord, countsOf, logLine } from '../../grading/baseline-log.ts';
import { type Loss, lossesSince, lossesSincePublished, lossLines } from '../../grading/baseline-losses.ts';
import { blessedRequests } from '../../grading/baseline-requests.ts';
import type { Grade } from '../../grading/grade.ts';
import { unconditionalFindings } from '../../grading/verdict.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import { identityKey, identityOf, plannedKeys } from '../../recording/campaign-plan.ts';
import type { Recording } from '../../recording/recording.ts';
import { type ReportMeta, seedsOf } from '../../reporting/run-report.ts';
import { readStoredRun } from '../../reporting/stored-run.ts';
import type { CommandContext } from './context.ts';

interface BlessOptions {
  reason: string;
  acceptLoss: Record<string, string>;
  json?: boolean;
}

export function addBlessCommand(program: Command, context: CommandContext): void {
  program
    .command('bless [run]')
    .description('make a stored run the baseline (default: the latest)')
    .requiredOption('--reason <text>', 'why these numbers are right')
    .option(
      '--accept-loss <name=reason>',
      'give up what the refusal lists: a scenario, or `seed 3`, `agent spam`, `transport stdio`; once for each',
      acceptedLoss,
      {},
    )
    .option('--json', 'print one JSON object')
    .action(async (name: string | undefined, options: BlessOptions) => bless(name, options, context));
}

async function bless(name: string | undefined, options: BlessOptions, context: CommandContext): Promise<void> {
  const { root, stdout } = context;
  const { recordings: stored, meta, folder } = await readStoredRun(root, name);
  const recordings = await assertUntampered({ folder, recordings: stored, meta }, root);
  const run = { meta, recordings, grades: await gradeRecordings(recordings) };
  const fresh = blessedBaseline(run, options.reason, new Date());
  const before = await readBaseline(join(root, BASELINE_FILE));
  const losses = await lossesOf(before, fresh, run, root);
  assertAccepted(losses, options.acceptLoss, before?.accepted ?? {});
  const accepted = stillAccepted(losses, { ...before?.accepted, ...options.acceptLoss });
  const baseline: Baseline = { ...fresh, ...(Object.keys(accepted).length === 0 ? {} : { accepted }) };
  const record = recordOf(before, baseline, losses, options.acceptLoss);
  await writeAtomically(join(root, BASELINE_FILE), baselineText(baseline));
  await mkdir(dirname(join(root, BLESS_LOG_FILE)), { recursive: true });
  await appendFile(join(root, BLESS_LOG_FILE), logLine(record));
  const entries = Object.keys(baseline.entries).length;
  const summary = { blessed: BASELINE_FILE, from: folder, entries, reason: options.reason, accepted: record.accepted };
  const lines = [`${BASELINE_FILE}: ${entries} entries blessed\n`, ...record.accepted.map(acceptedLine)];
  stdout.write(options.json === true ? `${JSON.stringify(summary)}\n` : lines.join(''));
  context.exitWith(EXIT.pass);
}

/** `scenario=REASON`, collected by name. */
function acceptedLoss(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  const [name, reason] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && name !== '' && reason.length >= SHORTEST_REASON) return { ...before, [name]: reason };
  throw new InvalidArgumentError(
    `should be name=reason with a reason of ${SHORTEST_REASON} letters, got ${got(text)}.`,
  );
}

const SHORTEST_REASON = 10;

const acceptedLine = ({ name, lost, reason }: AcceptedLoss): string =>
  `  accepted: ${name}${lost === 0 ? '' : `, ${lost} runs`}: ${reason}\n`;

async function lossesOf(
  before: Baseline | undefined,
  after: Baseline,
  { recordings, meta }: GradedRun,
  root: string,
): Promise<Loss[]> {
  const digests = scenarioDigestsOf(recordings);
  const published = await publishedResults(root, { subject: meta.subject, recordings, whole: true });
  return [
    ...(before === undefined ? [] : lossesSince(before, after)),
    ...(published === undefined || !isDeepStrictEqual(published.settings, meta.settings)
      ? []
      : lossesSincePublished(published, after, digests)),
  ];
}

/** What an earlier bless accepted since the published version needs no second reason. */
function assertAccepted(
  losses: readonly Loss[],
  accepted: Readonly<Record<string, string>>,
  earlier: Readonly<Record<string, string>>,
): void {
  const open = losses.filter(
    ({ name, since }) => accepted[name] === undefined && !(since.startsWith('version') && earlier[name] !== undefined),
  );
  const unused = Object.keys(accepted).filter((name) => !losses.some((loss) => loss.name === name));
  const refusals = [...lossLines(open), ...unused.map((name) => `--accept-loss ${name}: nothing of that name is lost`)];
  if (refusals.length === 0) return;
  throw new HarnessError('BLESS_REFUSED', refusals.join('\n'), {
    remedy: "find the cause, or accept each one: --accept-loss '<name>=<reason>'",
  });
}

/** Scenario → reason, as long as the published version is better in it. */
function stillAccepted(losses: readonly Loss[], reasons: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...new Set(losses.filter(({ since }) => since.startsWith('version')).map(({ name }) => name))].sort();
  return Object.fromEntries(names.flatMap((name) => (reasons[name] === undefined ? [] : [[name, reasons[name]]])));
}

function recordOf(
  before: Baseline | undefined,
  after: Baseline,
  losses: readonly Loss[],
  accepted: Readonly<Record<string, string>>,
): BlessRecord {
  const { at, commit, reason } = after.blessed;
  const lost = (name: string) => losses.filter((loss) => loss.name === name && loss.kind === 'lost').length;
  return {
    at,
    commit,
    reason,
    before: before === undefined ? null : countsOf(before),
    after: countsOf(after),
    accepted: Object.entries(accepted).map(([name, why]) => ({ name, reason: why, lost: lost(name) })),
  };
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
    requests: blessedRequests(recordings, seedsOf(meta)),
  };
}

export function refusalsFor({ meta, recordings, grades }: GradedRun, reason: string): string[] {
  const refusals: string[] = [];
  if (reason.trim().length < SHORTEST_REASON) refusals.push(`--reason should be a sentence, got ${got(reason)}`);
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
