/**
 * Scenario files → scenarios. A file that is wrong is refused with its name, line and field; one that an empty
 * answer would satisfy is refused too, because it would measure nothing.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { got, HarnessError } from '../harness-errors.ts';
import { checkFacts } from './fact-checks.ts';
import { checkReferences, type KnownNames, placeholdersIn } from './reference-checks.ts';
import { describeProblem, type Problem, type ScenarioProblem } from './scenario-problem.ts';
import { ScenarioFile } from './scenario-schema.ts';
import { reportedErrors } from './shape-errors.ts';
import { canonicalJson } from './sorted-json.ts';

export interface Scenario extends ScenarioFile {
  /** Path from the repository root, for messages and annotations. */
  file: string;
  /** `sha256:` over the parsed file, so that comments may change without a new baseline. */
  digest: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
const matchesShape = ajv.compile(JSON.parse(JSON.stringify(ScenarioFile)));

/** The stories that are published. */
export const SCENARIOS = 'scenarios';
/** Short stories about what must hold; only the oracle plays them, and no result counts them. */
export const CONTROL_SCENARIOS = 'harness/controls/scenarios';

/** What `npm start` plays: the stories and the control scenarios; of any other folder what is in it. */
export async function loadPlayed(root: string, folder = SCENARIOS, known?: KnownNames): Promise<Scenario[]> {
  const stories = await loadScenarios(root, folder, known);
  if (resolve(root, folder) !== resolve(root, SCENARIOS)) return stories;
  return [...stories, ...(await loadScenarios(root, CONTROL_SCENARIOS, known))];
}

/** Every `<suite>/<name>.yaml` below the folder, in path order. */
export async function loadScenarios(root: string, folder = SCENARIOS, known?: KnownNames): Promise<Scenario[]> {
  const fromRoot = (...names: string[]) => relative(root, resolve(root, folder, ...names)).replaceAll(sep, '/');
  const scenarios: Scenario[] = [];
  const problems: ScenarioProblem[] = [];
  for (const name of await scenarioNames(root, folder)) {
    const file = fromRoot(name);
    if (name.endsWith('.yml')) {
      problems.push({ file, line: 1, field: '(file)', expected: 'named <suite>/<name>.yaml', got: got(name) });
      continue;
    }
    const parsed = parseScenario(await readFile(join(root, file), 'utf8'), file, fromRoot(), known);
    if ('problems' in parsed) problems.push(...parsed.problems);
    else scenarios.push(parsed.scenario);
  }
  if (problems.length > 0) throw new HarnessError('SCENARIO_INVALID', problems.map(describeProblem).join('\n'));
  return scenarios;
}

/** A file `.yml` is among them, so that it is not left out in silence. */
async function scenarioNames(root: string, folder: string): Promise<string[]> {
  const names = await readdir(resolve(root, folder), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause;
    throw new HarnessError('SCENARIO_INVALID', `${folder} should be a folder of scenarios, got no such folder`, {
      cause,
    });
  });
  return names.filter((name) => /\.ya?ml$/.test(name)).sort();
}

/** One file's text → the scenario, or everything that is wrong with it. */
export function parseScenario(
  text: string,
  file: string,
  folder = SCENARIOS,
  known?: KnownNames,
): { scenario: Scenario } | { problems: ScenarioProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, logLevel: 'error' });
  const lineAt = (path: Path): number => lines.linePos(startOf(document, path)).line;
  if (document.errors.length > 0) {
    return {
      problems: document.errors.map((error) => ({
        file,
        line: error.linePos?.[0].line ?? 1,
        field: '(file)',
        expected: 'valid YAML',
        got: error.message.split('\n')[0] ?? error.code,
      })),
    };
  }
  const problem = (path: Path, expected: string, found: string): ScenarioProblem => ({
    file,
    line: lineAt(path),
    field: path.join('.') || '(file)',
    expected,
    got: found,
  });
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // An alias of nothing, or of very much: found only when it is followed.
    return { problems: [problem([], 'valid YAML', error instanceof Error ? error.message : String(error))] };
  }
  if (!matchesShape(value)) {
    return { problems: reportedErrors(matchesShape.errors ?? []).map((error) => shapeProblem(error, value, problem)) };
  }
  const scenario = value as ScenarioFile;
  const problems = [
    ...checkIdentity(scenario, file, folder, problem),
    ...checkMeaning(scenario, problem),
    ...checkReferences(scenario, problem, known),
  ];
  if (problems.length > 0) return { problems };
  const digest = `sha256:${createHash('sha256').update(canonicalJson(scenario)).digest('hex')}`;
  return { scenario: { ...scenario, file, digest } };
}

type Path = readonly (string | number)[];

/** Where the file names what a path leads to: at its key, else where it begins; of what is absent, where its parent is. */
function startOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const name = String(path[length - 1]);
    const key = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key
      : undefined;
    const node = key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function checkIdentity(scenario: ScenarioFile, file: string, folder: string, problem: Problem): ScenarioProblem[] {
  const path = file.slice(folder === '' ? 0 : folder.length + 1).replace(/\.yaml$/, '');
  const problems: ScenarioProblem[] = [];
  if (scenario.id !== path) problems.push(problem(['id'], `its path, "${path}"`, got(scenario.id)));
  const suite = path.split('/')[0];
  if (scenario.suite !== suite) problems.push(problem(['suite'], `its folder, "${suite}"`, got(scenario.suite)));
  return problems;
}

