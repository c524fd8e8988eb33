/** One run: reset the lane's namespace, hand the intent to the agent, write down everything that happened. */
import type { AgentLimits, AgentStep, AgentSurface, AgentTask } from '../agents/mcp/agent.ts';
import type { ModelAccess, ModelSession } from '../llm/model-access.ts';
import { type Gates, RECORDING_VERSION, type Recording, type Task } from '../recording/recording.ts';
import { redact } from '../recording/redact-recording.ts';
import type { ModelTranscript } from '../recording/transcript.ts';
import type { TimedMessage } from '../sandbox/agent-bridge.ts';
import { type AgentRun, MODEL_PACKAGES, runAgent } from '../sandbox/agent-process.ts';
import { directCallMs } from '../sandbox/direct-call.ts';
import type { Control } from '../sandbox/fake-control.ts';
import type { Lane } from '../sandbox/sandbox.ts';
import { contractOf } from '../scenario/answer-contract.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { SingleStep, Step } from '../scenario/scenario-schema.ts';
import { drawSlots, type FixtureObject, secretSlots } from '../scenario/seeded-slots.ts';
import type { Subject } from '../subject/subject.ts';
import type { PlannedRun } from './matrix.ts';
import { rowsBefore, withNestedChanges } from './nested-changes.ts';
import { normalise, withFixedAddress, withPlaceholders } from './normalised-recording.ts';
import { buildTask, wholeListRefusal } from './seeded-task.ts';

export const LIMITS: AgentLimits = { maxCalls: 40, timeoutMs: 60_000 };

export interface RunContext {
  control: Control;
  lane: Lane;
  subject: Subject;
  /** The starting state of a fixture, read once per sandbox. */
  startingState: StartingState;
  signal?: AbortSignal;
  /** For agents that ask a language model. */
  model?: ModelAccess | undefined;
  /** Setting → value, as the lane was started with. */
  settings: Record<string, string>;
  /** Tokens of the subject's full tool list, by gates; none when nobody measured it. */
  directListingTokens?: Partial<Record<Gates, number>> | undefined;
  /** Where the agents' compiled code is. */
  compiled: string;
  limits?: AgentLimits;
  /** Where a scenario's steps lead on this subject, whose tools they do not name. */
  route?: (steps: SingleStep[], scenario: Scenario) => SingleStep[];
  /** The tool list is left out of the recording: it is long, and the same in every run. */
  withoutList?: boolean;
}

/** The fields of a recording that are known before the run. */
type RunIdentity = Pick<
  Recording,
  'version' | 'subject' | 'agent' | 'transport' | 'gates' | 'seed' | 'run' | 'fixture' | 'task'
>;

export async function recordRun(planned: PlannedRun, context: RunContext): Promise<Recording> {
  const { control, lane, subject, startingState } = context;
  const { scenario, seed } = planned;
  const { fixture } = await control.reset(lane.namespace, startOf(scenario));
  const slots = await drawSlots(scenario, seed, startingState.reader(lane.namespace, fixture.bundle));
  const { task, steps, faults } = buildTask(scenario, slots, subject.name);
  await startingState.check(lane.namespace, fixture.bundle, task);
  const before = await rowsBefore(task, (platform, resource) => control.state(lane.namespace, platform, resource));
  if (faults.length > 0) await control.planFaults(lane.namespace, faults);
  const identity = identityOf(planned, context, fixture, task);
  const startedAt = new Date().toISOString();
  if ((scenario.absent ?? []).includes(subject.name)) return absentRecording(identity, startedAt);
  const secrets = { ...lane.secrets, ...secretSlots(scenario, slots) };
  const played = await playAgent({ planned, identity, steps, secrets }, context);
  const recorded = await recordingOf(identity, played, startedAt, planned, context);
  const recording = { ...recorded, changes: withNestedChanges(recorded.changes, before) };
  const clean = withFixedAddress(redact(recording, secrets), lane.platformsAt);
  return withPlaceholders(clean, subject.opaque ?? []);
}

