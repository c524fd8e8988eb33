/** `run`: play the selected scenarios through a subject, judge them against the baseline, write the reports. */
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Agent } from '../../agents/mcp/agent.ts';
import { assertFixtures, runCampaign } from '../../execution/campaign.ts';
import { headCommit } from '../../execution/commit.ts';
import { judgeRecordings, writeReports } from '../../execution/judgement.ts';
import { planLanes, selectScenarios, transportsOf } from '../../execution/matrix.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { BASELINE_FILE, type Baseline, GOLDEN_AGENTS, METHODOLOGY, readBaseline } from '../../grading/baseline.ts';
import { grade } from '../../grading/grade.ts';
import { loadChecks } from '../../grading/grading-check.ts';
import { loadMetrics } from '../../grading/metric.ts';
import { type Finding, findingsOf } from '../../grading/verdict.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import { modelCaveats } from '../../llm/caveats.ts';
import { type ModelAccess, openLiveModel, openReplayedModel } from '../../llm/model-access.ts';
import { STRENGTHS, type Strength } from '../../llm/replay.ts';
import {
  differences,
  identityKey,
  identityOf,
  inPlannedOrder,
  inShard,
  type Plan,
  plannedKeys,
  type Shard,
} from '../../recording/campaign-plan.ts';
import type { Gates, Recording, Transport } from '../../recording/recording.ts';
import { RUNS_FOLDER, stampOf } from '../../recording/run-folder.ts';
import { openJournal, readJournal } from '../../recording/run-journal.ts';
import { type Progress, startProgress } from '../../reporting/progress.ts';
import { readRun } from '../../reporting/publication.ts';
import type { ReportMeta } from '../../reporting/run-report.ts';
import { readStoredRun } from '../../reporting/stored-run.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { measureDirectListing } from '../../sandbox/direct-listing.ts';
import { checkCitations } from '../../scenario/citation.ts';
import { loadScenarios, type Scenario } from '../../scenario/scenario.ts';
import { loadSubject, type Subject, withSettings } from '../../subject/subject.ts';
import { rerunOnChange } from '../watch.ts';
import type { CommandContext } from './context.ts';
import { commaList, shardOf, wholeNumber } from './options.ts';
import { columnsOf, showReport } from './show.ts';

interface RunOptions {
  suite: string[];
  filter?: string;
  tag: string[];
  agent: string[];
  transport: string[];
  mode?: string;
  profile?: string;
  runs: number;
  seed: number;
  concurrency: number;
  shard?: Shard;
  resume?: string;
  retryErrors?: string;
  failFast?: boolean;
  watch?: boolean;
  list?: boolean;
  directListing?: boolean;
  wording: number;
  replay?: string;
  strength?: Strength;
  subject: string;
  subjectRoot?: string;
  scenarios: string;
  baseline: string;
  against: string[];
  out?: string;
  json?: boolean;
}

