import { expect, test } from 'vitest';
import { overridesRequest } from './method-override.ts';

test.each([
  'X-HTTP-Method-Override',
  'x_http_method_override',
  'X-HTTP-METHOD',
  'X-Method-Override',
  'X-HttpMethod',
  '_method',
  '_METHOD',
  '_httpmethod',
  '_http_method',
  '$method',
  '_method[]',
  'X-Original-URL',
  'x-rewrite-url',
  '＿method',
  '_method\0',
  '_me\u200bthod',
])('%s makes a request another one', (name) => {
  expect(overridesRequest(name)).toBe(true);
});

test.each([
  'method',
  'http_method',
  'payment_method',
  'payment-method',
  'methods',
  'http',
  'url',
  'original_url',
  'x-method-name',
  'constructor',
  '',
])('%s is a field like any other', (name) => {
  expect(overridesRequest(name)).toBe(false);
});
