/** Which fields of an answer are masked because the document declares them as secrets. */
import { expect, test } from 'vitest';
import { answerSecrets } from './answer-secrets.ts';
import type { ApiDocument, JsonObject } from './platform-document.ts';

const json = (schema: object) => ({ 'application/json': { schema } });
const text = { type: 'string' };
const secret = { type: 'string', format: 'password' };
const namesIn = (answer: object, body?: object, schemas: JsonObject = {}) =>
  answerSecrets({ id: 'd', file: 'd', content: { components: { schemas } } } as ApiDocument, {
    responses: { 200: { description: 'ok', content: json(answer) } },
    ...(body ? { requestBody: { content: json(body) } } : {}),
  });
const object = (properties: object) => ({ type: 'object', properties });

test('fields that the schema of the answer declares, at any depth and through references', () => {
  const schemas = {
    Snmp: object({
      community: { $ref: '#/components/schemas/Word' },
      users: { type: 'array', items: { $ref: '#/components/schemas/User' } },
    }),
    User: object({ auth_key: { type: 'string', writeOnly: true }, of: { $ref: '#/components/schemas/Snmp' } }),
    Word: secret,
  };
  const list = { type: 'array', items: { $ref: '#/components/schemas/Snmp' } };
  expect(namesIn(list, undefined, schemas)).toEqual(['auth_key', 'community']);
});

test('fields of an answer whose media type the document leaves open', () => {
  const answer = { 200: { description: 'ok', content: { '*/*': { schema: object({ name: text, psk: secret }) } } } };
  expect(answerSecrets({ id: 'd', file: 'd', content: {} } as ApiDocument, { responses: answer })).toEqual(['psk']);
});

test.each([
  ['of another success', { 200: {}, 201: { 'application/json': secret } }],
  ['of a success that is told as the default', { default: { 'application/json': secret } }],
  ['of another media type', { 200: { 'application/json': undefined, 'text/plain': secret } }],
])('fields of an answer %s', (_, declared) => {
  const responses = Object.fromEntries(
    Object.entries(declared).map(([status, types]) => [
      status,
      {
        content: Object.fromEntries(
          Object.entries(types).map(([type, psk]) => [type, psk === undefined ? {} : { schema: object({ psk }) }]),
        ),
      },
    ]),
  );
  expect(answerSecrets({ id: 'd', file: 'd', content: {} } as ApiDocument, { responses })).toEqual(['psk']);
});

test('fields that the body declares, because an answer may repeat what was sent', () => {
  expect(namesIn(object({ name: text, community: text }), object({ community: secret }))).toEqual(['community']);
});

test('no field whose name the same schema also gives to what is no secret', () => {
  const communities = { type: 'array', items: object({ name: secret, cak: secret }) };
  expect(namesIn(object({ name: text, communities }))).toEqual(['cak']);
});