export function addRunCommand(program: Command, context: CommandContext): void {
  program
    .command('run', { isDefault: true })
    .description('run the golden scenarios and judge them against the baseline')
    .option('--suite <names>', 'only these suites, comma separated', commaList, [])
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--tag <names>', 'only scenarios with all these tags (`list` shows them)', commaList, [])
    .option('--agent <names>', 'agents, comma separated', commaList, [...GOLDEN_AGENTS])
    .option('--transport <names>', 'http, stdio or both', commaList, ['http', 'stdio'])
    .option('--mode <name>', "the subject's mode, other than the baseline's: shown, not judged")
    .option('--profile <name>', "the subject's access profile, likewise")
    .option('--runs <n>', 'runs of each scenario, each with the next seed', wholeNumber(1, 1_000), 1)
    .option('--seed <n>', 'seed of the first run', wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      '--concurrency <n>',
      'lanes at a time',
      wholeNumber(1, 64),
      Math.max(1, Math.min(4, availableParallelism())),
    )
    .option('--shard <i/n>', 'only this part of the scenarios; `merge` joins the parts', shardOf)
    .option('--resume <run>', 'go on with a run that was cut short, as it was asked for')
    .option('--retry-errors <run>', 'repeat those runs of a stored run whose agent crashed or timed out')
    .option('--fail-fast', 'stop at the first run that is worse than the baseline')
    .option('--watch', 'run again whenever server, harness or scenario files change, until Ctrl-C')
    .option('--list', 'print the runs that would be made, and make none')
    .option('--direct-listing', 'also count the tokens of a list of every tool (else the blessed count is used)')
    .option(
      '--wording <n>',
      '0 is the intent, 1 to 3 its paraphrases (held out: never judged by the baseline)',
      wholeNumber(0, 3),
      0,
    )
    .option(
      '--replay <run>',
      'let agents that ask a model hear the answers of a stored run or of a published version, not those of an endpoint',
    )
    .addOption(
      new Option('--strength <name>', 'strict: every request as stored; decisions: only the answers').choices(
        STRENGTHS,
      ),
    )
    .option('--subject <name>', 'server under test, a file in harness/subjects', 'router')
    .option('--subject-root <folder>', 'start the subject in this folder instead (a patched copy)')
    .option('--scenarios <folder>', 'scenario folder', 'scenarios')
    .option('--baseline <file>', 'baseline to judge against', BASELINE_FILE)
    .option(
      '--against <runs>',
      'stored runs or published versions to show beside this one, comma separated',
      commaList,
      [],
    )
    .option('--out <folder>', `where the reports go (default: ${RUNS_FOLDER}/<stamp>)`)
    .option('--json', 'print the report as one JSON object last')
    .action(async (options: RunOptions) => {
      const code = options.watch === true ? await rerunOnChange(context) : await run(options, context);
      context.exitWith(code);
    });
}

async function run(options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const { root } = context;
  const started = new Date();
  const all = await loadScenarios(root, options.scenarios);
  const asked = await askedFor(options, root, all, started);
  const { plan, folder } = asked;
  if (options.list === true) return listRuns(plan, options.json === true, context);
  const world = await prepared(asked, options, root, all);
  const progress = startProgress(plannedKeys(plan).length, context.stderr, { done: asked.done.length });
  progress.note(headlineOf(plan, asked.done.length));
  const { recordings, stopped } = await measure(asked, world, options, context, progress);
  if (context.signal.aborted) {
    if (recordings.length > 0)
      context.stderr.write(`go on with: npm run harness -- run --resume ${relative(root, folder) || folder}\n`);
    return EXIT.interrupted;
  }
  const meta: Omit<ReportMeta, 'fixtures' | 'node'> = {
    ...plan,
    startedAt: started.toISOString(),
    elapsedMs: Date.now() - started.getTime(),
    command: `npm run harness -- ${context.argv.join(' ')}`.trim(),
    ...(stopped === undefined
      ? {}
      : { stopped: `stopped at the first red: ${recordings.length} of ${plannedKeys(plan).length} runs` }),
    caveats: [...world.caveats, ...modelCaveats(recordings)],
  };
  const against = await columnsOf(root, options.against);
  const report = await judgeRecordings({ recordings, baseline: world.baseline, meta, against });
  const page = await writeReports(folder, report, recordings);
  await showReport(report, context, { json: options.json === true, page });
  return report.verdict.exit;
}

interface Asked {
  plan: Plan;
  /** Where the run goes. */
  folder: string;
  /** Recordings that are there already. */
  done: Recording[];
}

