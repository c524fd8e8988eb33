/** The final answer holds the facts of the contract with the right values, or, where that is as right, a stated refusal. */
import { got } from '../../harness-errors.ts';
import { canonicalJson } from '../../scenario/sorted-json.ts';
import { differencesOf, factsIn, refusalIn } from '../answer-facts.ts';
import { type Check, type CheckResult, PASS } from '../grading-check.ts';

export default {
  id: 'result-schema',
  promise: 'the final answer holds the facts that were asked for',
  kind: 'task',
  examine: ({ task, final, outcome }) => {
    if (final === undefined) return { status: 'fail', expected: 'a final JSON value', actual: `none (${outcome})` };
    const facts = factsIn(final, task.result_schema);
    const differences = differencesOf(facts, task.facts, task.result_schema);
    if (differences.length === 0 && Object.keys(task.facts).length > 0) return PASS;
    if (task.refusal === 'right' && refusalIn(final) !== undefined) return PASS;
    return failure(differences, facts, final);
  },
} satisfies Check;

function failure(
  differences: ReturnType<typeof differencesOf>,
  facts: Record<string, unknown> | undefined,
  final: unknown,
): CheckResult {
  const expected = differences.map(({ fact, expected }) => `${fact} ${canonicalJson(expected ?? null)}`).join(', ');
  if (facts === undefined) return { status: 'fail', expected, actual: `no facts in ${got(final)}` };
  const actual = differences
    .map(({ fact, actual }) => `${fact} ${actual === undefined ? 'missing' : canonicalJson(actual)}`)
    .join(', ');
  return { status: 'fail', expected, actual };
}
