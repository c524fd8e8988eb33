/** Whether the facts that a scenario asks for can be derived, compared and named. */
import { got } from '../harness-errors.ts';
import type { Problem, ScenarioProblem } from './scenario-problem.ts';
import type { ScenarioFile } from './scenario-schema.ts';
import { singleSteps } from './scenario-steps.ts';

/** Every fact of the contract has a value, and a place where the oracle reads it; every value belongs to a fact. */
export function checkFacts(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const { properties } = scenario.result_schema;
  const { facts, refusal } = scenario.expect;
  const problems = Object.keys(facts)
    .filter((fact) => !Object.hasOwn(properties, fact))
    .map((fact) =>
      problem(['expect', 'facts', fact], `one of ${Object.keys(properties).join(', ') || 'none'}`, got(fact)),
    );
  const steps = singleSteps(scenario.steps ?? []);
  const stray = steps
    .flatMap((step) => Object.keys(step.facts ?? {}))
    .filter((fact) => !Object.hasOwn(properties, fact));
  problems.push(
    ...stray.map((fact) =>
      problem(['steps'], `facts of result_schema, ${Object.keys(properties).join(', ')}`, got(fact)),
    ),
  );
  const read = new Set(steps.flatMap((step) => Object.keys(step.facts ?? {})));
  for (const [fact, form] of Object.entries(properties)) {
    if (fact === 'refused')
      problems.push(problem(['result_schema', 'properties', fact], 'absent: every contract has it', got(form)));
    if (!Object.hasOwn(facts, fact))
      problems.push(problem(['expect', 'facts', fact], 'the value of the fact', 'nothing'));
    if (scenario.steps !== undefined && !read.has(fact))
      problems.push(problem(['steps'], `a step with \`facts.${fact}\``, 'none'));
    problems.push(...checkTolerance(fact, form, problem), ...checkName(fact, scenario, problem));
  }
  if (Object.keys(properties).length === 0 && refusal === undefined)
    problems.push(problem(['result_schema', 'properties'], 'at least one fact', 'none'));
  return problems;
}

/** A tolerance that says nothing about values of its type would be taken for one that does. */
function checkTolerance(
  fact: string,
  form: ScenarioFile['result_schema']['properties'][string],
  problem: Problem,
): ScenarioProblem[] {
  const { tolerance = {}, type } = form;
  const wrong = [
    ...(tolerance.order !== undefined && type !== 'array' ? ['order'] : []),
    ...(tolerance.within !== undefined && type !== 'number' && type !== 'integer' ? ['within'] : []),
    ...(tolerance.case !== undefined && type !== 'string' ? ['case'] : []),
  ];
  return wrong.map((name) =>
    problem(['result_schema', 'properties', fact, 'tolerance', name], `absent for a fact of type ${type}`, got(name)),
  );
}

/** Names of more than one word that a platform spells the same way are the platform's, not the field's. */
function checkName(fact: string, { steps = [] }: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const sources = singleSteps(steps).flatMap((step) => step.facts?.[fact] ?? []);
  const paths = sources.flatMap((source) =>
    typeof source === 'string' ? [source] : 'path' in source ? [source.path] : [],
  );
  const own = paths.find((path) => fact.includes('_') && path.split('.').at(-1) === fact);
  return own === undefined
    ? []
    : [problem(['result_schema', 'properties', fact], 'a neutral name, not the field of a platform', got(own))];
}
