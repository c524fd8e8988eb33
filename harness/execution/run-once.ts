/** One run: reset the lane's namespace, hand the intent to the agent, write down everything that happened. */

import type { AgentLimits, AgentSurface } from '../agents/mcp/agent.ts';
import type { ModelAccess } from '../llm/model-access.ts';
import { type Gates, RECORDING_VERSION, type Recording } from '../recording/recording.ts';
import { redact } from '../recording/redact-recording.ts';
import { MODEL_PACKAGES, runAgent } from '../sandbox/agent-process.ts';
import type { Control } from '../sandbox/fake-control.ts';
import type { Lane } from '../sandbox/sandbox.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step } from '../scenario/scenario-schema.ts';
import { drawSlots, type FixtureObject, secretSlots } from '../scenario/seeded-slots.ts';
import type { Subject } from '../subject/subject.ts';
import type { PlannedRun } from './matrix.ts';
import { settle, withFixedAddress, withStandIns } from './normalised-recording.ts';
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
  route?: (steps: Step[], scenario: Scenario) => Step[];
  /** The tool list is left out of the recording: it is long, and the same in every run. */
  withoutList?: boolean;
}

export async function recordRun(planned: PlannedRun, context: RunContext): Promise<Recording> {
  const { control, lane, subject, limits = LIMITS } = context;
  const { scenario, agent, run, seed } = planned;
  const { fixture } = await control.reset(lane.namespace, { fixture: scenario.fixture.replace(/^.*\//, '') });
  const bundle = fixture.bundle;
  const read = context.startingState.reader(lane.namespace, bundle);
  const slots = await drawSlots(scenario, seed, read);
  const { task, steps, faults } = buildTask(scenario, slots, subject.name);
  await context.startingState.check(lane.namespace, bundle, task);
  if (faults.length > 0) await control.planFaults(lane.namespace, faults);
  const tokens = context.directListingTokens?.[lane.gates];
  const base = {
    version: RECORDING_VERSION as typeof RECORDING_VERSION,
    subject: {
      name: subject.name,
      confirmation: subject.confirmation,
      dispatchers: dispatchersOf(subject),
      ...(subject.roles === undefined ? {} : { discover: subject.roles.discover }),
      settings: context.settings,
      ...(tokens === undefined ? {} : { directListingTokens: tokens }),
    },
    agent: agent.id,
    transport: lane.transport,
    gates: lane.gates,
    seed,
    run,
    fixture: { bundle: fixture.bundle, version: fixture.version, digest: fixture.digest },
    task,
  };
  const startedAt = new Date().toISOString();
  if ((scenario.absent ?? []).includes(subject.name)) {
    const empty = { transcript: [], ledger: [], endState: [] };
    return { ...base, ...empty, outcome: 'absent', timings: { startedAt, latencyMs: 0, messages: [], logins: [] } };
  }
  const secrets = { ...lane.secrets, ...secretSlots(scenario, slots) };
  lane.assertAlive();
  const upstream = await lane.connect();
  let last = 0;
  const session = await lane.bridge.open({
    upstream,
    approvals: task.approvals,
    maxCalls: limits.maxCalls,
    newCalls: async () => {
      const entries = await control.ledger(lane.namespace, last);
      last = entries.at(-1)?.seq ?? last;
      return entries.map((entry) => entry.seq);
    },
  });
  const opaque = subject.opaque ?? [];
  const visit =
    agent.asksModel === true ? context.model?.visit({ ...base, scenario: task.id, secrets, opaque }) : undefined;
  const result = await runAgent(
    agent.id,
    {
      intent: task.intent,
      mcpUrl: session.url,
      limits: visit === undefined ? limits : { ...limits, timeoutMs: visit.timeoutMs },
      ...(subject.roles === undefined || agent.asksModel ? {} : { roles: subject.roles }),
      ...(subject.surface === undefined || agent.asksModel ? {} : { surface: subject.surface as AgentSurface }),
      ...(agent.seesSteps ? { steps: (context.route?.(steps, scenario) ?? steps) as never } : {}),
      ...(visit === undefined ? {} : { model: visit.settings }),
    },
    { signal: context.signal, compiled: context.compiled, packages: visit === undefined ? [] : MODEL_PACKAGES },
  );
  const model = visit?.end();
  session.end();
  upstream.askPerson(undefined);
  await lane.disconnect(upstream);
  lane.assertAlive();
  if (context.withoutList === true) {
    for (const message of session.transcript) if (message.kind === 'list') message.received = '';
  }
  const settled = settle(session.transcript, await control.ledger(lane.namespace));
  const resources = [...new Map(task.end_state.map((state) => [state.resource, state.platform ?? scenario.platform]))];
  const endState = await Promise.all(
    resources.map(async ([resource, platform]) => ({
      resource,
      items: await control.state(lane.namespace, platform, resource),
    })),
  );
  const recording: Recording = {
    ...base,
    outcome: result.outcome,
    ...(result.final === undefined ? {} : { final: result.final }),
    ...(result.stderr === '' ? {} : { agentStderr: result.stderr }),
    ...(model === undefined ? {} : { model }),
    transcript: settled.transcript,
    ledger: settled.ledger,
    endState,
    timings: {
      startedAt,
      latencyMs: Math.round(result.latencyMs * 10) / 10,
      messages: settled.messages,
      logins: settled.logins,
    },
  };
  const clean = withFixedAddress(redact(recording, secrets), lane.platformsAt);
  return withStandIns(clean, subject.opaque ?? []);
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
    const refuse = wholeListRefusal(task);
    for (const platform of task.platforms) {
      const counts = await this.#control.resources(namespace, platform);
      for (const [resource, count] of Object.entries(counts)) {
        if (count > 0) refuse(resource, await this.reader(namespace, bundle)(platform, resource));
      }
    }
  }
}
