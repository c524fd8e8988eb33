/** The last JSON value the agent printed, projected on the scenario's schema, satisfies it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { got } from '../../harness-errors.ts';
import { project } from '../answer-projection.ts';
import { type Check, PASS } from '../grading-check.ts';

const ajv = new Ajv2020({ strict: false });

export default {
  id: 'result-schema',
  promise: 'the final answer satisfies the result schema',
  kind: 'task',
  examine: (recording) => {
    const schema = recording.task.result_schema as object;
    if (recording.final === undefined) {
      return { status: 'fail', expected: 'a final JSON value', actual: `none (${recording.outcome})` };
    }
    const accepts = ajv.compile(schema);
    if (accepts(project(recording.final, schema))) return PASS;
    const error = accepts.errors?.[0];
    const detail =
      error?.keyword === 'const' ? `${error.message} ${JSON.stringify(error.params.allowedValue)}` : error?.message;
    return {
      status: 'fail',
      expected: `${error?.instancePath || '(answer)'} ${detail}`,
      actual: got(valueAt(recording.final, error?.instancePath ?? '')),
    };
  },
} satisfies Check;

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
      value,
    );
}
