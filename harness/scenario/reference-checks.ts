/** Whether the names that a scenario uses stand for something: slots, platforms, subjects, operations and the conditions of a `where`. */
import { didYouMean, got } from '../harness-errors.ts';
import type { Problem, ScenarioProblem } from './scenario-problem.ts';
import type { ScenarioFile } from './scenario-schema.ts';
import { callsOf, singleSteps } from './scenario-steps.ts';
import { CONDITIONS, NUMBER_RANGE } from './seeded-slots.ts';

type Path = (string | number)[];

/** What exists where the scenarios are played. A kind of names that is left out is not checked. */
export interface KnownNames {
  platforms?: readonly string[];
  subjects?: readonly string[];
  /** `METHOD /template`, of a document. */
  operations?: readonly string[];
}

export function checkReferences(scenario: ScenarioFile, problem: Problem, known?: KnownNames): ScenarioProblem[] {
  return [
    ...checkPlaceholders(scenario, problem),
    ...checkSlots(scenario, problem),
    ...(scenario.expect.end_state ?? []).flatMap(({ where }, i) =>
      checkWhere(where, ['expect', 'end_state', i, 'where'], problem),
    ),
    ...checkPlatforms(scenario, problem),
    ...(known === undefined ? [] : checkKnown(scenario, problem, known)),
  ];
}

