import { expect, test } from 'vitest';
import { withDefaultBody } from './default-body.ts';

const sends = (required: boolean) => ({ body: { contentType: 'application/json', required } });
const OPTIONAL = { type: 'object', properties: { body: { type: 'object' } } };
const REQUIRED = { ...OPTIONAL, required: ['body'] };

test.each([
  ['sends a body that its schema does not require: the body is empty', sends(true), {}, OPTIONAL, { body: {} }],
  ['sends a body that the caller gave: as it is', sends(true), { body: { a: 2 } }, OPTIONAL, { body: { a: 2 } }],
  ['needs the body: left to the check of the arguments', sends(true), {}, REQUIRED, {}],
  ['may go without a body: without', sends(false), {}, OPTIONAL, {}],
  ['has no body', { body: null }, {}, { type: 'object' }, {}],
])('a tool that %s', (_, tool, values, schema, expected) => {
  expect(withDefaultBody(tool, values, schema)).toEqual(expected);
});
