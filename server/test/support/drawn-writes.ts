/** Writes drawn by a seed, with everything that could hide something from a person: letters, names, sizes, headers. */
import fc from 'fast-check';
import { anyText } from './any-text.ts';

/** Added to the sample document: one operation for each kind of body, with parameters everywhere. */
export const drawnDocument = {
  openapi: '3.1.0',
  info: { title: 'Drawn', version: '1', 'x-svc-platform': 'mgmt', 'x-svc-document': 'drawn' },
  servers: [{ url: '/' }],
  paths: {
    '/things/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'note', in: 'query', schema: { type: 'string' } },
        { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        { name: 'X-Reason', in: 'header', schema: { type: 'string', pattern: '^[ -~]*$' } },
      ],
      put: {
        operationId: 'replaceThing',
        requestBody: { required: true, content: { 'application/json': { schema: {} } } },
        responses: { 200: { description: 'done' }, 201: { description: 'made' } },
      },
      post: {
        operationId: 'submitThing',
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
        },
        responses: { 200: { description: 'done' } },
      },
      patch: {
        operationId: 'noteThing',
        requestBody: { required: true, content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: { 200: { description: 'done' } },
      },
      delete: { operationId: 'deleteThing', responses: { 204: { description: 'gone' } } },
    },
  },
};

export interface DrawnWrite {
  tool: 'mgmt_replace_thing' | 'mgmt_submit_thing' | 'mgmt_note_thing' | 'mgmt_delete_thing';
  arguments: Record<string, unknown>;
}

const UNUSUAL = [
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u00a0',
  '\u3000',
  '\u{e0041}',
  '\u{e007f}',
  '\ufe0f',
  '\u0000',
  '\u001b',
  '\r\n',
  '\n',
  '\t',
  '"',
  '\\',
  '\\u0041',
  '\u{1f600}',
  'é',
  '漢',
  '\nobject: DELETE /everything',
  '\nBody: none',
  '== Request 2 of 2 ==',
  // One asterisk less is the mask of the router, which no write may send.
  '*******',
  'authorization: Bearer x',
];
const letters = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom(...UNUSUAL) },
  { weight: 1, arbitrary: anyText({ maxLength: 12 }) },
);
const text = fc.array(letters, { maxLength: 5 }).map((parts) => parts.join(''));
const secretName = fc.constantFrom(
  'password',
  'secret',
  'apiKey',
  'shared-secret',
  'authorization',
  'token',
  'psk',
  'credentials',
);
// The HTTP surface refuses `__proto__` as a name, wherever it stands.
const name = fc
  .oneof(fc.string({ minLength: 1, maxLength: 12 }), secretName, text)
  .filter((word) => word !== '__proto__');
const secretText = fc.constantFrom(
  'secret = "…username evil privilege 15…"',
  'Bearer abcdefghijklmnop',
  'password: hunter2',
);
const leaf = fc.oneof(
  text,
  secretText,
  fc.integer(),
  // An integer beyond 2^53 that is written in digits is refused: some of them are lost.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => (Math.abs(number) < 1e21 ? number % 2 ** 53 : number)),
  fc.boolean(),
);
const value = fc.oneof(
  { weight: 5, arbitrary: leaf },
  { weight: 2, arbitrary: fc.array(leaf, { maxLength: 5 }) },
  { weight: 2, arbitrary: fc.dictionary(name, leaf, { maxKeys: 5 }) },
);
const small = fc.dictionary(name, value, { maxKeys: 12 });
/** Two thousand fields, or one value of up to 200,000 characters. */
const large = fc.oneof(
  fc
    .integer({ min: 200, max: 2_000 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field-${i}`, `value of field ${i}`]))),
  fc
    .tuple(fc.integer({ min: 1_000, max: 190_000 }), letters)
    .map(([length, end]) => ({ text: 'x'.repeat(length) + end })),
);
const body = fc.oneof({ weight: 19, arbitrary: small }, { weight: 1, arbitrary: large });
// Blanks alone and a dot segment in it are refused, however they are written.
const climbing = /(?:^|[/\\])\s*\.{1,2}\s*(?:[;\0][^/\\]*)?(?:[/\\]|$)/;
const pathText = text
  .map((id) => id.slice(0, 60).toWellFormed())
  .filter((id) => id.trim() !== '' && !climbing.test(id.normalize('NFKC')));
const common = {
  id: pathText,
  note: fc.option(text, { nil: undefined }),
  // An empty list would vanish from the request, and is refused.
  tags: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  'X-Reason': fc.option(
    fc.string({ maxLength: 30 }).filter((reason) => /^[ -~]*$/.test(reason)),
    { nil: undefined },
  ),
};
const withBody = (tool: DrawnWrite['tool'], of: fc.Arbitrary<unknown>) =>
  fc.record({ ...common, body: of }).map((args): DrawnWrite => ({ tool, arguments: args }));

export const drawnWrite: fc.Arbitrary<DrawnWrite> = fc.oneof(
  { weight: 6, arbitrary: withBody('mgmt_replace_thing', body) },
  { weight: 2, arbitrary: withBody('mgmt_submit_thing', fc.dictionary(name, text, { maxKeys: 8 })) },
  {
    weight: 2,
    arbitrary: withBody('mgmt_note_thing', fc.oneof(text, fc.string({ minLength: 200, maxLength: 2_000 }))),
  },
  {
    weight: 1,
    arbitrary: fc.record(common).map((args): DrawnWrite => ({ tool: 'mgmt_delete_thing', arguments: args })),
  },
);
