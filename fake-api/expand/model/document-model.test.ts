import { describe, expect, test } from 'vitest';
import { plainCables as cable } from '../../test/expand/cables.ts';
import { findingsOf } from '../../test/expand/findings.ts';
import { documentWith, smallPlatform } from '../../test/expand/small-model.ts';
import { expandPlatform } from '../assemble-document.ts';
import { operationsOf, schemasOf } from '../lint/endpoint-count.ts';

const floorCable = [
  'floor-cables:',
  '  like: cables',
  '  noun: [floor cable, floor cables]',
  '  aliases: [riser lead]',
  '  questions: [which cables lie on this floor]',
  '  distinguish: between sockets of one storey, laid by its tenants',
  '  where: of one floor',
  '  path: floors/{floor}/cables/{label}',
  '  parameters: {floor: "int(0..99) -- Storey"}',
  '  ops: crud',
  '  impact: a tenant is offline',
].join('\n');

const expand = (text: string) => expandPlatform(smallPlatform(text)).find(({ name }) => name === 'small')!.document;

describe('a resource like another', () => {
  test('serves the same shapes at another place and brings no schema of its own', () => {
    const document = expand(documentWith(`${cable}\n${floorCable}`));
    expect(Object.keys(schemasOf(document))).toEqual(Object.keys(schemasOf(expand(documentWith(cable)))));
    const list = operationsOf(document).find(({ operation }) => operation['operationId'] === 'listFloorCables')!;
    expect(list.path).toBe('/api/floors/{floor}/cables');
    expect(findingsOf(smallPlatform(documentWith(`${cable}\n${floorCable}`)))).toEqual([]);
  });

  test('may not say its shape again, and is like a resource of its document', () => {
    const again = `${floorCable}\n  fields: {weight: "int(1..9) -- Grams"}`;
    expect(() => smallPlatform(documentWith(`${cable}\n${again}`))).toThrow('got the key "fields"');
    expect(() => smallPlatform(documentWith(floorCable))).toThrow('expected a resource of this document, got cables');
  });
});

describe('views and settings', () => {
  const withParts = [
    cable,
    '  views:',
    '    wear: {title: wear, questions: [is the cable worn out], distinguish: how often it was bent in its life, fields: {bends: "int(0..) -- Times it was bent"}}',
    '    lengths: {at: collection, title: total length, questions: [how much cable lies here], distinguish: all metres together from wall to wall, fields: {metres: "num(0..) -- Sum over all sheaths"}}',
    '  settings:',
    '    sleeve: {title: sleeve settings, questions: [what does the sleeve say], distinguish: print that people read on the sleeve, fields: {ink: "enum(black|white)! -- Print"}}',
  ].join('\n');

  test('are singletons of the item or of the collection', () => {
    const lines = operationsOf(expand(documentWith(withParts)))
      .map(({ method, path, operation }) => `${operation['operationId']} ${method} ${path}`)
      .filter((line) => /Wear|Lengths|Sleeve/.test(line));
    expect(lines.sort()).toEqual([
      'getCableLengths get /api/cables/lengths',
      'getCableSleeve get /api/cables/{label}/sleeve',
      'getCableWear get /api/cables/{label}/wear',
      'replaceCableSleeve put /api/cables/{label}/sleeve',
    ]);
    expect(findingsOf(smallPlatform(documentWith(withParts)))).toEqual([]);
  });

  test('settings that are written as they are read have one schema', () => {
    expect(
      Object.keys(schemasOf(expand(documentWith(withParts, 'style: monitor')))).filter((name) => /Sleeve/.test(name)),
    ).toEqual(['CableSleeve']);
  });

  test('a view is never written', () => {
    const written = withParts.replace('wear: {title', 'wear: {ops: GR, title');
    expect(() => smallPlatform(documentWith(written))).toThrow('expected G, because a view is only read');
  });
});
