import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { Finder } from '../../search/find.ts';
import { buildIndex } from '../../search/inverted-index.ts';
import { inMemoryCatalogOf } from '../../test/bench/find/in-memory-catalog.ts';
import { anyText } from '../../test/support/any-text.ts';
import { SILENT_CALLER } from '../../test/support/caller.ts';
import { toolOf } from '../../test/support/tools-in-memory.ts';
import { findTool } from './find-tool.ts';
import { ANSWER_LIMIT, SCHEMA_ANSWER_LIMIT } from './fit-answer.ts';
import { PAIRS_WITHOUT_TOKEN, tokensAtMost } from './token-bound.ts';

/** The worst a document can bring: every text as long as the catalog lets through, in scripts that cost most. */
function worstTools(sentence: (i: number) => string) {
  return Array.from({ length: 12 }, (_, i) =>
    toolOf({
      name: `mgmt_${'x9q'.repeat(18)}_${i}`,
      line: `widget ${sentence(i)}`.slice(0, 200),
      params: [...Array.from({ length: 8 }, (_, p) => `body.${'Zq7_'.repeat(14)}${p}`)],
    }),
  );
}

function toolFor(
  entries: ReturnType<typeof toolOf>[],
  schema: JsonSchema = { type: 'object' },
  platforms: readonly PlatformDefinition[] = [],
) {
  const index = buildIndex(entries);
  const finder = new Finder({
    catalog: inMemoryCatalogOf(entries),
    index: () => index,
    enabled: ['mgmt'],
    words: { mgmt: ['mgmt'], sdwan: ['sdwan'] },
    decide: () => ({ visible: true, allowed: false }),
  });
  const { run } = findTool(
    {
      finder,
      catalog: { wrapping: () => [] },
      schemaOf: () => schema,
      visible: () => true,
      configured: () => true,
    },
    platforms,
  );
  return async (args: Record<string, unknown>) => {
    const answer = await run(args, SILENT_CALLER);
    if (answer.kind !== 'texts') throw new Error(`an answer in texts was expected, got ${answer.kind}`);
    return { ...answer, tokens: answer.texts.reduce((sum, text) => sum + encode(text).length, 0) };
  };
}

test.each([
  ['user', { meta: { 'svc-mcp/untrusted': { source: 'document:mgmt' } } }],
  ['toolset', {}],
] as const)('hits of a %s platform are marked where a user added the document', async (kind, mark) => {
  const platform = { id: 'mgmt', title: 'Management', kind } as PlatformDefinition;
  const find = toolFor([toolOf({ name: 'mgmt_list_widgets', line: 'List widgets' })], undefined, [platform]);
  const { meta } = await find({ query: 'list widgets' });
  expect(meta === undefined ? {} : { meta }).toEqual(mark);
});

test.each([
  ['null', { top_k: null, platform: null, capability: null, include_schema: null, schema_for: null, fields: null }],
  ['empty texts', { platform: '', capability: '', schema_for: '', fields: [] }],
  ['text for numbers and flags', { top_k: '5', include_schema: 'false' }],
])('a client that fills in what it does not ask with %s finds the same', async (_, filled) => {
  const find = toolFor([toolOf({ name: 'mgmt_list_widgets', line: 'List widgets' })]);
  const names = async (args: object) => {
    const { texts } = await find({ query: 'list widgets', ...args });
    return JSON.parse(texts[0] as string).map(({ name }: { name: string }) => name);
  };
  expect(await names(filled)).toEqual(['mgmt_list_widgets']);
});

describe('the answer has a ceiling', () => {
  test.each([
    ['plain words', (i: number) => `operation number ${i} of the management cloud library `.repeat(5)],
    ['letters without sense', (i: number) => `qzxv${i}jkwpfyrtgh`.repeat(20)],
    ['a script without spaces', () => '設定管理装置網絡無線接続'.repeat(20)],
    ['pictures', () => '🛰️🧯🪫'.repeat(60)],
    ['signs', () => '{"\\[}]~^`|'.repeat(40)],
  ])('%s: never more than 2,500 tokens for any top_k', async (_, sentence) => {
    const find = toolFor(worstTools(sentence));
    for (const top_k of [1, 5, 10]) {
      const { texts, tokens } = await find({ query: 'widget on sdwan', top_k, platform: 'mgmt' });
      expect(tokens, `top_k ${top_k}`).toBeLessThanOrEqual(ANSWER_LIMIT);
      expect(JSON.parse(texts[0] as string).length).toBeGreaterThan(0);
    }
  });

  test('ten ordinary hits are not shortened', async () => {
    const entries = Array.from({ length: 12 }, (_, i) =>
      toolOf({
        name: `mgmt_list_widgets_${i}`,
        line: 'List all widgets (small device, gadget) in the management cloud library.',
        params: ['limit', 'offset', 'sort', 'filter', 'site-id', 'scope-id', 'search', 'effective'],
      }),
    );
    const names = ['site-id', 'effective', 'filter', 'search', 'scope-id', 'limit', 'offset', 'sort'];
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: ['site-id'],
    };
    const { texts } = await toolFor(entries, schema)({ query: 'widgets', top_k: 10 });
    const shown = JSON.parse(texts[0] as string) as { params: string[]; required: string[]; more_params?: number }[];
    expect(shown).toHaveLength(10);
    expect(shown[0]).toMatchObject({ params: names, required: ['site-id'] });
    expect(shown.slice(1).map(({ params, more_params }) => params.length + (more_params ?? 0))).toEqual(
      Array.from({ length: 9 }, () => names.length),
    );
  });

  test('a name of a platform of any length is said back in part', async () => {
    const { tokens } = await toolFor(worstTools(() => 'x'))({ query: 'widget', platform: 'p'.repeat(100_000) });
    expect(tokens).toBeLessThan(200);
  });
});

