/** What the contract says of a change, on an installation that has nothing to do with networks. */
import { describe, expect, test } from 'vitest';
import { withContract } from './contract-values.ts';
import { factOf } from './fact-fields.ts';
import { fill } from './fill.ts';
import { needsIn, withChange } from './needs.ts';
import { operationOf } from './operation.ts';
import { platformsOf } from './platforms.ts';
import { readIntent } from './task-intent.ts';

const isbn = { type: 'string', pattern: '^BK-\\d$' };
const body = {
  type: 'object',
  properties: {
    'loan-limit-days': { type: 'integer' },
    pages: { type: 'integer' },
    'reference-only': { type: 'boolean' },
    enabled: { type: 'boolean' },
    comment: { type: 'string' },
  },
};
const UPDATE = operationOf({
  name: 'library_update_book',
  description: 'Change some fields of one book.',
  read_only: false,
  destructive: false,
  schema: { type: 'object', required: ['isbn', 'body'], properties: { isbn, body } },
});

function filledFor(intent: string, contract: Record<string, object>) {
  const facts = Object.entries(contract).map(([name, schema]) => factOf(name, schema as Record<string, unknown>));
  const [need] = withChange(needsIn(readIntent(intent), facts, platformsOf(undefined)), facts);
  return withContract(UPDATE, fill(UPDATE, need!), need!).arguments['body'];
}

describe('a value that no word of the request assigns', () => {
  test('goes into the field that the contract reports', () => {
    const loan = { loan_limit: { type: 'integer', description: 'Longest loan of the book in days now' } };
    expect(filledFor('Nobody may keep BK-1 beyond 14. Set that.', loan)).toEqual({ 'loan-limit-days': 14 });
  });

  test('goes nowhere where the contract reports no such field', () => {
    const shelf = { shelf: { type: 'string', description: 'Shelf of the book now' } };
    expect(filledFor('Nobody may keep BK-1 beyond 14. Set that.', shelf)).toBeUndefined();
  });

  test('is a remark where it is quoted', () => {
    const state = { state: { type: 'string', description: 'State of the book afterwards' } };
    expect(filledFor('Put BK-1 away, and let the others read "water damage".', state)).toEqual({
      comment: 'water damage',
    });
  });
});

describe('a switch that the contract asks after', () => {
  const reference = { reference: { type: 'boolean', description: 'Whether the book is for reference only now' } };
  const enabled = { enabled: { type: 'boolean', description: 'Whether the book is enabled after the change' } };

  test('is put on', () => {
    expect(filledFor('Nobody should carry the thing home any more.', reference)).toEqual({ 'reference-only': true });
  });

  test('is put off where it is a general one and the request ends something', () => {
    expect(filledFor('The thing should rest for a while.', enabled)).toEqual({ enabled: false });
  });
});
