import { expect, test } from 'vitest';
import { exportOf, network } from '../test/migration/exports.ts';
import { noSecretIsPlanned, nothingThrows, plannedTwice } from '../test/migration/plan-properties.ts';
import { planDigest, planOf } from './plan.ts';
import { countsOf } from './plan-counts.ts';
import { readExport } from './read-export.ts';

test('50 exports planned twice, shuffled and with their keys spelled otherwise: the plans are the same bytes', () => {
  plannedTwice(50);
});

test('300 damaged exports: nothing is thrown', () => {
  nothingThrows(300);
});

test('no secret of 100 exports is in their plans, in any spelling', () => {
  noSecretIsPlanned(100);
});

test('the digest of a plan is that of its content', () => {
  const one = planOf(exportOf(network({ opmode: 'opensystem' })));
  const two = planOf(exportOf(network({ opmode: 'enhanced-open' })));
  expect(planDigest(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(planDigest(one)).not.toBe(planDigest(two));
});

test('an empty export is an empty plan', () => {
  const plan = planOf(readExport({}));
  expect(countsOf(plan, 'new')).toEqual({ exact: 0, conditional: 0, manual: 0, unsupported: 0 });
  expect(plan.warnings).toEqual([]);
});

test('a plan counts what it read and warns once', () => {
  const plan = planOf(exportOf(network({ opmode: 'static-wep' })));
  expect(plan.source_object_counts).toMatchObject({ vlans: 1, ssid_profiles: 1, virtual_aps: 1, roles: 0 });
  expect(countsOf(plan, 'classic')).toEqual({ exact: 0, conditional: 0, manual: 1, unsupported: 1 });
  expect(countsOf(plan, 'new')).toEqual({ exact: 1, conditional: 0, manual: 1, unsupported: 0 });
  expect(plan.warnings).toEqual([expect.objectContaining({ code: 'security_unknown', object: 'wlan:net' })]);
});
