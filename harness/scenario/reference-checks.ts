/** Whether the names that a scenario uses stand for something: slots, platforms, subjects and the conditions of a `where`. */
import { got } from '../harness-errors.ts';
import type { Problem, ScenarioProblem } from './scenario-problem.ts';
import type { ScenarioFile } from './scenario-schema.ts';
import { CONDITIONS, NUMBER_RANGE } from './seeded-slots.ts';

type Path = (string | number)[];

/** What exists where the scenarios are played. */
export interface KnownNames {
  platforms: readonly string[];
  subjects: readonly string[];
}

/** Platforms and subjects are left out where nobody says which there are, as for the documents of others. */
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

function checkKnown({ platform, also = [], absent = [] }: ScenarioFile, problem: Problem, known: KnownNames) {
  const unknown = (name: string, path: Path, names: readonly string[]) =>
    names.includes(name) ? [] : [problem(path, `one of ${names.join(', ')}`, got(name))];
  return [
    ...unknown(platform, ['platform'], known.platforms),
    ...also.flatMap((name, i) => unknown(name, ['also', i], known.platforms)),
    ...absent.flatMap((name, i) => unknown(name, ['absent', i], known.subjects)),
  ];
}
