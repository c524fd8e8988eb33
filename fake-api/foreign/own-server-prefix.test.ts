import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { ownServerPrefix } from './own-server-prefix.ts';

const at = (url: string, variables: object = {}) => ({ servers: [{ url, variables }] });

test.each([
  ['none', 'https://api.test/v1', {}, {}, ''],
  ['one below', 'https://api.test/v1', {}, at('https://api.test/v1/reports/'), '/reports'],
  ['one of its path', 'https://api.test/v1/', at('https://api.test/v1/reports'), {}, '/reports'],
  ['a path below', 'https://api.test/v1', {}, at('/v1/reports'), '/reports'],
  ['a variable', 'https://{h}.test', {}, at('https://{h}.test/x', { h: { default: 'api' } }), ''],
  ['one beside', 'https://api.test/v1', {}, at('https://api.test/v10'), ''],
  ['one elsewhere', 'https://api.test/v1', {}, at('https://files.test/v1/a'), ''],
  ['steps upwards', 'https://api.test/v1', {}, at('https://api.test/v1/../v2'), ''],
])('an operation with %s is served below %s accordingly', (_, base, item, operation, expected) => {
  expect(ownServerPrefix(at(base) as unknown as OpenApiDocument, item, operation)).toBe(expected);
});
