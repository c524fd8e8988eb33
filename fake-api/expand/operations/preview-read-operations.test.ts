import { expect, test } from 'vitest';
import { cables, expandCables } from '../../test/expand/cables.ts';
import { operationsOf } from '../lint/endpoint-count.ts';
import { platformDocuments } from '../platform-documents.ts';

const sockets = [
  'sockets:',
  '  noun: [socket, sockets]',
  '  aliases: [wall plate]',
  '  questions: [which sockets are there]',
  '  distinguish: where a cable ends; what leads there is a cable',
  '  impact: what is plugged in goes dark',
  '  key: number int(1..99) -- Number on the plate',
  '  ops: crud',
  '  style: monitor',
  '  fields:',
  '    cable: str(1..9)! list filter(eq) -- Cable that ends here',
  '    length: int(0..9)! list filter(eq) -- Metres above the floor',
  '    state: enum(LIT|DARK) list filter(eq) -- Whether light comes out',
  '  count: [state]',
].join('\n');

/** `x-svc-preview-reads` by operation id. */
function stated(lines: string): Record<string, unknown> {
  const found = operationsOf(expandCables(`${lines}\n${sockets}`)).map(({ operation }) => [
    String(operation['operationId']),
    operation['x-svc-preview-reads'],
  ]);
  return Object.fromEntries(found.filter(([, reads]) => reads !== undefined));
}
const reads = (line: string) => `${cables}\n  preview-reads: [${line}]`;

test('what destroys an object asks who refers to it', () => {
  expect(stated(`${cables}\n  references: true`)).toEqual({
    deleteCable: [{ operation: 'listCableReferences', tells: 'references', arguments: { label: '{label}' } }],
  });
  expect(stated(cables)).toEqual({});
});

test('a count that the model names is asked in the grammar of what is counted; by changes only when they switch off', () => {
  const lit = reads('{ of: sockets, by: cable, with: { state: LIT, length: "2" }, how: hang on it }');
  const count = {
    operation: 'countSockets',
    tells: 'count',
    arguments: { filter: "cable eq '{label}' and state eq 'LIT' and length eq 2" },
    how: 'hang on it',
  };
  expect(stated(lit)).toEqual({
    deleteCable: [count],
    replaceCable: [{ ...count, when: 'switched-off' }],
    updateCable: [{ ...count, when: 'switched-off' }],
  });
});

test.each([
  ['{ of: lamps, by: cable, how: hang on it }', /a resource of this platform/],
  ['{ of: cables, by: length, how: hang on it }', /a resource that can be counted/],
  ['{ of: sockets, by: colour, how: hang on it }', /filtered by eq/],
  ['{ of: sockets, by: cable }', /the key how/],
])('%s is refused', (line, why) => {
  expect(() => stated(reads(line))).toThrow(why);
});

test('what ends the waiting of changes asks what waits, at the same place', async () => {
  const documents = [...(await platformDocuments(['sse', 'legacy', 'fabric'])).values()].flatMap((own) => [
    ...own.values(),
  ]);
  const ends = documents.flatMap((document) =>
    operationsOf(document).flatMap(({ operation }) => {
      const { stage } = (operation['x-svc-derive'] ?? {}) as { stage?: string };
      const reads = operation['x-svc-preview-reads'];
      return ['commit', 'discard', 'revert'].includes(stage ?? '') ? [[operation['operationId'], reads]] : [];
    }),
  );
  const read = (operation: string, how: string, ...names: string[]) => [
    { operation, tells: 'changes', arguments: Object.fromEntries(names.map((name) => [name, `{${name}}`])), how },
  ];
  expect(Object.fromEntries(ends)).toEqual({
    commitChanges: read('listChanges', 'go live'),
    discardChanges: read('listChanges', 'are lost'),
    writeMemory: read('showPending', 'go live', 'config_path'),
    purgePending: read('showPending', 'are lost', 'config_path'),
    startBlueprintDeploy: read('getBlueprintDiff', 'go live', 'blueprint_id'),
    revertBlueprint: read('getBlueprintDiff', 'are lost', 'blueprint_id'),
  });
});
