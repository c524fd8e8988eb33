import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { document, OK } from '../test/support/malformed-documents.ts';
import { withoutOlderGrammar } from './older-pattern.ts';

test.each([
  ['^\\-?[0-9]+$', '^-?[0-9]+$', ['-1', '1']],
  ['^[a-zA-Z0-9_\\-\\:]+$', '^[a-zA-Z0-9_\\-:]+$', ['a:b-c']],
  ['^[^\\:]+(\\:\\d+)?\\@\\_$', '^[^:]+(:\\d+)?@_$', ['h:1@_']],
  ['^[\\w-.]+$', '^[\\w\\-.]+$', ['a-b.c']],
  ['^[.-\\d]+\\#$', '^[.\\-\\d]+#$', ['.-1#']],
  ['^{[a-z]{2,}}$', '^\\{[a-z]{2,}\\}$', ['{ab}']],
  ['^a]{,3}$', '^a\\]\\{,3\\}$', ['a]{,3}']],
])('%s is %s and takes the same texts', (written, meant, texts) => {
  expect(withoutOlderGrammar(written)).toBe(meant);
  for (const text of texts)
    expect([new RegExp(written).test(text), new RegExp(meant, 'u').test(text)]).toEqual([true, true]);
});

test.each(['^[\\w-]+$', '^\\^\\[\\/$', '[+\\--.]', '\\p{L}+', '(', '\\A[a-z]\\z', ''])('%s stays', (written) => {
  expect(withoutOlderGrammar(written)).toBe(written);
});

const taking = (schema: object) =>
  importedApi({
    'api.json': document({
      '/a': {
        post: {
          operationId: 'createA',
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', properties: { text: schema } } } },
          },
          responses: OK,
        },
      },
    }),
  });

test('a call is checked by such a pattern, which nothing is said of', async () => {
  const api = await taking({ type: 'string', pattern: '^[a-f\\:\\.]+\\-$' });
  expect(api.findings).toEqual([]);
  expect(api.problems('createA', { body: { text: 'fe:a.-' } })).toEqual([]);
  expect(api.problems('createA', { body: { text: 'xyz' } })).toHaveLength(1);
});

test('a range that begins with an invisible character keeps it, as an escape', async () => {
  const api = await taking({ type: 'string', pattern: '^[a\u200b-\u200f\\\u00ad\u{e0001}]+$' });
  expect(api.findings).toEqual([]);
  expect(JSON.stringify(api.schemaOf('createA'))).toContain('^[a\\\\u{200b}-\\\\u{200f}\\\\u{ad}\\\\u{e0001}]+$');
  expect(api.problems('createA', { body: { text: 'a\u200d\u00ad' } })).toEqual([]);
  expect(api.problems('createA', { body: { text: 'b' } })).toHaveLength(1);
});
