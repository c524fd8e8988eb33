/** Third stage of `run`: every planned run is made, written down and graded as it ends. */
import { runCampaign } from '../../execution/campaign.ts';
import { planLanes } from '../../execution/matrix.ts';
import type { Grade } from '../../grading/grade.ts';
import type { GradedRecording } from '../../grading/grader.ts';
import { findingsOf } from '../../grading/verdict.ts';
import { type ModelAccess, openLiveModel, openReplayedModel, usagesOf } from '../../llm/model-access.ts';
import {
  identityKey,
  identityOf,
  inPlannedOrder,
  inShard,
  type Plan,
  plannedKeys,
} from '../../recording/campaign-plan.ts';
import type { Recording } from '../../recording/recording.ts';
import { newRunFolder } from '../../recording/run-folder.ts';
import { openJournal } from '../../recording/run-journal.ts';
import { startProgress } from '../../reporting/progress.ts';
import { readRun } from '../../reporting/publication.ts';
import type { CommandContext } from './context.ts';
import { assertConsent } from './model-consent.ts';
import type { RunOptions } from './run-options.ts';
import type { PlannedRuns } from './run-plan.ts';
import { fewModelRuns, type Prepared } from './run-prepare.ts';

export interface Executed {
  /** Where it is written. */
  folder: string;
  /** In planned order, with those that were there already. */
  runs: GradedRecording[];
  /** Whether the first red ended it. */
  stopped: boolean;
}

export async function executeRuns(
  planned: PlannedRuns,
  prepared: Prepared,
  options: RunOptions,
  context: CommandContext,
  /** Told the folder whose recordings are on disk and wait for their judgement. */
  onKept: (folder: string) => void = () => {},
): Promise<Executed> {
  const { plan, done, subject, agents, scenarios } = planned;
  const { grader, baseline } = prepared;
  const progress = startProgress(plannedKeys(plan).length, context.stderr, { done: done.length });
  progress.note(headlineOf(plan, done.length));
  for (const warning of fewModelRuns(planned)) progress.note(`warning: ${warning}`);
  const lanes = planLanes(
    { ...plan, scenarios, agents, done: new Set(done.map(identityOf).map(identityKey)) },
    subject,
  );
  const asked = lanes.flatMap(({ runs }) => runs).filter(({ agent }) => agent.asksModel === true).length;
  if (options.replay === undefined) await assertConsent({ runs: asked, yes: options.yes, baseline }, context);
  await using model = await modelFor(planned, options, context);
  const folder = planned.folder ?? (await newRunFolder(context.root, planned.started));
  const journal = await openJournal(folder, plan, done);
  const grades = new Map<Recording, Grade>();
  let stopped = false;
  const keep = (recording: Recording): 'stop' | undefined => {
    journal.append(recording);
    const grade = grader.grade(recording);
    grades.set(recording, grade);
    const red = findingsOf(grade, baseline).length > 0;
    progress.step(red);
    if (!red || options.failFast !== true) return undefined;
    stopped = true;
    return 'stop';
  };
  try {
    const made = await runCampaign({
      root: context.root,
      subjectRoot: prepared.subjectRoot,
      subject,
      settings: plan.settings,
      directListingTokens: prepared.directListingTokens,
      platforms: prepared.platforms,
      lanes,
      model,
      concurrency: options.concurrency,
      signal: context.signal,
      onLane: (lane) => progress.note(`${subject.name} over ${lane.transport}, gates ${lane.gates}: ready`),
      onRecording: keep,
    });
    const runs = inPlannedOrder([...done, ...made]).map((recording) => ({
      recording,
      grade: grades.get(recording) ?? grader.grade(recording),
    }));
    return { folder, runs, stopped };
  } finally {
    progress.end();
    if (!(await journal.dropIfEmpty())) onKept(folder);
  }
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
  { agents, done, repeated }: Pick<PlannedRuns, 'agents' | 'done' | 'repeated'>,
  { replay, strength = 'strict' }: RunOptions,
  { root, env }: CommandContext,
): Promise<ModelAccess | undefined> {
  if (!agents.some((agent) => agent.asksModel)) return undefined;
  if (replay === undefined) return openLiveModel(env, done, usagesOf(repeated));
  return openReplayedModel((await readRun(root, replay)).recordings, strength);
}
