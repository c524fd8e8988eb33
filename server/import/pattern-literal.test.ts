import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { meantPattern } from './pattern-literal.ts';
import { definePlatform } from './user-platform.ts';

test.each([
  ['/^\\d{4}-[a-z]$/', '^\\d{4}-[a-z]$'],
  ['/^port-\\d+$/i', '^[pP][oO][rR][tT]-\\d+$'],
  ['/^[a-f\\x41]{2}\\w$/i', '^[a-fA-F\\x41]{2}\\w$'],
  ['/^(?<kind>a-z)/gi', '^(?<kind>[aA]-[zZ])'],
  ['/[a-z]+$/', '[a-z]+$'],
])('%s means %s', (written, meant) => {
  expect(meantPattern(written)).toBe(meant);
});

test.each(['/sites/[0-9]+', '/[a-z]+/', '^/a/$', '/price\\$/', '/', ''])('%s is a pattern as it is', (written) => {
  expect(meantPattern(written)).toBe(written);
});

test('a call with a value that a pattern between slashes means is taken, and another one is not', async () => {
  using folder = oddFolder();
  const parameter = {
    name: 'tag',
    in: 'query',
    required: true,
    schema: { type: 'string', pattern: '/^vlan-[a-f]+$/i' },
  };
  const paths = { '/segments': { get: { parameters: [parameter], responses: OK } } };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [tool] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  const properties = tool?.schema['properties'] as { tag: { pattern: string } };
  const takes = new RegExp(properties.tag.pattern, 'u');
  expect(['vlan-cafe', 'VLAN-Cafe', '/vlan-cafe/', 'vlan-xyz'].map((text) => takes.test(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