/** Slot names used anywhere below a value. */
export function placeholdersIn(value: unknown): Set<string> {
  const text = JSON.stringify(value) ?? '';
  return new Set([...text.matchAll(/\{\{\s*([A-Za-z0-9_]+)/g)].map((match) => match[1] ?? ''));
}

function checkPlaceholders(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const declared = new Set(Object.keys(scenario.slots ?? {}));
  const fields = ['intent', 'paraphrases', 'approvals', 'expect', 'result_schema', 'faults', 'steps'] as const;
  return fields.flatMap((field) =>
    [...placeholdersIn(scenario[field])]
      .filter((name) => !declared.has(name))
      .map((name) => problem([field], 'text whose {{slots}} are declared under slots', got(`{{${name}}}`))),
  );
}

/** Slots are drawn in their order, so a `where` can only name those above it. */
function checkSlots({ slots = {} }: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const earlier = new Set<string>();
  return Object.entries(slots).flatMap(([name, slot]) => {
    const path = ['slots', name];
    const problems: ScenarioProblem[] = [];
    if ('resource' in slot) {
      const later = [...placeholdersIn(slot.where)].filter((used) => !earlier.has(used));
      problems.push(
        ...later.map((used) => problem([...path, 'where'], 'text whose {{slots}} stand above it', got(`{{${used}}}`))),
        ...checkWhere(slot.where ?? {}, [...path, 'where'], problem),
      );
    }
    if ('invent' in slot && slot.invent === 'number') {
      const { from = NUMBER_RANGE.from, to = NUMBER_RANGE.to } = slot;
      if (from > to) problems.push(problem([...path, 'from'], `at most \`to\`, ${to}`, got(from)));
    }
    earlier.add(name);
    return problems;
  });
}

function checkWhere(where: Record<string, unknown>, path: Path, problem: Problem): ScenarioProblem[] {
  return Object.entries(where).flatMap(([field, condition]) => checkCondition(condition, [...path, field], problem));
}

function checkCondition(condition: unknown, path: Path, problem: Problem): ScenarioProblem[] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return [];
  return Object.entries(condition).flatMap(([name, operand]) => {
    const at = [...path, name];
    if (!CONDITIONS.includes(name)) return [problem(at, `one of ${CONDITIONS.join(', ')}`, got(name))];
    if (name === 'not') return checkCondition(operand, at, problem);
    if (name !== 'in') return [];
    if (Array.isArray(operand)) return operand.flatMap((item, i) => checkCondition(item, [...at, i], problem));
    return placeholdersIn(operand).size > 0 ? [] : [problem(at, 'a list', got(operand))];
  });
}

/** A platform that is not the scenario's may not be served at all. */
function checkPlatforms({ platform, also = [], slots, expect, faults }: ScenarioFile, problem: Problem) {
  const own = [platform, ...also];
  const named: [Path, { platform?: string | undefined }][] = [
    ...Object.entries(slots ?? {}).flatMap(([name, slot]): [Path, { platform?: string | undefined }][] =>
      'resource' in slot ? [[['slots', name], slot]] : [],
    ),
    ...(expect.end_state ?? []).map((state, i): [Path, typeof state] => [['expect', 'end_state', i], state]),
    ...(expect.side_effects ?? []).map((effect, i): [Path, typeof effect] => [['expect', 'side_effects', i], effect]),
    ...(faults ?? []).map((fault, i): [Path, typeof fault] => [['faults', i], fault]),
  ];
  return named.flatMap(([path, { platform: used }]) =>
    used === undefined || own.includes(used)
      ? []
      : [problem([...path, 'platform'], `one of platform and also, ${own.join(', ')}`, got(used))],
  );
}

function checkKnown(scenario: ScenarioFile, problem: Problem, { platforms, subjects, operations }: KnownNames) {
  const { platform, also = [], absent = [], expected_tools } = scenario;
  const unknown = (name: string, path: Path, names: readonly string[] | undefined) =>
    names === undefined || names.includes(name) ? [] : [problem(path, `one of ${names.join(', ')}`, got(name))];
  return [
    ...unknown(platform, ['platform'], platforms),
    ...also.flatMap((name, i) => unknown(name, ['also', i], platforms)),
    ...absent.flatMap((name, i) => unknown(name, ['absent', i], subjects)),
    ...Object.keys(expected_tools).flatMap((name) => unknown(name, ['expected_tools', name], subjects)),
    ...(operations === undefined ? [] : checkOperations(scenario, problem, operations)),
  ];
}

/** What `must_not_call` forbids may be absent; every other call has to be one that the document has. */
function checkOperations(scenario: ScenarioFile, problem: Problem, operations: readonly string[]): ScenarioProblem[] {
  const { expect, approvals = [], classify = {}, faults = [], steps = [] } = scenario;
  const calls: [Path, string][] = [
    ...expect.api_calls.flatMap((route, i): [Path, string][] =>
      callsOf(route).map((call) => [['expect', 'api_calls', i], call]),
    ),
    ...(expect.allowed_reads ?? []).map((call, i): [Path, string] => [['expect', 'allowed_reads', i], call]),
    ...Object.keys(expect.bodies ?? {}).map((call): [Path, string] => [['expect', 'bodies', call], call]),
    ...approvals.map((call, i): [Path, string] => [['approvals', i], call]),
    ...Object.keys(classify).map((call): [Path, string] => [['classify', call], call]),
  ];
  // The fake and the oracle find these by the template, letter for letter.
  const templates: [Path, string][] = [
    ...faults.map(({ operation }, i): [Path, string] => [['faults', i, 'operation'], operation]),
    ...steps.flatMap((step, i): [Path, string][] => {
      const at = (j: number): Path => ('any_of' in step ? ['steps', i, 'any_of', j, 'call'] : ['steps', i, 'call']);
      return singleSteps([step]).map(({ call }, j) => [at(j), call]);
    }),
  ];
  const isPlayed = (call: string) => !/^(HEAD|OPTIONS) /.test(call);
  const refused = ([path, call]: [Path, string]) =>
    problem(path, 'an operation of the document', `${got(call)}${didYouMean(call, operations, shapeOf)}`);
  return [
    ...calls.filter(([, call]) => isPlayed(call) && !operations.some((known) => isCallOn(known, call))),
    ...templates.filter(([, call]) => isPlayed(call) && !operations.includes(call)),
  ].map(refused);
}

/** Slots and parameters without their names, and no query. */
const shapeOf = (call: string): string => call.replace(/\?.*/, '').replaceAll(/\{+[^{}]*\}+/g, '{}');

/** True when `METHOD /path`, with ids or slots or parameters in it, is a call of `METHOD /template`. */
export function isCallOn(template: string, call: string): boolean {
  const [wanted, found] = [shapeOf(template).split('/'), shapeOf(call).split('/')];
  const partOf = (text: string) => new RegExp(`^${text.split('{}').map(RegExp.escape).join('.+')}$`);
  return wanted.length === found.length && wanted.every((text, i) => partOf(text).test(found[i] ?? ''));
}
