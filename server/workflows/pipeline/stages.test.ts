import { expect, test } from 'vitest';
import type { Site } from './goal.ts';
import { GOALS } from './stages.ts';
import type { Switch } from './switch-rows.ts';

test.each([
  ['', '02:41:00:aa:bb:01', true],
  ['0241.00AA.BB01', '02:41:00:aa:bb:01', true],
  ['02-41-00-AA-BB-01', '02:41:00:aa:bb:01', true],
  ['02:41:00:aa:bb:02', '02:41:00:aa:bb:01', 'the inventory says 02:41:00:aa:bb:01, the row 02:41:00:aa:bb:02'],
  ['02:41:00:aa:bb:01', '', 'the inventory says none, the row 02:41:00:aa:bb:01'],
])('a row of the MAC address %j for a switch of %j: %j', async (mac, known, expected) => {
  const goals = GOALS.validate({ mac } as Switch, { facts: { mac: known } } as unknown as Site);
  const goal = goals.find(({ what }) => what === 'its MAC address is that of the row');
  expect(await goal?.holds()).toBe(expected);
});