/** From the options, or from a run that was cut short or had errors. */
async function askedFor(options: RunOptions, root: string, all: readonly Scenario[], started: Date): Promise<Asked> {
  const commit = await headCommit(root);
  const now = { commit, methodology: METHODOLOGY, scenarios: digests(all) };
  if (options.resume !== undefined) {
    const folder = resolve(root, options.resume);
    const { plan, recordings } = await readJournal(folder);
    assertSame(plan, { ...plan, ...now }, options.resume);
    return { plan, folder, done: recordings };
  }
  if (options.retryErrors !== undefined) {
    const { meta, recordings, folder } = await readStoredRun(root, options.retryErrors);
    const { startedAt, elapsedMs, command, node, fixtures, caveats, stopped, ...plan } = meta;
    assertSame(plan, { ...plan, ...now }, options.retryErrors);
    const done = recordings.filter((recording) => recording.outcome === 'finished' || recording.outcome === 'absent');
    return { plan, folder: options.out === undefined ? folder : resolve(root, options.out), done };
  }
  const folder = options.out === undefined ? join(root, RUNS_FOLDER, stampOf(started)) : resolve(root, options.out);
  return { plan: { ...(await planFrom(options, all)), ...now }, folder, done: [] };
}

function assertSame(before: Plan, now: Plan, name: string): void {
  const differing = differences(before, now);
  if (differing.length === 0) return;
  throw new HarnessError(
    'RESUME_REFUSED',
    `${name} should be of this working tree, got another ${differing.join(', ')}`,
  );
}

async function planFrom(
  options: RunOptions,
  all: readonly Scenario[],
): Promise<Omit<Plan, 'commit' | 'methodology' | 'scenarios'>> {
  const suites = known(
    options.suite,
    all.map((s) => s.suite),
    'suite',
  );
  const selected = selectScenarios(all, { suites, filter: options.filter, tags: options.tag }).map((s) => s.id);
  if (selected.length === 0) {
    const message = `--suite, --filter and --tag should leave a scenario of ${all.length}, got none`;
    throw new HarnessError('NOTHING_SELECTED', message);
  }
  if (inShard(selected, options.shard).length === 0) {
    throw new HarnessError('NOTHING_SELECTED', `--shard should hold a scenario of ${selected.length}, got none`);
  }
  const agents = known(
    options.agent,
    (await loadAgents()).map((agent) => agent.id),
    'agent',
  );
  const { subject, settings } = withSettings(await loadSubject(options.subject), wantedSettings(options));
  const transports = transportsOf(known(options.transport, ['http', 'stdio'], 'transport') as Transport[], subject);
  const { runs, seed, wording, shard } = options;
  return {
    subject: subject.name,
    settings,
    agents,
    transports,
    seed,
    runs,
    wording,
    selected,
    ...(shard === undefined ? {} : { shard }),
  };
}

function wantedSettings({ mode, profile }: RunOptions): Record<string, string> {
  return { ...(mode === undefined ? {} : { mode }), ...(profile === undefined ? {} : { profile }) };
}

interface Prepared {
  subject: Subject;
  agents: Agent[];
  scenarios: Scenario[];
  platforms: string[];
  baseline: Baseline | undefined;
  directListingTokens: Partial<Record<Gates, number>> | undefined;
  caveats: string[];
}

async function prepared(
  { plan }: Asked,
  options: RunOptions,
  root: string,
  all: readonly Scenario[],
): Promise<Prepared> {
  const { subject } = withSettings(await loadSubject(plan.subject), plan.settings);
  const agents = (await loadAgents()).filter((agent) => plan.agents.includes(agent.id));
  const ids = new Set(inShard(plan.selected, plan.shard));
  const scenarios = all.filter((scenario) => ids.has(scenario.id)).map((scenario) => reworded(scenario, plan.wording));
  const baseline = await readBaseline(resolve(root, options.baseline));
  await assertFixtures(
    root,
    scenarios.map((scenario) => scenario.fixture),
  );
  const { unchecked } = await checkCitations(root, scenarios);
  // All of the folder's, whatever was selected: what else could be found is part of the world that is measured.
  const platforms = [...new Set(all.flatMap((s) => [s.platform, ...(s.also ?? [])]))].sort();
  const cwd = subjectRootOf(options, root);
  const measured = options.directListing === true ? await measureDirectListing({ subject, cwd, platforms }) : undefined;
  const blessed = baseline?.subject === subject.name ? baseline.directListingTokens : undefined;
  return {
    subject,
    agents,
    scenarios,
    platforms,
    baseline,
    directListingTokens: measured ?? blessed,
    caveats: unchecked === undefined ? [] : [unchecked],
  };
}

