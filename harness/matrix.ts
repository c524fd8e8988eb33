/** Which runs a campaign consists of, in the order they are made. */
import type { Agent } from './agent.ts';
import type { Gates, Transport } from './recording.ts';
import { gatesOf, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

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
}

export function selectScenarios(
  all: readonly Scenario[],
  suites: readonly string[],
  filter: string | undefined,
): Scenario[] {
  return all.filter(
    (scenario) =>
      (suites.length === 0 || suites.includes(scenario.suite)) &&
      (filter === undefined || scenario.id.includes(filter)),
  );
}

/** A scenario that asks for a fresh world gets a lane of its own; all others share by gate and transport. */
export function planLanes(selection: Selection, subject: Subject): PlannedLane[] {
  const lanes = new Map<string, PlannedLane>();
  const transports = selection.transports.filter((transport) => subject.transports.includes(transport));
  for (const transport of transports) {
    for (const scenario of selection.scenarios) {
      const gates = gatesOf(scenario);
      const name = [transport, gates, ...(scenario.fresh === true ? [scenario.id] : [])].join('-');
      const lane = lanes.get(name) ?? { name, transport, gates, runs: [] };
      lanes.set(name, lane);
      for (let run = 0; run < selection.runs; run++) {
        for (const agent of selection.agents) {
          lane.runs.push({ scenario, agent, transport, gates, run, seed: selection.seed + run });
        }
      }
    }
  }
  // The longest lane first, so that no worker is left alone with it at the end.
  return [...lanes.values()].sort((a, b) => b.runs.length - a.runs.length);
}
