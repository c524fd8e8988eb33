/** The order in which waiting principals get permits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const drained = (queue: FairQueue<string>): string => {
  let order = '';
  for (let item = queue.next(); item !== undefined; item = queue.next()) order += item;
  return order;
};

test('one principal alone is first come, first served', () => {
  const queue = new FairQueue<string>();
  for (const item of 'abcd') queue.add(item, { principal: 'one' });
  expect(drained(queue)).toBe('abcd');
});

test('a single call of another goes before 400 that wait, and knows it', () => {
  const queue = new FairQueue<string>();
  for (let n = 0; n < 400; n++) queue.add('a', { principal: 'many' });
  for (let n = 0; n < 10; n++) queue.next();
  expect(queue.ahead({ principal: 'many' })).toBe(390);
  expect(queue.ahead({ principal: 'one' })).toBeLessThanOrEqual(1);
  queue.add('B', { principal: 'one' });
  expect(drained(queue).indexOf('B')).toBeLessThanOrEqual(1);
});

test('shares are kept while both wait', () => {
  const queue = new FairQueue<string>();
  for (let n = 0; n < 90; n++) {
    queue.add('a', { principal: 'a', share: 2 });
    queue.add('b', { principal: 'b' });
  }
  const first = drained(queue).slice(0, 60);
  expect(first.split('a').length - 1).toBeGreaterThanOrEqual(39);
  expect(first.split('a').length - 1).toBeLessThanOrEqual(41);
});

test('who waited long before gets no credit for it, and who used much pays nothing once nobody waits', () => {
  const queue = new FairQueue<string>();
  for (let n = 0; n < 50; n++) queue.add('a', { principal: 'a' });
  drained(queue);
  queue.add('a', { principal: 'a' });
  queue.add('b', { principal: 'b' });
  expect(drained(queue)).toBe('ab');
});

test('who leaves before its turn pays nothing for it, and those behind it move up', () => {
  const queue = new FairQueue<string>();
  queue.add('b', { principal: 'bulk' });
  const gone = Array.from({ length: 90 }, (_, n) => `a${n}`);
  for (const item of gone) queue.add(item, { principal: 'alice' });
  queue.add('A', { principal: 'alice' });
  for (const item of gone.slice(0, 89)) queue.remove(item);
  for (let n = 0; n < 90; n++) queue.add('b', { principal: 'bulk' });
  expect(queue.ahead({ principal: 'alice' })).toBeLessThanOrEqual(6);
  queue.remove(gone[89]!);
  expect(drained(queue).indexOf('A')).toBeLessThanOrEqual(1);
});

test('who left with all its calls is served next to one that waits, and owes only for what it got', () => {
  const queue = new FairQueue<string>();
  for (let n = 0; n < 200; n++) queue.add('b', { principal: 'bulk' });
  const gone = Array.from({ length: 90 }, (_, n) => `a${n}`);
  for (const item of gone) queue.add(item, { principal: 'alice' });
  expect([1, 2, 3, 4].map(() => queue.next())).toEqual(['b', 'a0', 'b', 'a1']);
  for (const item of gone.slice(2)) queue.remove(item);
  queue.add('A', { principal: 'alice' });
  expect(drained(queue).indexOf('A')).toBeLessThanOrEqual(1);
});

test('whatever comes and leaves, each entry comes out once, in the order of its principal', () => {
  const step = fc.record({
    who: fc.constantFrom('a', 'b', 'c'),
    share: fc.integer({ min: 1, max: 9 }),
    take: fc.boolean(),
    leave: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queue = new FairQueue<{ who: string; n: number }>();
      const waiting: { who: string; n: number }[] = [];
      const out: { who: string; n: number }[] = [];
      const served = (item: { who: string; n: number } | undefined) => {
        if (item === undefined) return;
        waiting.splice(waiting.indexOf(item), 1);
        out.push(item);
      };
      for (const [n, { who, share, take, leave }] of steps.entries()) {
        const item = { who, n };
        queue.add(item, { principal: who, share });
        waiting.push(item);
        if (leave) queue.remove(waiting.splice(n % waiting.length, 1)[0]!);
        if (take) served(queue.next());
        expect(queue.size).toBe(waiting.length);
      }
      while (queue.size > 0) served(queue.next());
      expect(waiting).toEqual([]);
      for (const who of ['a', 'b', 'c']) {
        const own = out.filter((item) => item.who === who).map(({ n }) => n);
        expect(own).toEqual(own.toSorted((x, y) => x - y));
      }
    }),
  );
});
