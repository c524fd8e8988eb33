import { expect, test } from 'vitest';
import { exportOf, network } from '../test/migration/exports.ts';
import { TARGETS } from './classification.ts';
import { planOf } from './plan.ts';
import { countsOf } from './plan-counts.ts';
import { planPage } from './plan-page.ts';
import { readExport } from './read-export.ts';

test('the page has every object with its step, its reason and its dependencies', () => {
  const page = planPage(planOf(exportOf(network({ opmode: 'static-wep', wep_keys: [{ key: 'a1b2c3d4e5' }] }))), 'new');
  expect(page).toContain('<td>1</td><td>vlan<br><b>10</b>');
  expect(page).toContain('<b>net</b> <small>unknown</small>');
  expect(page).toContain('find out how clients join it');
  expect(page).toContain('vlan:10 <small>(step 1)</small>');
  expect(page).not.toContain('a1b2c3d4e5');
});

test('an open network with a field without a counterpart is manual, whatever its class', () => {
  const page = planPage(planOf(exportOf(network({ opmode: 'opensystem' }, { broadcast_filter: 'all' }))), 'new');
  const manual = page.slice(page.indexOf('id="manual"'), page.indexOf('id="unsupported"'));
  expect(manual).toContain('<b>net</b> <small>open</small>');
  expect(manual).toContain(
    'refused: AdapterError: these fields cannot be read or have no place at the target: virtual_ap.broadcast_filter',
  );
  expect(manual).not.toContain('the network is written as it is');
});

test('the counts of the plan are those of the page, for an object that its class calls exact and a rule refuses', () => {
  const parts = network({ opmode: 'opensystem' }, { broadcast_filter: 'all' });
  const plan = planOf(exportOf({ ...parts, ap_groups: [{ profile_name: 'g' }], roles: [{ rname: 'r' }] }));
  expect(plan.candidates.new.map(({ classification }) => classification)).toEqual([
    'exact',
    'manual',
    'exact',
    'unsupported',
  ]);
  for (const target of TARGETS) {
    const page = planPage(plan, target);
    const tiles = [...page.matchAll(/<li class="(\w+)"><a href="#\w+"><b>(\d+)<\/b>/g)];
    expect(Object.fromEntries(tiles.map(([, name, count]) => [name, Number(count)]))).toEqual(countsOf(plan, target));
  }
  expect(countsOf(plan, 'new')).toEqual({ exact: 1, conditional: 0, manual: 2, unsupported: 1 });
});

test('fields that are left out as assumed defaults stand on the page', () => {
  const page = planPage(planOf(exportOf(network({ opmode: 'opensystem' }, { broadcast_filter: 'arp' }))), 'new');
  expect(page).toContain('left out as assumed defaults: <code>virtual_ap.broadcast_filter</code>');
});

test('text of an export is text on the page', () => {
  const name = '<img src=x onerror=alert(1)>"\'&';
  const page = planPage(planOf(readExport({ roles: [{ rname: name }], [name]: [] })), 'new');
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
});

test('what nobody sees of a name is written out on the page', () => {
  const names = ['Gu\u200best', 'Guest\u00a0Net', '\u202etseuG', 'Guest ', 'Guest'];
  const page = planPage(planOf(readExport({ roles: names.map((rname) => ({ rname })) })), 'new');
  expect([...page.matchAll(/<b>([^<]*)<\/b>(?=<\/td>)/g)].map(([, name]) => name).sort()).toEqual(
    [
      '&quot;Gu\\u200best&quot;',
      '&quot;Guest\\u00a0Net&quot;',
      '&quot;\\u202etseuG&quot;',
      '&quot;Guest &quot;',
      'Guest',
    ].sort(),
  );
  expect(page).not.toMatch(/[\u200b\u00a0\u202e]/);
});

test('of more warnings than it lists the page says how many there are', () => {
  const sections = Object.fromEntries(Array.from({ length: 507 }, (_, at) => [`unknown_${at}`, [{}]]));
  const page = planPage(planOf(readExport(sections)), 'new');
  expect(page.match(/<li><code>[^<]*unknown_/g)).toHaveLength(500);
  expect(page).toContain('7 more are not shown here; <code>--json</code> prints all of them.');
});

test('an empty plan is a page too', () => {
  expect(planPage(planOf(readExport({})), 'classic')).toContain('Everything in it could be read.');
});
