/** `run`: play the selected scenarios through a subject, judge them against the baseline, write the reports. */
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Agent } from '../agent.ts';
import { loadAgents } from '../agent-process.ts';
import { BASELINE_FILE, readBaseline } from '../baseline.ts';
import { assertFixtures, runCampaign } from '../campaign.ts';
import { checkCitations } from '../citation.ts';
import { headCommit } from '../commit.ts';
import { got, HarnessError } from '../errors.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { judgeRecordings, writeReports } from '../judgement.ts';
import { type ModelAccess, openLiveModel, openReplayedModel } from '../llm/access.ts';
import { modelCaveats } from '../llm/caveats.ts';
import { STRENGTHS, type Strength } from '../llm/replay.ts';
import { planLanes, selectScenarios } from '../matrix.ts';
import { seconds, startProgress } from '../progress.ts';
import type { Recording, Transport } from '../recording.ts';
import terminal from '../reporters/terminal.ts';
import { RUNS_FOLDER, stampOf } from '../run-folder.ts';
import { loadScenarios, type Scenario } from '../scenario.ts';
import { readStoredRun } from '../stored-run.ts';
import { loadSubject } from '../subject.ts';
import type { CommandContext } from './context.ts';
import { commaList, wholeNumber } from './options.ts';

interface RunOptions {
  suite: string[];
  filter?: string;
  agent: string[];
  transport: string[];
  runs: number;
  seed: number;
  concurrency: number;
  wording: number;
  replay?: string;
  strength?: Strength;
  subject: string;
  subjectRoot?: string;
  scenarios: string;
  baseline: string;
  out?: string;
  json?: boolean;
}

export function addRunCommand(program: Command, context: CommandContext): void {
  program
    .command('run', { isDefault: true })
    .description('run the golden scenarios and judge them against the baseline')
    .option('--suite <names>', 'only these suites, comma separated', commaList, [])
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--agent <names>', 'agents, comma separated', commaList, ['retrieval', 'oracle', 'noop'])
    .option('--transport <names>', 'http, stdio or both', commaList, ['http', 'stdio'])
    .option('--runs <n>', 'runs of each scenario, each with the next seed', wholeNumber(1, 1_000), 1)
    .option('--seed <n>', 'seed of the first run', wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      '--concurrency <n>',
      'lanes at a time',
      wholeNumber(1, 64),
      Math.max(1, Math.min(4, availableParallelism())),
    )
    .option(
      '--wording <n>',
      '0 is the intent, 1 to 3 its paraphrases (held out: never judged by the baseline)',
      wholeNumber(0, 3),
      0,
    )
    .option('--replay <run>', 'let agents that ask a model hear the answers of a stored run, not those of an endpoint')
    .addOption(
      new Option('--strength <name>', 'strict: every request as stored; decisions: only the answers').choices(
        STRENGTHS,
      ),
    )
    .option('--subject <name>', 'server under test, a file in harness/subjects', 'router')
    .option('--subject-root <folder>', 'start the subject in this folder instead (a patched copy)')
    .option('--scenarios <folder>', 'scenario folder', 'scenarios')
    .option('--baseline <file>', 'baseline to judge against', BASELINE_FILE)
    .option('--out <folder>', `where the reports go (default: ${RUNS_FOLDER}/<stamp>)`)
    .option('--json', 'print the report as one JSON object last')
    .action(async (options: RunOptions) => {
      context.exitWith(await run(options, context));
    });
}

