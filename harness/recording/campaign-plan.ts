/** The plan of a campaign. Two runs with equal plans can be merged, and a campaign can be continued by its plan. */
import { HarnessError } from '../harness-errors.ts';
import type { Recording, Transport } from './recording.ts';
import { setupDifferences, setupOf } from './transcript.ts';

export interface Plan {
  subject: string;
  /** Setting → value the subject was started with, such as mode and profile. */
  settings: Record<string, string>;
  agents: string[];
  transports: Transport[];
  seed: number;
  runs: number;
  /** 0: the intents; 1 to 3: their held-out paraphrases. */
  wording: number;
  commit: string | null;
  methodology: string;
  /** Every scenario of the folder → digest. */
  scenarios: Record<string, string>;
  /** Scenarios that were asked for, whatever the shard. */
  selected: string[];
  /** Which part of the selected scenarios, where it is not all of them. */
  shard?: Shard;
}

export interface Shard {
  index: number;
  count: number;
}

/** The scenarios of one shard; every scenario is in exactly one, and suites spread evenly. */
export function inShard(ids: readonly string[], shard: Shard | undefined): string[] {
  const sorted = [...ids].sort();
  return shard === undefined ? sorted : sorted.filter((_, i) => i % shard.count === shard.index - 1);
}

export type RunIdentity = Pick<Recording, 'agent' | 'transport' | 'run'> & { scenario: string };

export const identityOf = (recording: Recording): RunIdentity => ({
  scenario: recording.task.id,
  agent: recording.agent,
  transport: recording.transport,
  run: recording.run,
});

/** Sorts as a report does: by scenario, then agent, transport and run. */
export const identityKey = ({ scenario, agent, transport, run }: RunIdentity): string =>
  [scenario, agent, transport, String(run).padStart(6, '0')].join(' ');

/** The suite of control scenarios: only the oracle plays them. */
const CONTROL_SUITE = 'walls/';

export const isPlayedBy = (agent: string, scenario: string): boolean =>
  agent === 'oracle' || !scenario.startsWith(CONTROL_SUITE);

export function plannedKeys(plan: Plan): string[] {
  const runs = Array.from({ length: plan.runs }, (_, run) => run);
  return inShard(plan.selected, plan.shard)
    .flatMap((scenario) =>
      plan.agents
        .filter((agent) => isPlayedBy(agent, scenario))
        .flatMap((agent) =>
          plan.transports.flatMap((transport) => runs.map((run) => identityKey({ scenario, agent, transport, run }))),
        ),
    )
    .sort();
}

export const inPlannedOrder = (recordings: readonly Recording[]): Recording[] =>
  recordings
    .map((recording) => [identityKey(identityOf(recording)), recording] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, recording]) => recording);

/** Which fields of two plans differ; shards of one campaign differ in none of them. */
export function differences(a: Plan, b: Plan): string[] {
  const fields = [
    'subject',
    'settings',
    'agents',
    'transports',
    'seed',
    'runs',
    'wording',
    'commit',
    'methodology',
    'scenarios',
    'selected',
  ] as const;
  return fields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]));
}

/** The recordings of several parts as one, or a refusal that names what is missing or there twice. */
export function mergeParts(parts: readonly { name: string; plan: Plan; recordings: readonly Recording[] }[]): {
  plan: Plan;
  recordings: Recording[];
} {
  const first = parts[0];
  if (first === undefined) throw new HarnessError('MERGE_REFUSED', 'merge should have runs to merge, got none');
  for (const part of parts.slice(1)) {
    const differing = differences(first.plan, part.plan);
    if (differing.length > 0) {
      throw new HarnessError(
        'MERGE_REFUSED',
        `${part.name} should be of the same campaign as ${first.name}, got another ${differing.join(', ')}`,
      );
    }
  }
  const { shard: _shard, ...plan } = first.plan;
  const recordings = inPlannedOrder(parts.flatMap((part) => part.recordings));
  assertComplete(plan, recordings);
  assertOneModel(recordings);
  return { plan, recordings };
}

/** A plan names no model, so its shards may have asked different ones. */
function assertOneModel(recordings: readonly Recording[]): void {
  const differing = setupDifferences(recordings.flatMap(({ model }) => (model === undefined ? [] : setupOf(model))));
  if (differing.length === 0) return;
  throw new HarnessError(
    'MERGE_REFUSED',
    `all runs should ask one model in one way, got more than one ${differing.join(', ')}`,
  );
}

/** Every planned run is there exactly once. */
export function assertComplete(plan: Plan, recordings: readonly Recording[]): void {
  const planned = new Set(plannedKeys(plan));
  const seen = new Set<string>();
  const twice: string[] = [];
  const foreign: string[] = [];
  for (const key of recordings.map(identityOf).map(identityKey)) {
    if (seen.has(key)) twice.push(key);
    if (!planned.has(key)) foreign.push(key);
    seen.add(key);
  }
  const missing = [...planned].filter((key) => !seen.has(key));
  const faults = [
    ...describe(missing, 'missing'),
    ...describe(twice, 'there more than once'),
    ...describe(foreign, 'of no planned run'),
  ];
  if (faults.length > 0) {
    throw new HarnessError(
      'MERGE_REFUSED',
      `each of ${planned.size} runs should be there once, got ${faults.join('; ')}`,
    );
  }
}

function describe(keys: readonly string[], what: string): string[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, 5).join(', ');
  return [`${keys.length} ${what} (${shown}${keys.length > 5 ? ', …' : ''})`];
}
