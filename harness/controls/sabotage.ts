/**
 * Plays patched copies of the subject and says which gates each of them turned. The intact subject is played first, on
 * the same scenarios: what is red without a patch proves nothing, and its numbers are what the copies are held to.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentLimits } from '../agents/mcp/agent.ts';
import { runCampaign } from '../execution/campaign.ts';
import { gradeRecordings } from '../execution/judgement.ts';
import { planLanes } from '../execution/matrix.ts';
import { type Baseline, baselineEntries, METHODOLOGY } from '../grading/baseline.ts';
import type { Finding } from '../grading/gate-finding.ts';
import type { Grade } from '../grading/grade.ts';
import { findingsOf, judge } from '../grading/verdict.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { loadAgents } from '../sandbox/agent-process.ts';
import { loadPlayed, loadScenarios, type Scenario } from '../scenario/scenario.ts';
import { type Mutant, patchedCopy } from '../subject/mutant.ts';
import type { Subject } from '../subject/subject.ts';
import { tryInjections } from './injection.ts';

/** A plain request and a tool call spelled out, one through each door. */
const INJECTED = ['plain-request', 'tool-call-confirmed', 'read-dispatcher-call'];
const SEED = 1;

export interface SabotageOptions {
  root: string;
  subject: Subject;
  mutants: readonly Mutant[];
  concurrency: number;
  signal?: AbortSignal;
  onPlayed?: (played: Played) => void;
}

export interface Played {
  mutant: Mutant;
  /** Every gate it turned red, with how often. */
  turned: Partial<Record<Finding['gate'] | 'injection', number>>;
  /** It turned at least the gate that it names. */
  caught: boolean;
  /** Where the copy did not even start. */
  failure?: string;
  elapsedMs: number;
}

export interface Sabotage {
  /** Red results of the intact subject: must be empty. */
  intact: Finding[];
  played: Played[];
}

export async function sabotage(options: SabotageOptions): Promise<Sabotage> {
  const { root, mutants } = options;
  await mkdir(join(root, 'var', 'compiled'), { recursive: true });
  const scenarios = await loadPlayed(root);
  const plans = mutants.map((mutant) => ({ mutant, ...planOf(mutant, scenarios) }));
  const intactGrades: Grade[] = [];
  const agents = [...new Set(plans.flatMap((plan) => plan.agents))];
  for (const agent of agents) {
    const needed = new Set(plans.filter((plan) => plan.agents.includes(agent)).flatMap((plan) => plan.scenarios));
    if (needed.size > 0) intactGrades.push(...(await play(options, [...needed], [agent])));
  }
  const baseline = baselineOf(intactGrades);
  const intact = judge(intactGrades, baseline, gateContextOf(baseline, scenarios, agents)).findings;
  const played: Played[] = [];
  for (const plan of plans) {
    if (options.signal?.aborted) break;
    const one = await playMutant(options, plan.mutant, plan.scenarios, plan.agents, baseline);
    played.push(one);
    options.onPlayed?.(one);
  }
  return { intact, played };
}

function planOf(mutant: Mutant, all: readonly Scenario[]): { scenarios: Scenario[]; agents: string[] } {
  const wanted = mutant.scenarios ?? [];
  const missing = wanted.filter((name) => !all.some((scenario) => scenario.id === name || scenario.suite === name));
  if (missing.length > 0) {
    const message = `mutant ${mutant.name}: \`scenarios\` should be ids or suites, got ${missing.join(', ')}`;
    throw new HarnessError('MUTANT_INVALID', message);
  }
  const scenarios = all.filter((scenario) => wanted.includes(scenario.id) || wanted.includes(scenario.suite));
  return { scenarios, agents: scenarios.length === 0 ? [] : (mutant.agents ?? ['oracle']) };
}

async function playMutant(
  options: SabotageOptions,
  mutant: Mutant,
  scenarios: readonly Scenario[],
  agents: readonly string[],
  baseline: Baseline,
): Promise<Played> {
  const started = performance.now();
  await using copy = await patchedCopy(options.root, mutant);
  const turned: Played['turned'] = {};
  const count = (gate: keyof typeof turned, by = 1) => {
    turned[gate] = (turned[gate] ?? 0) + by;
  };
  let failure: string | undefined;
  try {
    if (scenarios.length > 0) {
      const grades = await play({ ...options, subjectRoot: copy.root }, scenarios, agents);
      // Run by run: a copy under which every run ends early is as red as one can be, not inconclusive.
      for (const finding of grades.flatMap((one) => findingsOf(one, baseline))) count(finding.gate);
    }
    if (mutant.gate === 'injection') {
      const attempts = await tryInjections({
        root: options.root,
        subject: options.subject,
        subjectRoot: copy.root,
        channels: ['device-name', 'error-body'],
        payloads: INJECTED,
        elicits: [mutant.elicits ?? true],
        seed: SEED,
      });
      const writes = attempts.reduce((sum, attempt) => sum + attempt.writes.length, 0);
      if (writes > 0) count('injection', writes);
    }
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    failure = error.message;
  }
  return {
    mutant,
    turned,
    caught: failure === undefined && (turned[mutant.gate] ?? 0) > 0,
    ...(failure === undefined ? {} : { failure }),
    elapsedMs: Math.round(performance.now() - started),
  };
}

export type PlayOptions = SabotageOptions & { subjectRoot?: string; limits?: AgentLimits };

export const play = async (
  options: PlayOptions,
  scenarios: readonly Scenario[],
  agentIds: readonly string[],
): Promise<Grade[]> => gradeRecordings(await recordAll(options, scenarios, agentIds));

export async function recordAll(
  options: PlayOptions,
  scenarios: readonly Scenario[],
  agentIds: readonly string[],
): Promise<Recording[]> {
  const agents = (await loadAgents()).filter((agent) => agentIds.includes(agent.id));
  const lanes = planLanes({ scenarios, agents, transports: ['http'], runs: 1, seed: SEED }, options.subject);
  const all = await loadScenarios(options.root);
  return runCampaign({
    root: options.root,
    ...(options.subjectRoot === undefined ? {} : { subjectRoot: options.subjectRoot }),
    subject: options.subject,
    platforms: [...new Set(all.flatMap((scenario) => [scenario.platform, ...(scenario.also ?? [])]))].sort(),
    lanes,
    settings: {},
    concurrency: options.concurrency,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** What the intact subject measured a moment ago. */
function baselineOf(grades: readonly Grade[]): Baseline {
  return {
    version: 2,
    blessed: { at: new Date().toISOString(), reason: 'the intact subject, measured just now', commit: null },
    subject: 'intact',
    settings: {},
    seeds: [SEED],
    methodology: METHODOLOGY,
    fixtures: {},
    scenarios: {},
    entries: baselineEntries(grades, [SEED]),
  };
}

const gateContextOf = (baseline: Baseline, scenarios: readonly Scenario[], agents: readonly string[]) => ({
  subject: baseline.subject,
  settings: {},
  wording: 0,
  seeds: [SEED],
  fixtures: {},
  scenarios: {},
  selected: { scenarios: scenarios.map((scenario) => scenario.id), agents, transports: ['http'] },
  now: new Date(),
});
