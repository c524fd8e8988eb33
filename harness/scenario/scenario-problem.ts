/** A mistake in a scenario: where it is, what was expected and what was found. */
export interface ScenarioProblem {
  file: string;
  line: number;
  field: string;
  expected: string;
  got: string;
}

export function describeProblem(problem: ScenarioProblem): string {
  return `${problem.file}:${problem.line}: \`${problem.field}\` should be ${problem.expected}, got ${problem.got}`;
}

export type Problem = (path: readonly (string | number)[], expected: string, found: string) => ScenarioProblem;