async function run(options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const { root } = context;
  const started = new Date();
  const subject = await loadSubject(options.subject);
  const all = await loadScenarios(root, options.scenarios);
  const scenarios = selectScenarios(
    all,
    known(
      options.suite,
      all.map((s) => s.suite),
      'suite',
    ),
    options.filter,
  );
  if (scenarios.length === 0) {
    throw new HarnessError(
      'NOTHING_SELECTED',
      `--suite and --filter should leave a scenario of ${all.length}, got none`,
    );
  }
  const agents = await loadAgents();
  const selectedAgents = known(
    options.agent,
    agents.map((agent) => agent.id),
    'agent',
  ).map((id) => agents.find((a) => a.id === id)!);
  const transports = known(options.transport, ['http', 'stdio'], 'transport') as Transport[];
  const baseline = await readBaseline(resolve(root, options.baseline));
  await assertFixtures(
    root,
    scenarios.map((scenario) => scenario.fixture),
  );
  const { unchecked } = await checkCitations(root, scenarios);
  const lanes = planLanes(
    {
      scenarios: scenarios.map((scenario) => reworded(scenario, options.wording)),
      agents: selectedAgents,
      transports,
      runs: options.runs,
      seed: options.seed,
    },
    subject,
  );
  const total = lanes.reduce((sum, lane) => sum + lane.runs.length, 0);
  const progress = startProgress(total, context.stderr);
  progress.note(
    `${scenarios.length} scenarios × ${options.agent.join(', ')} × ${transports.join(', ')}: ${total} runs`,
  );
  let recordings: Recording[];
  await using model = await modelFor(selectedAgents, options, root);
  try {
    recordings = await runCampaign({
      root,
      ...(options.subjectRoot === undefined ? {} : { subjectRoot: resolve(root, options.subjectRoot) }),
      subject,
      // All of the folder's, whatever was selected: what else could be found is part of the world that is measured.
      platforms: [...new Set(all.flatMap((s) => [s.platform, ...(s.also ?? [])]))].sort(),
      lanes,
      model,
      concurrency: options.concurrency,
      signal: context.signal,
      onLane: (lane) => progress.note(`${subject.name} over ${lane.transport}, gates ${lane.gates}: ready`),
      onRecording: (recording) => progress.step(recording.outcome === 'crashed' || recording.outcome === 'timeout'),
    });
  } finally {
    progress.end();
  }
  if (context.signal.aborted) return EXIT.interrupted;
  const report = await judgeRecordings({
    recordings,
    baseline,
    meta: {
      startedAt: started.toISOString(),
      elapsedMs: Date.now() - started.getTime(),
      command: `npm run harness -- ${context.argv.join(' ')}`.trim(),
      subject: subject.name,
      agents: options.agent,
      transports,
      seed: options.seed,
      runs: options.runs,
      wording: options.wording,
      commit: await headCommit(root),
      scenarios: digests(all),
      selected: scenarios.map((scenario) => scenario.id),
      caveats: [...(unchecked === undefined ? [] : [unchecked]), ...modelCaveats(recordings)],
    },
  });
  const folder = options.out === undefined ? join(root, RUNS_FOLDER, stampOf(started)) : resolve(root, options.out);
  const page = await writeReports(folder, report, recordings);
  if (options.json === true) {
    context.stdout.write(`${JSON.stringify({ ...report, traces: undefined, page })}\n`);
  } else {
    context.stdout.write(`${await terminal.render(report, { color: context.color })}\n`);
    context.stdout.write(
      `${total} runs in ${seconds(report.meta.elapsedMs)} · report: ${relative(root, page) || page}\n`,
    );
  }
  return report.verdict.exit;
}

/** Only when somebody asks one: a missing endpoint is no fault of the others. */
async function modelFor(
  agents: readonly Agent[],
  { replay, strength = 'strict' }: RunOptions,
  root: string,
): Promise<ModelAccess | undefined> {
  if (!agents.some((agent) => agent.asksModel)) return undefined;
  if (replay === undefined) return openLiveModel(process.env);
  return openReplayedModel((await readStoredRun(root, replay)).recordings, strength);
}

/** The same story in other words; whoever tuned on the intent has not seen these. */
function reworded(scenario: Scenario, wording: number): Scenario {
  const intent = scenario.paraphrases?.[wording - 1];
  return wording === 0 || intent === undefined ? scenario : { ...scenario, intent };
}

export const digests = (scenarios: readonly Scenario[]): Record<string, string> =>
  Object.fromEntries(scenarios.map((scenario) => [scenario.id, scenario.digest]));

function known(wanted: string[], all: readonly string[], what: string): string[] {
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length === 0) return wanted;
  throw new HarnessError(
    'NOTHING_SELECTED',
    `--${what} should be of ${[...new Set(all)].join(', ')}, got ${got(unknown.join(', '))}`,
  );
}
