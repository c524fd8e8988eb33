/** Which operations a scenario needs, so that a server without a tool for one of them is not asked. */
import type { Scenario } from '../scenario/scenario.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';

/** For each step the operations of which each is right. A planted order is needed for nothing. */
export const neededOf = ({ steps = [], suite }: Pick<Scenario, 'steps' | 'suite'>): Set<string>[] =>
  steps
    .map((step) => singleSteps([step]))
    .filter((routes) => suite !== 'adversarial' || !routes.some(({ refused }) => refused === true))
    .map((routes) => new Set(routes.map(({ call }) => call)));
