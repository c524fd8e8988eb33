import { describe, expect, it } from 'vitest';
import { smallTestbed, type Testbed } from '../../test/engine/small-platform.ts';

function filled(count: number): Testbed {
  const testbed = smallTestbed();
  for (let at = 1; at <= count; at += 1) {
    testbed.call('POST', `/servers/s-${at}`, {
      type: at % 2 === 0 ? 'LDAP' : 'RADIUS',
      host: `h${at}.example`,
      port: 2000 - at,
      ...(at % 2 === 0 ? { 'base-dn': 'dc=example' } : { 'shared-secret': 'long-enough' }),
    });
  }
  return testbed;
}

function names(testbed: Testbed, query: string): string[] {
  const answer = testbed.call('GET', `/servers?${query}`);
  expect(answer.status).toBe(200);
  return (answer.json['server'] as { name: string }[]).map((row) => row.name);
}

describe('a list', () => {
  it('stands under the property of the resource, with count and total', () => {
    const answer = filled(5).call('GET', '/servers');
    expect(answer.json).toMatchObject({ count: 3, total: 5 });
    expect(Object.keys(answer.json).sort()).toEqual(['count', 'next', 'server', 'total']);
  });

  it('is walked by cursor without gaps or repeats, also while rows are created in between', () => {
    const testbed = filled(7);
    const seen: string[] = [];
    let next: unknown = '';
    while (next !== null) {
      const page = testbed.call('GET', `/servers?limit=2${next === '' ? '' : `&next=${next}`}`);
      seen.push(...(page.json['server'] as { name: string }[]).map((row) => row.name));
      next = page.json['next'];
      if (seen.length === 2)
        testbed.call('POST', '/servers/s-0', { type: 'RADIUS', host: 'h0.example', 'shared-secret': 'long-enough' });
    }
    expect(seen).toEqual(['s-1', 's-2', 's-3', 's-4', 's-5', 's-6', 's-7']);
  });

  it('goes on after the last row given out even when that row is gone', () => {
    const testbed = filled(5);
    const first = testbed.call('GET', '/servers?limit=2');
    testbed.call('DELETE', '/servers/s-2');
    expect(names(testbed, `limit=2&next=${first.json['next']}`)).toEqual(['s-3', 's-4']);
  });

  it('refuses a cursor of another query and one that is none', () => {
    const testbed = filled(5);
    const { next } = testbed.call('GET', '/servers?limit=2').json;
    const carried = testbed.call('GET', `/servers?limit=2&sort=port&next=${next}`);
    expect([carried.status, carried.json['message']]).toEqual([400, expect.stringMatching(/got one of another query/)]);
    expect(testbed.call('GET', '/servers?next=abc').status).toBe(400);
  });

  it('is paged by offset where the document says so', () => {
    const testbed = filled(3);
    for (const name of ['a', 'b', 'c']) testbed.call('POST', `/groups/${name}`, { servers: ['s-1'] });
    const page = testbed.call('GET', '/groups?limit=1&offset=1');
    expect(page.json).toMatchObject({ count: 1, total: 3, offset: 1, group: [{ name: 'b' }] });
  });

  it.each([
    ["type eq 'LDAP'", ['s-2', 's-4']],
    ["type in ('LDAP','RADIUS') and host eq 'h3.example'", ['s-3']],
    ['port gt 1997', ['s-1', 's-2']],
    ["port lt '1996'", ['s-5']],
    ["host eq 'it''s'", []],
  ])('is filtered by %s', (filter, expected) => {
    expect(names(filled(5), `limit=5&filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  it.each([
    ["port eq '1'", /operator gt or lt on port, got "eq"/],
    ["colour eq 'red'", /expected a field of type, host, port, got "colour"/],
    ["type eq 'LDAP' or type eq 'RADIUS'", /expected "and" between conditions .*got "or"/],
    ['type eq LDAP', /expected a quoted value after eq, got "LDAP"/],
    ["type in ('LDAP'", /expected "," or "\)" in the list after in/],
    ['', /at least one condition/],
    ['%%', /conditions such as/],
  ])('refuses the filter %s', (filter, says) => {
    const answer = filled(1).call('GET', `/servers?filter=${encodeURIComponent(filter)}`);
    expect(answer.status).toBe(400);
    expect(answer.json['message']).toMatch(says);
  });

  it('is sorted by declared fields, both ways, key order breaking ties', () => {
    const testbed = filled(4);
    expect(names(testbed, 'limit=5&sort=port')).toEqual(['s-4', 's-3', 's-2', 's-1']);
    expect(names(testbed, 'limit=5&sort=port%20desc')).toEqual(['s-1', 's-2', 's-3', 's-4']);
    const refused = testbed.call('GET', '/servers?sort=host');
    expect(refused.json['message']).toMatch(/"sort": expected a field of port, name, got "host"/);
  });
});
