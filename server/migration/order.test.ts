import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, candidateOf, refOf } from './candidate.ts';
import { inApplyOrder } from './order.ts';

const vlan = (identifier: string, ...dependencies: string[]): Candidate =>
  candidateOf({ object_type: 'vlan', identifier, payload: {}, dependencies });
const wlan = (identifier: string, ...dependencies: string[]): Candidate =>
  candidateOf({ object_type: 'wlan', identifier, payload: {}, dependencies });

test('an object comes after everything it depends on, else by apply order and name', () => {
  const { order, circle } = inApplyOrder([wlan('b', 'vlan:2'), vlan('3'), vlan('2', 'wlan:a'), wlan('a')]);
  expect(order.map(refOf)).toEqual(['wlan:a', 'vlan:2', 'vlan:3', 'wlan:b']);
  expect(circle).toEqual([]);
});

test('objects that wait for each other are named, and every one of them is still in the plan', () => {
  const { order, circle } = inApplyOrder([vlan('1', 'vlan:2'), vlan('2', 'vlan:3'), vlan('3', 'vlan:1'), vlan('4')]);
  expect(circle).toEqual(['vlan:1', 'vlan:2', 'vlan:3']);
  expect(order).toHaveLength(4);
});

test('a reference to nothing does not hold an object back', () => {
  expect(inApplyOrder([vlan('1', 'vlan:9')]).order.map(refOf)).toEqual(['vlan:1']);
});

test('a chain of 20,000 objects is ordered without recursion', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => vlan(`${i}`, `vlan:${i + 1}`));
  expect(refOf(inApplyOrder(chain).order[0] as Candidate)).toBe('vlan:19999');
});

test('the order does not depend on the order of the input, and holds every object once', () => {
  const graph = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(graph, fc.infiniteStream(fc.nat(1_000)), (edges, random) => {
      const all = edges.map((to, i) => vlan(`${i}`, ...to.map((each) => `vlan:${each}`)));
      const shuffled = all
        .map((each) => ({ each, at: random.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ each }) => each);
      const [one, two] = [inApplyOrder(all), inApplyOrder(shuffled)];
      expect(two.order.map(refOf)).toEqual(one.order.map(refOf));
      expect(two.circle).toEqual(one.circle);
      expect(new Set(one.order).size).toBe(all.length);
    }),
    { numRuns: 300 },
  );
});
