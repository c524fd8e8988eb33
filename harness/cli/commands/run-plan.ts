/** First stage of `run`: from the options, or from a stored run, to what is played, by whom, against which server. */
import { resolve } from 'node:path';
import type { Agent } from '../../agents/mcp/agent.ts';
import { headCommit } from '../../execution/commit.ts';
import { assertReportable } from '../../execution/judgement.ts';
import { selectScenarios, tagsOf, transportsOf } from '../../execution/matrix.ts';
import { METHODOLOGY } from '../../grading/baseline.ts';
import { didYouMean, got, HarnessError } from '../../harness-errors.ts';
import { differences, inShard, isPlayedBy, type Plan } from '../../recording/campaign-plan.ts';
import type { Recording, Transport } from '../../recording/recording.ts';
import { cutShortFolderOf } from '../../recording/run-folder.ts';
import { readJournal } from '../../recording/run-journal.ts';
import { readStoredRun } from '../../reporting/stored-run.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { loadPlayed, type Scenario } from '../../scenario/scenario.ts';
import { loadSubject, type Subject, withSettings } from '../../subject/subject.ts';
import { knownNames } from './known-names.ts';
import type { RunOptions } from './run-options.ts';

/** A plan, with everything it names loaded. No later stage loads any of it again. */
export interface PlannedRuns {
  started: Date;
  plan: Plan;
  /** Where the run goes; undefined for a new folder of `reports/runs`. */
  folder: string | undefined;
  /** Recordings that are there already. */
  done: Recording[];
  /** Recordings whose runs are made again: what they cost was spent. */
  repeated: Recording[];
  /** Every scenario of the folder, whatever was selected. */
  all: readonly Scenario[];
  /** Those of this shard, in the words that were asked for. */
  scenarios: Scenario[];
  agents: Agent[];
  /** With the settings of the plan. */
  subject: Subject;
}

/** The part of a plan that the working tree decides. */
type Tree = Pick<Plan, 'commit' | 'methodology' | 'scenarios'>;

export async function planRuns(options: RunOptions, root: string): Promise<PlannedRuns> {
  const started = new Date();
  const all = await loadPlayed(root, options.scenarios, await knownNames(root, options.scenarios));
  const known = await loadAgents();
  const tree: Tree = { commit: await headCommit(root), methodology: METHODOLOGY, scenarios: digestsOf(all) };
  const stored = await storedPlan(options, root, tree);
  const declared = await loadSubject(stored?.plan.subject ?? options.subject);
  const folder = stored?.folder ?? targetOf(options, root);
  if (folder !== undefined) await assertReportable(folder);
  const plan = stored?.plan ?? { ...newPlan(options, all, known, declared), ...tree };
  const ids = new Set(inShard(plan.selected, plan.shard));
  return {
    started,
    plan,
    folder,
    done: stored?.done ?? [],
    repeated: stored?.repeated ?? [],
    all,
    scenarios: all.filter(({ id }) => ids.has(id)).map((scenario) => reworded(scenario, plan.wording)),
    agents: known.filter(({ id }) => plan.agents.includes(id)),
    subject: withSettings(declared, plan.settings).subject,
  };
}

/** Of a run that was cut short or had errors; it is refused where it is of another working tree. */
async function storedPlan(
  options: RunOptions,
  root: string,
  tree: Tree,
): Promise<Pick<PlannedRuns, 'plan' | 'folder' | 'done' | 'repeated'> | undefined> {
  if (options.resume !== undefined) {
    const folder = await cutShortFolderOf(root, options.resume);
    const { plan, recordings } = await readJournal(folder);
    assertSame(plan, { ...plan, ...tree }, options.resume);
    return { plan, folder, done: recordings, repeated: [] };
  }
  if (options.retryErrors === undefined) return undefined;
  const { meta, recordings, folder } = await readStoredRun(root, options.retryErrors);
  const { startedAt, elapsedMs, command, node, fixtures, caveats, stopped, ...plan } = meta;
  assertSame(plan, { ...plan, ...tree }, options.retryErrors);
  const isDone = ({ outcome }: Recording) => outcome === 'finished' || outcome === 'absent';
  const [done, repeated] = [recordings.filter(isDone), recordings.filter((recording) => !isDone(recording))];
  return { plan, folder: targetOf(options, root) ?? folder, done, repeated };
}

