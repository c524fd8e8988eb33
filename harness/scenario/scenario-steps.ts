/** The steps of a scenario one by one, and the calls that a route may take. */
import type { Route, SingleStep, Step } from './scenario-schema.ts';

/** Every step with every route to it. */
export function singleSteps(steps: readonly Step[]): SingleStep[] {
  return steps.flatMap((step) => ('any_of' in step ? step.any_of : [step]));
}

/** The calls of which each is right. */
export const callsOf = (route: Route): string[] => (typeof route === 'string' ? [route] : route.any_of);