/** Bundle and incident that a scenario starts with. */
function startOf({ fixture, incident }: Scenario) {
  return { fixture: fixture.replace(/^.*\//, ''), ...(incident === undefined ? {} : { incident }) };
}

function identityOf(
  { agent, run, seed }: PlannedRun,
  { subject, lane, settings, directListingTokens }: RunContext,
  { bundle, version, digest }: Recording['fixture'],
  task: Task,
): RunIdentity {
  const tokens = directListingTokens?.[lane.gates];
  return {
    version: RECORDING_VERSION,
    subject: {
      name: subject.name,
      confirmation: subject.confirmation,
      dispatchers: dispatchersOf(subject),
      ...(subject.roles === undefined ? {} : { discover: subject.roles.discover }),
      settings,
      ...(tokens === undefined ? {} : { directListingTokens: tokens }),
    },
    agent: agent.id,
    transport: lane.transport,
    gates: lane.gates,
    seed,
    run,
    fixture: { bundle, version, digest },
    task,
  };
}

function absentRecording(identity: RunIdentity, startedAt: string): Recording {
  const empty = { transcript: [], ledger: [], endState: [], changes: [] };
  return { ...identity, ...empty, outcome: 'absent', timings: { startedAt, latencyMs: 0, messages: [], logins: [] } };
}

interface Play {
  planned: PlannedRun;
  identity: RunIdentity;
  steps: Step[];
  /** Name → value that must never come out of the subject. */
  secrets: Record<string, string>;
}

interface Played {
  result: AgentRun;
  transcript: TimedMessage[];
  /** The transcript of the language model, if the agent uses one. */
  model: ModelTranscript | undefined;
}

/** Lets the agent work over a connection of its own. Throws when the subject died before or during the run. */
async function playAgent(play: Play, context: RunContext): Promise<Played> {
  const { control, lane, subject, limits = LIMITS } = context;
  const { identity, secrets } = play;
  lane.assertAlive();
  const upstream = await lane.connect();
  let last = 0;
  const session = await lane.bridge.open({
    upstream,
    approvals: identity.task.approvals,
    bodies: identity.task.bodies,
    ownWords: lane.ownWords,
    maxCalls: limits.maxCalls,
    newCalls: async () => {
      const entries = await control.ledger(lane.namespace, last);
      last = entries.at(-1)?.seq ?? last;
      return entries.map((entry) => entry.seq);
    },
  });
  const modelSession =
    play.planned.agent.asksModel === true
      ? context.model?.openSession({
          ...identity,
          scenario: identity.task.id,
          secrets,
          opaque: subject.opaque ?? [],
          platformsAt: lane.platformsAt,
        })
      : undefined;
  const result = await runAgent(identity.agent, agentTaskOf(play, session.url, modelSession, context), {
    signal: context.signal,
    compiled: context.compiled,
    packages: modelSession === undefined ? [] : MODEL_PACKAGES,
  });
  const model = modelSession?.end();
  upstream.askApprover(undefined);
  await lane.disconnect(upstream, await session.end());
  lane.assertAlive();
  return { result, transcript: session.transcript, model };
}

/** The task of an agent. An agent with a model gets neither roles nor surface, and only controls get the steps. */
function agentTaskOf(
  { planned: { agent, scenario }, identity, steps }: Play,
  mcpUrl: string,
  model: ModelSession | undefined,
  { subject, route, limits = LIMITS }: RunContext,
): AgentTask & { mcpUrl: string } {
  return {
    intent: identity.task.intent,
    answer: contractOf(identity.task.result_schema),
    mcpUrl,
    limits: model === undefined ? limits : { ...limits, timeoutMs: model.timeoutMs },
    ...(agent.asksModel ? {} : knownOf(subject)),
    ...(agent.seesSteps ? { steps: stepsFor(agent, steps, scenario, route) } : {}),
    ...(model === undefined ? {} : { model: model.settings }),
  };
}

/** Of the steps that several routes lead to, the route that the agent takes: the first or the last. */
function stepsFor(
  agent: PlannedRun['agent'],
  steps: readonly Step[],
  scenario: Scenario,
  route: RunContext['route'],
): AgentStep[] {
  const chosen = steps.map((step) =>
    'any_of' in step ? ((agent.route === 'last' ? step.any_of.at(-1) : step.any_of[0]) as SingleStep) : step,
  );
  return (route?.(chosen, scenario) ?? chosen) as AgentStep[];
}

const knownOf = ({ roles, surface }: Subject): Pick<AgentTask, 'roles' | 'surface'> => ({
  ...(roles === undefined ? {} : { roles }),
  ...(surface === undefined ? {} : { surface: surface as AgentSurface }),
});

async function recordingOf(
  identity: RunIdentity,
  { result, transcript, model }: Played,
  startedAt: string,
  { scenario }: PlannedRun,
  { control, lane, withoutList }: RunContext,
): Promise<Recording> {
  if (withoutList === true) {
    for (const message of transcript) if (message.kind === 'list') message.received = '';
  }
  const evidence = normalise(transcript, await control.ledger(lane.namespace));
  const directMs = await directCallMs(lane.platformsAt, lane.namespace);
  return {
    ...identity,
    outcome: result.outcome,
    ...(result.final === undefined ? {} : { final: result.final }),
    ...(result.stderr === '' ? {} : { agentStderr: result.stderr }),
    ...(model === undefined ? {} : { model }),
    transcript: evidence.transcript,
    ledger: evidence.ledger,
    endState: await endStateOf(identity.task, scenario.platform, (platform, resource) =>
      control.state(lane.namespace, platform, resource),
    ),
    changes: await control.changes(lane.namespace),
    timings: {
      startedAt,
      latencyMs: Math.round(result.latencyMs * 10) / 10,
      messages: evidence.messages,
      ...(directMs === undefined ? {} : { directMs }),
      logins: evidence.logins,
    },
  };
}

/** Every resource that the task's end state names, as the fake holds it now. */
export function endStateOf(
  { end_state }: Pick<Task, 'end_state'>,
  own: string,
  read: (platform: string, resource: string) => Promise<FixtureObject[]>,
): Promise<Recording['endState']> {
  const byResource = Map.groupBy(end_state, ({ resource }) => resource);
  const wanted = [...byResource].flatMap(([resource, states]) => {
    const platforms = [...new Set(states.map(({ platform }) => platform ?? own))];
    return platforms.map((platform) => ({ resource, platform, isNamed: platforms.length > 1 }));
  });
  return Promise.all(
    wanted.map(async ({ resource, platform, isNamed }) => ({
      resource,
      ...(isNamed ? { platform } : {}),
      items: await read(platform, resource),
    })),
  );
}

function dispatchersOf(subject: Subject): string[] {
  return subject.roles === undefined ? [] : [subject.roles.dispatch_read, subject.roles.dispatch_any];
}

/** Each fixture as it is before anything happened; every namespace starts from the same one. */
export class StartingState {
  readonly #control: Control;
  readonly #lists = new Map<string, Promise<FixtureObject[]>>();
  readonly #checked = new Set<string>();

  constructor(control: Control) {
    this.#control = control;
  }

  /** Reads through the namespace given, which must have been reset just now. */
  reader(namespace: string, bundle: string) {
    return (platform: string, resource: string): Promise<FixtureObject[]> => {
      const key = `${bundle}/${platform}/${resource}`;
      const known = this.#lists.get(key) ?? this.#control.state(namespace, platform, resource);
      this.#lists.set(key, known);
      return known;
    };
  }

  /** Once per scenario: no resource printed whole satisfies it. */
  async check(namespace: string, bundle: string, task: Recording['task']): Promise<void> {
    if (this.#checked.has(task.id)) return;
    this.#checked.add(task.id);
    const { canSatisfy, refuse } = wholeListRefusal(task);
    for (const platform of task.platforms) {
      const counts = await this.#control.resources(namespace, platform);
      for (const [resource, count] of Object.entries(counts)) {
        if (canSatisfy(count)) refuse(resource, await this.reader(namespace, bundle)(platform, resource));
      }
    }
  }
}