describe('include_schema', () => {
  const deep = (levels: number): JsonSchema =>
    levels === 0
      ? { type: 'string', description: 'The innermost value, which says what it is at some length for every reader.' }
      : {
          type: 'object',
          properties: Object.fromEntries(
            ['alpha', 'beta', 'gamma', 'delta'].map((name) => [`${name}-${levels}`, deep(levels - 1)]),
          ),
        };

  test('adds the schema of the first hit only', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const { texts } = await toolFor(
      worstTools(() => 'x'),
      schema,
    )({ query: 'widget', include_schema: true });
    const [first, ...others] = JSON.parse(texts[0] as string) as { schema?: JsonSchema }[];
    expect(first?.schema).toEqual(schema);
    expect(others.some((hit) => 'schema' in hit)).toBe(false);
  });

  test('with an empty list of fields is the whole schema, and without it none', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const find = toolFor(
      worstTools(() => 'x'),
      schema,
    );
    const first = async (args: object) =>
      (JSON.parse((await find({ query: 'widget', ...args })).texts[0] as string) as { schema?: JsonSchema }[])[0];
    expect((await first({ include_schema: true, fields: [] }))?.schema).toEqual(schema);
    expect(await first({ fields: [] })).not.toHaveProperty('schema');
  });

  test('a schema without end is cut where it is deep, and says where the rest stands', async () => {
    const { texts, tokens } = await toolFor(
      worstTools(() => 'x'),
      deep(6),
    )({ query: 'widget', include_schema: true });
    expect(tokens).toBeLessThanOrEqual(SCHEMA_ANSWER_LIMIT);
    const [first] = JSON.parse(texts[0] as string) as { schema: JsonSchema }[];
    expect(Object.keys(first?.schema['properties'] as object)).toEqual(['alpha-6', 'beta-6', 'gamma-6', 'delta-6']);
    expect(JSON.stringify(first?.schema)).toContain('lookup_api');
  });

  test('a schema that refers to itself ends', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, text: { type: 'string' } } };
    const padding = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, { $ref: '#/$defs/Node' }]));
    const schema = { type: 'object', properties: { body: { properties: padding } }, $defs: { Node: node } };
    const { tokens } = await toolFor(
      worstTools(() => 'x'),
      schema,
    )({ query: 'widget', include_schema: true });
    expect(tokens).toBeLessThanOrEqual(SCHEMA_ANSWER_LIMIT);
  });
});

test('the bound on letters knows every pair of them that is no token', () => {
  const lower = 'abcdefghijklmnopqrstuvwxyz';
  const upper = lower.toUpperCase();
  const pairs = [...lower, ...upper].flatMap((a) => [...lower, ...upper].map((b) => a + b));
  // A small letter before a capital one begins a new word, so no token holds both.
  const written = pairs.filter((pair) => !/[a-z][A-Z]/.test(pair));
  const withoutToken = written.filter((pair) => encode(pair).length > 1);
  expect([...PAIRS_WITHOUT_TOKEN].sort()).toEqual(withoutToken.sort());
});

test('the bound on tokens is never below what a tokeniser counts', () => {
  const texts = [
    anyText({ maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'qxzjkvwQXZJKVW'), maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'gkqrfysbQGtg'), maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'{}[]":,\\'), maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...' 0aZ"{}[],.\u0663'), maxLength: 12 }),
  ];
  fc.assert(
    fc.property(fc.oneof(...texts), (text) => {
      const shown = JSON.stringify(text);
      expect(tokensAtMost(shown)).toBeGreaterThanOrEqual(encode(shown).length);
    }),
    // Texts that an earlier bound was too low for.
    {
      numRuns: 3_000,
      examples: [
        'tstncyhgmh',
        'rffyffyysb',
        'gkqgqg',
        ' 0uQFDC 2',
        'gGdgbf',
        ' 0 0',
        '{,}',
        ' ,{, ,{,',
        'eiuoieeoeu',
        'Uuafc\ne',
      ].map((text) => [text]),
    },
  );
});
