import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import { anyText } from '../test/support/any-text.ts';
import { refuseError } from './envelope.ts';
import { ARGUMENT_REFUSAL_LIMIT } from './fit-refusal.ts';
import { refuseArgument } from './invalid-argument.ts';

const subject = { tool: 'mgmt_update_auth_server', platform: 'mgmt' };
const short = { pointer: '/limit', expected: 'must be <= 500', got: '5000 (number)' };

test('a short refusal is whole: where, what was expected, what came, what to do', () => {
  const { refusal } = refuseArgument(subject, short, [{ ...short, pointer: '/body/type', expected: 'is required' }]);
  expect(refusal).toEqual({
    ok: false,
    status: 400,
    code: 'invalid_arguments',
    reason: 'ARGUMENTS_INVALID',
    message: '`/limit` must be <= 500, got 5000 (number)',
    ...subject,
    hint: 'correct the argument at the pointer; find_tool with include_schema: true shows the schema',
    ...short,
    next_action: 'call again with /limit corrected',
    problems: ['/body/type is required'],
  });
});

test('whatever is wrong, the whole refusal stays within its limit and keeps its code', () => {
  const text = fc.oneof(fc.string({ maxLength: 2_000 }), anyText({ minLength: 300, maxLength: 900 }));
  const problem = fc.record({ pointer: text, expected: text, got: text });
  fc.assert(
    fc.property(problem, fc.array(problem, { maxLength: 9 }), text, (first, others, tool) => {
      for (const { refusal } of [
        refuseArgument({ tool, platform: 'mgmt' }, first, others),
        refuseError(
          new RouterError('ARGUMENTS_INVALID', first.expected, { details: { ...first, schema: others } }),
          subject,
        ),
      ]) {
        expect(JSON.stringify(refusal).length).toBeLessThanOrEqual(ARGUMENT_REFUSAL_LIMIT);
        expect(refusal).toMatchObject({ ok: false, status: 400, code: 'invalid_arguments' });
        expect(refusal).not.toHaveProperty('schema');
      }
    }),
    { numRuns: 500 },
  );
});

test('what is cut says so, and further problems go first', () => {
  const long = { pointer: '/body', expected: `should be ${'x'.repeat(900)}`, got: 'text' };
  const { refusal } = refuseArgument(subject, long, [short]);
  expect(refusal).toMatchObject({
    pointer: '/body',
    got: 'text',
    expected: expect.stringMatching(/of 910 characters shown\]$/),
  });
  expect(refusal).not.toHaveProperty('problems');
});
