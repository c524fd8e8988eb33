import { expect, test } from 'vitest';
import { pathProblem } from './path-template.ts';

test.each([
  ['/things/{id}/run#/search', /# or \?/],
  ['/run?do=/search', /# or \?/],
  ['/a/../run', /dot segment/],
  ['/a/..', /dot segment/],
  ['/./run', /dot segment/],
  ['/a/..;x=1/run', /dot segment/],
  ['/a/%2e%2e/run', /encoded slash, dot/],
  ['/a/%2E./run', /encoded slash, dot/],
  ['/a%2fb', /encoded slash/],
  ['/a%5Cb', /encoded slash/],
  ['/a%252fb', /encoded slash/],
  ['/a%23b', /encoded slash/],
  ['/a%3fb', /encoded slash/],
  ['/a%00', /control character/],
  ['/%2{x}', /encodes nothing/],
  ['/a\\b', /backslash/],
  ['/a\tb', /control or invisible/],
  ['/a\nb', /control or invisible/],
  ['/a\u200bb', /control or invisible/],
  ['/a\u202eb', /control or invisible/],
  ['//other.test/run', /\/\/ or a scheme/],
  ['/http://other.test/run', /\/\/ or a scheme/],
  ['/a//b', /\/\/ or a scheme/],
  ['/run ', /begins or ends with a blank/],
  ['/a＃b', /# or \?/],
  ['/．．/b', /dot segment/],
  ['run', /begin with \//],
  ['/a/{b', /braces/],
  ['/a/}b{', /braces/],
])('%j is refused', (path, what) => {
  expect(pathProblem(path)).toEqual({ what: expect.stringMatching(what), remedy: expect.stringMatching(/segments/) });
});

test.each([
  '/',
  '/things/{id}',
  '/a.b/c..d/{x}.json',
  '/devices:reboot',
  '/a%20b',
  '/größe/{id}',
  '/a;v=1/b',
  '/~user/@me',
  '/{owner}/{repo}...{head}',
])('%j is fine', (path) => {
  expect(pathProblem(path)).toBeUndefined();
});
