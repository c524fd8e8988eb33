import { describe, expect, it } from 'vitest';
import type { Called } from './engine/small-platform.ts';
import { judgedTestbed } from './judged-testbed.ts';
import type { ModelTestbed } from './model-testbed.ts';

const cables = [
  'cables:',
  '  noun: [cable, cables]',
  '  aliases: [patch lead]',
  '  questions: [which cables lie here]',
  '  distinguish: copper or fibre between two sockets; the sockets themselves are ports',
  '  impact: the two ends lose each other',
  '  key: label str(1..9) list filter(eq) sort -- Text on the sleeve',
  '  ops: LGCD',
  '  count: [medium]',
  '  search: {label: "str(1..9) -- Part of the label", medium: "enum(copper|fibre) -- What carries the signal"}',
  '  fields:',
  '    length: num(0..500)! list filter(eq,gt) sort -- Metres from plug to plug',
  '    medium: enum(copper|fibre)=copper list filter(eq,in) -- What carries the signal',
  '    room: str(1..20)=hall list filter(eq,in,contains) -- Where it lies',
  '    laidAt: datetime ro list -- Day it was laid',
].join('\n');

/** Cables c1 to c5: 10 to 50 metres, every second one of fibre, the last two in the lobby. */
function testbedOf(style: string): ModelTestbed {
  const testbed = judgedTestbed(cables, `case: camel\n${style}`);
  for (let at = 1; at <= 5; at += 1) {
    const body = { label: `c${at}`, length: at * 10, medium: at % 2 === 0 ? 'fibre' : 'copper' };
    const created = testbed.call('POST', '/api/cables', at > 3 ? { ...body, room: `lobby-${at}` } : body);
    expect(created.status).toBe(201);
  }
  return testbed;
}

const labels = (answer: Called, pick: (body: never) => unknown): string[] => {
  expect(answer.status, answer.body).toBe(200);
  const entries = pick(answer.json as never);
  return (entries as { label: string }[]).map((row) => row.label);
};
const bare = (body: unknown): unknown => body;

describe('links and a filter in JSON', () => {
  const testbed = testbedOf(
    'list: {property: _embedded.items, links: _links, extras: [count], default: 2, filter: json, sort: signed}',
  );
  const inside = (body: { _embedded: { items: unknown } }): unknown => body._embedded.items;

  it('leads from page to page by its links', () => {
    const seen: string[] = [];
    let target: string | undefined = '/api/cables?sort=-length';
    while (target !== undefined) {
      const answer = testbed.call('GET', target);
      seen.push(...labels(answer, inside));
      target = (answer.json as { _links: { next?: { href: string } } })._links.next?.href;
    }
    expect(seen).toEqual(['c5', 'c4', 'c3', 'c2', 'c1']);
    expect(testbed.call('GET', '/api/cables?offset=2').json).toMatchObject({
      _links: { self: { href: '/api/cables?offset=2' }, prev: { href: '/api/cables?offset=0' } },
    });
  });

  it('takes an expression, and refuses one that is none', () => {
    const filter = encodeURIComponent('{"$or":[{"room":{"$contains":"LOBBY"}},{"length":{"$eq":10}}]}');
    expect(labels(testbed.call('GET', `/api/cables?limit=9&filter=${filter}`), inside)).toEqual(['c1', 'c4', 'c5']);
    const refused = testbed.call('GET', `/api/cables?filter=${encodeURIComponent('{"room":{"$gt":"a"}}')}`);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('expected operator $eq or $in')]);
    expect(testbed.call('GET', '/api/cables?sort=length%20desc').status).toBe(400);
  });
});

