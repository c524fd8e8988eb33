/** Which runs a campaign consists of, in the order they are made. */
import type { Agent } from '../agents/mcp/agent.ts';
import { identityKey, isPlayedBy } from '../recording/campaign-plan.ts';
import type { Gates, Transport } from '../recording/recording.ts';
import { gatesOf, type Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

export interface PlannedRun {
  scenario: Scenario;
  agent: Agent;
  transport: Transport;
  gates: Gates;
  run: number;
  seed: number;
}

/** Runs that share one subject process. */
export interface PlannedLane {
  name: string;
  transport: Transport;
  gates: Gates;
  runs: PlannedRun[];
}

export interface Selection {
  scenarios: readonly Scenario[];
  agents: readonly Agent[];
  transports: readonly Transport[];
  runs: number;
  seed: number;
  /** Keys of runs that need not be made again. */
  done?: ReadonlySet<string>;
}

export interface Wanted {
  suites: readonly string[];
  filter: string | undefined;
  /** A scenario must carry all of them. */
  tags: readonly string[];
}

export function selectScenarios(all: readonly Scenario[], { suites, filter, tags }: Wanted): Scenario[] {
  return all.filter(
    (scenario) =>
      (suites.length === 0 || suites.includes(scenario.suite)) &&
      (filter === undefined || scenario.id.includes(filter)) &&
      tags.every((tag) => tagsOf(scenario).includes(tag)),
  );
}

/** Tags follow from what a scenario says, so nobody has to keep them true. */
export function tagsOf(scenario: Scenario): string[] {
  const platforms = [...new Set([scenario.platform, ...(scenario.also ?? [])])];
  return [
    scenario.write_gate,
    `gates-${gatesOf(scenario)}`,
    ...platforms,
    ...(platforms.length > 1 ? ['multi-platform'] : []),
    ...((scenario.approvals ?? []).length > 0 ? ['approved'] : []),
    ...(scenario.faults === undefined ? [] : ['faults']),
    ...(scenario.fresh === true ? ['fresh'] : []),
  ];
}

/** A scenario that asks for a fresh world gets a lane of its own; all others share by gate and transport. */
export function planLanes(selection: Selection, subject: Subject): PlannedLane[] {
  const lanes = new Map<string, PlannedLane>();
  for (const transport of transportsOf(selection.transports, subject)) {
    for (const scenario of selection.scenarios) {
      const gates = gatesOf(scenario);
      const name = [transport, gates, ...(scenario.fresh === true ? [scenario.id] : [])].join('-');
      const lane = lanes.get(name) ?? { name, transport, gates, runs: [] };
      lanes.set(name, lane);
      lane.runs.push(...runsOf(scenario, transport, gates, selection));
    }
  }
  // The longest lane first, so that no worker is left alone with it at the end.
  return [...lanes.values()].filter((lane) => lane.runs.length > 0).sort((a, b) => b.runs.length - a.runs.length);
}

/** Every agent in turn with the first seed, then with the next; without what is done already. */
function runsOf(scenario: Scenario, transport: Transport, gates: Gates, selection: Selection): PlannedRun[] {
  const { runs, seed, done } = selection;
  const agents = selection.agents.filter((agent) => isPlayedBy(agent.id, scenario.id));
  return Array.from({ length: runs }, (_, run) => run)
    .flatMap((run) => agents.map((agent) => ({ scenario, agent, transport, gates, run, seed: seed + run })))
    .filter(({ agent, run }) => !done?.has(identityKey({ scenario: scenario.id, agent: agent.id, transport, run })));
}

export const transportsOf = (wanted: readonly Transport[], subject: Subject): Transport[] =>
  wanted.filter((transport) => subject.transports.includes(transport));