const targetOf = ({ out }: RunOptions, root: string): string | undefined =>
  out === undefined ? undefined : resolve(root, out);

function assertSame(before: Plan, now: Plan, name: string): void {
  const differing = differences(before, now);
  if (differing.length === 0) return;
  throw new HarnessError(
    'RESUME_REFUSED',
    `${name} should be of this working tree, got another ${differing.join(', ')}`,
  );
}

function newPlan(
  options: RunOptions,
  all: readonly Scenario[],
  agents: readonly Agent[],
  declared: Subject,
): Omit<Plan, keyof Tree> {
  const selected = selectedIds(options, all);
  const agentIds = listed(
    options.agent,
    agents.map(({ id }) => id),
    'agent',
  );
  const { subject, settings } = withSettings(declared, wantedSettings(options));
  const wanted = listed([...new Set(options.transport)], ['http', 'stdio'], 'transport') as Transport[];
  const transports = transportsOf(wanted, subject);
  const { runs, seed, wording, shard } = options;
  if (transports.length === 0)
    throw new HarnessError(
      'NOTHING_SELECTED',
      `--transport should be one of ${subject.name}: ${subject.transports.join(', ')}, got ${options.transport.join(', ')}`,
    );
  if (!selected.some((scenario) => agentIds.some((agent) => isPlayedBy(agent, scenario))))
    throw new HarnessError(
      'NOTHING_SELECTED',
      `--agent should be oracle for these scenarios, which only controls play, got ${agentIds.join(', ')}`,
    );
  return {
    subject: subject.name,
    settings,
    agents: agentIds,
    transports,
    seed,
    runs,
    wording,
    selected,
    ...(shard === undefined ? {} : { shard }),
  };
}

/** Of all shards; throws NOTHING_SELECTED when none is left, in this shard or at all. */
function selectedIds({ suite, filter, tag, shard, scenarios }: RunOptions, all: readonly Scenario[]): string[] {
  if (all.length === 0)
    throw new HarnessError('NOTHING_SELECTED', `${scenarios} should hold <suite>/<name>.yaml, got no such file`, {
      remedy: 'name the folder that holds the suites',
    });
  const suites = listed(
    suite,
    all.map((s) => s.suite),
    'suite',
  );
  const tags = listed(tag, all.flatMap(tagsOf), 'tag');
  const selected = selectScenarios(all, { suites, filter, tags }).map((s) => s.id);
  if (selected.length === 0) {
    const message = `--suite, --filter and --tag should leave a scenario of ${all.length}, got none`;
    throw new HarnessError('NOTHING_SELECTED', message);
  }
  if (inShard(selected, shard).length === 0) {
    throw new HarnessError('NOTHING_SELECTED', `--shard should hold a scenario of ${selected.length}, got none`);
  }
  return selected;
}

function wantedSettings({ mode, profile }: RunOptions): Record<string, string> {
  return { ...(mode === undefined ? {} : { mode }), ...(profile === undefined ? {} : { profile }) };
}

function listed(wanted: string[], all: readonly string[], what: string): string[] {
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length === 0) return wanted;
  throw new HarnessError(
    'NOTHING_SELECTED',
    `--${what} should be of ${[...new Set(all)].join(', ')}, got ${got(unknown.join(', '))}${didYouMean(unknown[0] ?? '', all)}`,
  );
}

/** The same story in other words; whoever tuned on the intent has not seen these. */
function reworded(scenario: Scenario, wording: number): Scenario {
  const intent = scenario.paraphrases?.[wording - 1];
  return wording === 0 || intent === undefined ? scenario : { ...scenario, intent };
}

const digestsOf = (scenarios: readonly Scenario[]): Record<string, string> =>
  Object.fromEntries(scenarios.map(({ id, digest }) => [id, digest]));
