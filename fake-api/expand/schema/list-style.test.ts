import { describe, expect, test } from 'vitest';
import { cables } from '../../test/expand/cables.ts';
import { documentWith, platformOf, withStyle } from '../../test/expand/small-model.ts';
import { expandPlatform } from '../assemble-document.ts';
import { operationsOf, schemasOf } from '../lint/endpoint-count.ts';
import type { Schema } from './schema-object.ts';

const counted = cables.replace('length: num(0..500)! list', 'length: num(0..500)! list filter(eq,gt) sort');

function listed(style: string, lines = counted, id = 'listCables') {
  const platform = platformOf(withStyle(style), documentWith(lines, 'style: own'));
  const { document } = expandPlatform(platform).find(({ name }) => name === 'small')!;
  const { operation } = operationsOf(document).find((each) => each.operation['operationId'] === id)!;
  const { 200: ok } = operation['responses'] as Record<string, Schema>;
  const answer = (ok!['content'] as Record<string, Schema>)['application/json']!['schema'] as Schema;
  return { document, operation, answer, headers: ok!['headers'] as Schema, page: schemasOf(document)['CablePage'] };
}

const parameter = (operation: Schema, name: string): Schema | undefined =>
  (operation['parameters'] as Schema[]).find((each) => each['name'] === name);

describe('a list', () => {
  test('has its entries deep inside, with links beside them', () => {
    const { operation, page, document } = listed(
      'list: {property: _embedded.items, links: _links, extras: [count], filter: json, sort: signed}',
    );
    expect(page).toMatchObject({
      properties: {
        _embedded: { properties: { items: { type: 'array' } }, required: ['items'] },
        _links: { $ref: '#/components/schemas/PageLinks' },
        count: { type: 'integer' },
      },
      required: ['_embedded'],
    });
    expect(schemasOf(document)['PageLinks']).toMatchObject({ required: ['self', 'first'] });
    expect(operation).toMatchObject({
      'x-svc-list': { property: '_embedded.items', links: '_links', sort: 'signed' },
      'x-svc-filter': { grammar: 'json', fields: { length: ['eq', 'gt'] } },
    });
  });

  test('is a bare array whose totals stand in headers', () => {
    const { operation, answer, headers } = listed(
      'list: {property: null, paging: page, parameters: {limit: per, page: nr}, headers: {X-Page-Total: total}, filter: wildcard}',
    );
    expect(answer).toEqual({ type: 'array', items: { $ref: '#/components/schemas/CableSummary' } });
    expect(headers['X-Page-Total']).toMatchObject({ schema: { type: 'integer' } });
    expect(operation['x-svc-list']).toMatchObject({
      property: null,
      parameters: { limit: 'per', page: 'nr' },
      headers: { 'X-Page-Total': 'total' },
    });
    expect(parameter(operation, 'nr')).toMatchObject({ schema: { minimum: 1, default: 1 } });
    expect(parameter(operation, 'length')).toMatchObject({ explode: false, schema: { items: { type: 'number' } } });
  });

  test('is a map from key to entry', () => {
    const { answer, operation } = listed('list: {property: null, shape: map, paging: none}');
    expect(answer).toMatchObject({
      type: 'object',
      additionalProperties: { $ref: '#/components/schemas/CableSummary' },
    });
    expect(operation['x-svc-list']).toMatchObject({ property: null, shape: 'map' });
  });

  test('stands under its segment and counts from one, with names of its own', () => {
    const { operation, page } = listed(
      'list: {property: "_data.{segment}", first: 1, extras: {found: total}, parameters: {offset: from}}',
    );
    expect(page).toMatchObject({ properties: { _data: { properties: { cables: { type: 'array' } } }, found: {} } });
    expect(operation['x-svc-list']).toMatchObject({
      property: '_data.cables',
      first: 1,
      extras: ['found'],
      meanings: { found: 'total' },
    });
    expect(parameter(operation, 'from')).toMatchObject({ schema: { minimum: 1 } });
  });
});

test('a filter parameter is not named like one of paging', () => {
  const lines = cables.replace('medium: enum(copper|fibre)', 'limit: enum(copper|fibre) filter(eq)');
  expect(() => listed('list: {paging: offset}', lines)).toThrow(
    'expected one query parameter limit of listCables, got two',
  );
});

describe('a search and a count', () => {
  test('are asked by parameters where the style says so', () => {
    const style =
      'list: {property: null, paging: page}\nsearch: {method: get, list: {property: results, paging: cursor, parameters: {cursor: after}, extras: [start, total]}}\ncount: {parameter: distinct, property: results}';
    const lines = `${counted}\n  search: {barcode: "str(1..9) -- Part of the number"}\n  count: [medium]`;
    const { operation, document } = listed(style, lines, 'searchCables');
    expect(operation['requestBody']).toBeUndefined();
    expect(parameter(operation, 'barcode')).toMatchObject({ in: 'query', schema: { items: { maxLength: 128 } } });
    expect(parameter(operation, 'after')).toBeDefined();
    expect(Object.keys(schemasOf(document)['CableSearchPage']!['properties'] as Schema).sort()).toEqual([
      'next',
      'results',
      'start',
      'total',
    ]);
    const count = listed(style, lines, 'countCables').operation;
    expect(count['x-svc-derive']).toMatchObject({ by: 'distinct', property: 'results' });
    expect(schemasOf(document)['CountResults']).toMatchObject({ required: ['total', 'results'] });
  });
});