describe('a bare array with totals in headers', () => {
  const testbed = testbedOf(
    'list: {property: null, paging: page, first: 1, default: 2, parameters: {page: nr}, headers: {X-Page-Total: total, X-Page-Limit: limit, X-Page-Page: page}, filter: wildcard, sort: signed}\nsearch: {method: get, list: {property: results, paging: cursor, parameters: {cursor: after}, default: 1, extras: [limit, start, end, total, next]}}\ncount: {parameter: distinct, property: results}',
  );

  it('is turned by page number', () => {
    const answer = testbed.call('GET', '/api/cables?nr=2');
    expect(labels(answer, bare)).toEqual(['c3', 'c4']);
    expect(answer.headers).toMatchObject({ 'x-page-total': '5', 'x-page-limit': '2', 'x-page-page': '2' });
  });

  it.each([
    ['room=LOBBY*', ['c4', 'c5']],
    ['room=*obb*&medium=fibre', ['c4']],
    ['room=hall,lobby-5', ['c1', 'c2', 'c3', 'c5']],
    ['length=10,20', ['c1', 'c2']],
  ])('is filtered by %s', (query, expected) => {
    expect(labels(testbed.call('GET', `/api/cables?limit=9&${query}`), bare)).toEqual(expected);
  });

  it('is searched by parameters, cursor by cursor', () => {
    const first = testbed.call('GET', '/api/cables/search?label=c*&medium=fibre');
    expect(first.json).toMatchObject({ total: 2, limit: 1, end: '2026-03-02T09:00:05Z', results: [{ label: 'c2' }] });
    const { next } = first.json as { next: string };
    const second = testbed.call('GET', `/api/cables/search?label=c*&medium=fibre&after=${next}`);
    expect(second.json).toMatchObject({ next: null, results: [{ label: 'c4' }] });
    const carried = testbed.call('GET', `/api/cables/search?label=*&after=${next}`);
    expect([carried.status, carried.body]).toEqual([400, expect.stringContaining('query parameter \\"after\\"')]);
  });

  it('is counted by the distinct values of a field', () => {
    expect(testbed.call('GET', '/api/cables/count?distinct=medium').json).toEqual({
      total: 5,
      results: [
        { value: 'copper', count: 3 },
        { value: 'fibre', count: 2 },
      ],
    });
  });
});

describe('other envelopes', () => {
  it('a map has every entry under its key', () => {
    const testbed = testbedOf('list: {property: null, shape: map, paging: none}');
    const answer = testbed.call('GET', '/api/cables?medium=fibre');
    expect(Object.keys(answer.json as object)).toEqual(['c2', 'c4']);
  });

  it('a total is told to those who ask for it', () => {
    const list = 'list: {default: 2, extras: {sum: total}, on-request: withSum}';
    const query = '\n  query: {list: {withSum: "bool=false -- Also tell the sum"}}';
    const testbed = judgedTestbed(cables + query, `case: camel\n${list}`);
    expect(testbed.call('GET', '/api/cables').json).not.toHaveProperty('sum');
    expect(testbed.call('GET', '/api/cables?withSum=true').json).toMatchObject({ sum: 0 });
    expect(() => testbedOf(list)).toThrow('expected a list parameter withSum, as on-request says');
  });

  it('offsets counted from one, totals under another name, the segment as property', () => {
    const testbed = testbedOf(
      'list: {property: "_data.{segment}", first: 1, default: 2, parameters: {offset: from, limit: size}, extras: {found: total, at: offset}, filter: odata}',
    );
    const answer = testbed.call('GET', '/api/cables?from=2&size=3');
    expect(answer.json).toMatchObject({ found: 5, at: 2, _data: { cables: [{ label: 'c2' }, {}, {}] } });
    const filter = encodeURIComponent("not (length gt 20 or medium eq 'fibre')");
    expect(testbed.call('GET', `/api/cables?filter=${filter}`).json).toMatchObject({ found: 1 });
    expect(testbed.call('GET', '/api/cables?from=0').status).toBe(400);
    expect(testbed.call('GET', '/api/cables?limit=1').status).toBe(400);
  });
});

describe('an empty answer', () => {
  const testbed = testbedOf('list: {property: items, paging: offset, filter: parameters}');
  const searched = (target: string) => testbed.call('GET', target).headers['x-searched'];

  it('says which conditions nothing fits, and of how many rows', () => {
    expect(searched('/api/cables?medium=copper&room=attic')).toBe('medium=copper&room=attic; rows=5');
  });

  it('says nothing where something fits', () => {
    expect(searched('/api/cables?medium=copper')).toBeUndefined();
    expect(searched('/api/cables')).toBeUndefined();
  });
});