function checkMeaning(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  return [
    ...checkGates(scenario, problem),
    ...checkApprovals(scenario, problem),
    ...checkFacts(scenario, problem),
    ...checkValues(scenario, problem),
    ...checkRoutes(scenario, problem),
  ];
}

function checkGates(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const problems: ScenarioProblem[] = [];
  if (scenario.write_gate === 'read' && (scenario.approvals ?? []).length > 0) {
    problems.push(problem(['approvals'], 'empty in a scenario whose write_gate is read', got(scenario.approvals)));
  }
  if (scenario.write_gate !== 'read' && gatesOf(scenario) === 'closed') {
    problems.push(problem(['gates'], 'open where write_gate expects a change', got(scenario.gates)));
  }
  return problems;
}

/** Every write that is expected is approved, unless it is noted as a diagnostic. */
function checkApprovals(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  if (scenario.write_gate === 'read') return [];
  const { approvals = [], classify = {} } = scenario;
  return scenario.expect.api_calls.flatMap((route, i) => {
    if (typeof route !== 'string') return [];
    const call = route;
    const note = Object.entries(classify).find(([noted]) => sameShape(noted, call));
    const allowed =
      /^(GET|HEAD) /.test(call) ||
      approvals.some((approval) => sameShape(call.replace(/\?.*/, ''), approval)) ||
      note?.[1] === 'diagnostic';
    return allowed ? [] : [problem(['expect', 'api_calls', i], 'covered by an entry of approvals', got(call))];
  });
}

/** Only reads have several right routes: which write is sent is what the person approved. */
function checkRoutes(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const { api_calls, bodies = {} } = scenario.expect;
  const writes = api_calls.flatMap((route, i) => {
    const other = typeof route === 'string' ? undefined : route.any_of.find((call) => !/^(GET|HEAD) /.test(call));
    return other === undefined
      ? []
      : [problem(['expect', 'api_calls', i, 'any_of'], 'reads: a write has one right form', got(other))];
  });
  const stray = Object.keys(bodies)
    .filter((call) => !(scenario.approvals ?? []).includes(call))
    .map((call) =>
      problem(
        ['expect', 'bodies', call],
        `one of approvals, ${(scenario.approvals ?? []).join(', ') || 'none'}`,
        got(call),
      ),
    );
  return [...writes, ...stray];
}

type ExpectedTool = ScenarioFile['expected_tools'][string][number];

/** Every tool of a list, those that are equally right included. */
export function citedTools(tools: readonly ExpectedTool[]): { name: string; source: string }[] {
  return tools.flatMap((tool) => ('any_of' in tool ? tool.any_of : [tool]));
}

/** A constant is no ground truth: it has to stand in the intent, in a slot, in the end state or in a body. */
function checkValues(scenario: ScenarioFile, problem: Problem): ScenarioProblem[] {
  const { facts, end_state, bodies } = scenario.expect;
  const grounds = JSON.stringify([scenario.intent, scenario.slots, end_state, bodies, scenario.incident]).toLowerCase();
  return Object.entries(facts).flatMap(([fact, value]) => {
    const isStated =
      typeof value === 'boolean' ||
      placeholdersIn(value).size > 0 ||
      (value !== null && typeof value !== 'object' && grounds.includes(String(value).toLowerCase()));
    return isStated
      ? []
      : [
          problem(
            ['expect', 'facts', fact],
            'a slot, or a value that intent, slots, end_state or bodies state',
            got(value),
          ),
        ];
  });
}

/** Which gate configuration a scenario runs under. */
export function gatesOf(scenario: Pick<ScenarioFile, 'gates' | 'write_gate' | 'suite'>): 'closed' | 'open' {
  if (scenario.gates !== undefined) return scenario.gates;
  return scenario.write_gate === 'read' && scenario.suite !== 'adversarial' ? 'closed' : 'open';
}

/** True when a concrete `METHOD /path` can come from the templated `METHOD /path`. */
function sameShape(template: string, concrete: string): boolean {
  const segments = (text: string) => text.split(/[ /]/);
  const [a, b] = [segments(template), segments(concrete)];
  return a.length === b.length && a.every((part, i) => part.startsWith('{') || part === b[i] || b[i]?.includes('{{'));
}

function shapeProblem(error: ErrorObject, value: unknown, problem: Problem): ScenarioProblem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const at = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const [pattern] = Object.keys((error.parentSchema?.['patternProperties'] as object | undefined) ?? {});
    if (pattern !== undefined) return problem([...path, name], `a name that matches ${pattern}`, got(name));
    return problem([...path, name], 'absent (no such field)', got((at as Record<string, unknown>)[name]));
  }
  if (error.keyword === 'required') {
    return problem([...path, String(error.params.missingProperty)], 'present', 'nothing');
  }
  if (error.keyword === 'anyOf') {
    const branches = (error.schema as { const?: unknown }[]).map((branch) => branch.const);
    const listed = branches.every((value) => value !== undefined);
    const expected = listed
      ? `one of ${branches.map((value) => JSON.stringify(value)).join(', ')}`
      : String(
          (error.parentSchema as { description?: string } | undefined)?.description ?? 'one of the forms in the schema',
        );
    return problem(path, expected, got(at));
  }
  const expected =
    error.keyword === 'type'
      ? `of type ${error.params.type}`
      : error.keyword === 'const'
        ? JSON.stringify(error.params.allowedValue)
        : (error.message ?? error.keyword).replace(/^must be /, '').replace(/^must /, 'text that must ');
  return problem(path, expected, got(at));
}