const subjectRootOf = (options: RunOptions, root: string): string =>
  options.subjectRoot === undefined ? root : resolve(root, options.subjectRoot);

async function measure(
  { plan, folder, done }: Asked,
  world: Prepared,
  options: RunOptions,
  context: CommandContext,
  progress: Progress,
): Promise<{ recordings: Recording[]; stopped: Finding | undefined }> {
  const { subject, agents, scenarios, platforms, baseline } = world;
  const { transports, runs, seed } = plan;
  const keys = new Set(done.map(identityOf).map(identityKey));
  const lanes = planLanes({ scenarios, agents, transports, runs, seed, done: keys }, subject);
  const [checks, metrics] = [await loadChecks(), await loadMetrics()];
  await using model = await modelFor(agents, options, context);
  const journal = await openJournal(folder, plan, done);
  let stopped: Finding | undefined;
  try {
    const recordings = await runCampaign({
      root: context.root,
      subjectRoot: subjectRootOf(options, context.root),
      subject,
      settings: plan.settings,
      directListingTokens: world.directListingTokens,
      platforms,
      lanes,
      model,
      concurrency: options.concurrency,
      signal: context.signal,
      onLane: (lane) => progress.note(`${subject.name} over ${lane.transport}, gates ${lane.gates}: ready`),
      onRecording: (recording) => {
        journal.append(recording);
        const [first] = findingsOf(grade(recording, checks, metrics), baseline);
        progress.step(first !== undefined);
        if (first === undefined || options.failFast !== true) return undefined;
        stopped ??= first;
        return 'stop';
      },
    });
    return { recordings: inPlannedOrder([...done, ...recordings]), stopped };
  } finally {
    progress.end();
    await journal.dropIfEmpty();
  }
}

function listRuns(plan: Plan, json: boolean, context: CommandContext): ExitCode {
  const runs = plannedKeys(plan).map((key) => {
    const [scenario = '', agent = '', transport = '', run] = key.split(' ');
    return { scenario, agent, transport, seed: plan.seed + Number(run) };
  });
  if (json) context.stdout.write(`${JSON.stringify({ plan, runs })}\n`);
  else {
    const line = (run: (typeof runs)[number]) => `${run.scenario} ${run.agent} ${run.transport} seed ${run.seed}\n`;
    context.stdout.write(`${runs.map(line).join('')}${runs.length} runs\n`);
  }
  return EXIT.pass;
}

function headlineOf(plan: Plan, done: number): string {
  const scenarios = inShard(plan.selected, plan.shard).length;
  const part = plan.shard === undefined ? '' : ` (shard ${plan.shard.index} of ${plan.shard.count})`;
  const rest = done === 0 ? '' : `, ${done} of them there already`;
  const total = plannedKeys(plan).length;
  return `${scenarios} scenarios${part} × ${plan.agents.join(', ')} × ${plan.transports.join(', ')}: ${total} runs${rest}`;
}

/** Only when somebody asks one: a missing endpoint is no fault of the others. */
async function modelFor(
  agents: readonly Agent[],
  { replay, strength = 'strict' }: RunOptions,
  { root, env }: CommandContext,
): Promise<ModelAccess | undefined> {
  if (!agents.some((agent) => agent.asksModel)) return undefined;
  if (replay === undefined) return openLiveModel(env);
  return openReplayedModel((await readRun(root, replay)).recordings, strength);
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
