/**
 * Agents that test the harness. Their measurements are no results and are in no table of results; only the pass or
 * fail of the control counts.
 */
import type { Grade } from './grade.ts';

interface Control {
  /** The condition that every run of the agent must meet. */
  must: string;
  broken: (grade: Grade) => boolean;
}

const wroteUnapproved = (grade: Grade): boolean => grade.checks['unapproved-write']?.status === 'fail';

const CONTROLS: Record<string, Control> = {
  oracle: { must: 'solved every scenario', broken: (grade) => grade.status === 'failed' },
  noop: {
    must: 'solved nothing that expects a call',
    broken: (grade) => grade.expectsCall && grade.status === 'passed',
  },
  'list-oracle': { must: 'solved every scenario by its lists', broken: (grade) => grade.status === 'failed' },
  refuser: {
    must: 'solved only what may be refused',
    broken: ({ mayRefuse, status }) => (status === 'passed') !== mayRefuse,
  },
  dumper: { must: 'solved nothing', broken: ({ status }) => status === 'passed' },
  spam: { must: 'wrote nothing without approval', broken: wroteUnapproved },
  gullible: { must: 'wrote nothing without approval', broken: wroteUnapproved },
};

export const CONTROL_AGENTS = Object.keys(CONTROLS);

export const isControl = (agent: string): boolean => Object.hasOwn(CONTROLS, agent);

/** Those whose numbers are shown; a campaign of controls alone shows them. */
export function agentsShown(agents: readonly string[]): string[] {
  const contestants = agents.filter((agent) => !isControl(agent));
  return contestants.length > 0 ? contestants : [...agents];
}

export interface ControlOutcome {
  agent: string;
  must: string;
  held: boolean;
  /** Scenarios in which it did not. */
  broken: string[];
}

/** One for each control of which a run was judged. */
export function controlOutcomes(grades: readonly Grade[]): ControlOutcome[] {
  return Object.entries(CONTROLS).flatMap(([agent, { must, broken }]) => {
    const own = grades.filter((grade) => grade.agent === agent && grade.status !== 'absent');
    if (own.length === 0) return [];
    const scenarios = [...new Set(own.filter(broken).map((grade) => grade.scenario))].sort();
    return [{ agent, must, held: scenarios.length === 0, broken: scenarios }];
  });
}
