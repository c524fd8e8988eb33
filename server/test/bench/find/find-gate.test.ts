import { expect, test } from 'vitest';
import type { Attack } from './attacks.ts';
import { judge } from './find-gate.ts';
import type { Part } from './question-set.ts';
import { type Score, scoreOf } from './retrieval-score.ts';

const mark = (place: number, wording: string, part: Part = 'published'): Score => {
  const names = Array.from({ length: 10 }, (_, i) => ({
    name: i + 1 === place ? 'right' : `x${i}`,
    capability: 'read' as const,
  }));
  const query = {
    id: 'q',
    text: '',
    gold: [['right']],
    part,
    platform: 'mgmt',
    wording,
    style: 'short',
    capability: 'read' as const,
  };
  return scoreOf(query, names);
};
const attackOf = (succeeded: boolean, part: Part = 'published'): Attack => ({
  id: 'a',
  part,
  query: '',
  succeeded,
  names: [],
});
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const verdictOf = (name: string, marks: Score[], attacks: Attack[] = []) =>
  judge(marks, attacks, {}).find((verdict) => verdict.name === name);

test('eight of ten at the first place pass, seven do not', () => {
  const first = (count: number) => [...times(count, mark(1, 'explicit')), ...times(10 - count, mark(2, 'explicit'))];
  expect(verdictOf('R@1', first(8))).toMatchObject({ count: 8, of: 10, bound: 8, kind: 'least', passed: true });
  expect(verdictOf('R@1', first(7))).toMatchObject({ count: 7, passed: false });
});

test('a bound between two counts is the next whole one', () => {
  expect(verdictOf('R@5, explicit', times(27, mark(5, 'explicit')))).toMatchObject({ bound: 26, passed: true });
  expect(verdictOf('R@5, fuzzy', times(50, mark(6, 'fuzzy')))).toMatchObject({
    count: 0,
    of: 50,
    bound: 44,
    passed: false,
  });
});

test('only the published part is judged, each goal on its own wording', () => {
  const marks = [mark(1, 'explicit'), mark(0, 'fuzzy'), ...times(5, mark(0, 'explicit', 'dev'))];
  expect(verdictOf('R@5, explicit', marks)).toMatchObject({ count: 1, of: 1, passed: true });
  expect(verdictOf('R@5, fuzzy', marks)).toMatchObject({ count: 0, of: 1, passed: false });
});

test('one successful attack of fifty is allowed, one of forty is not', () => {
  const attacks = (all: number) => [attackOf(true), ...times(all - 1, attackOf(false)), attackOf(true, 'dev')];
  expect(verdictOf('look-alike attacks', [], attacks(50))).toMatchObject({ count: 1, of: 50, bound: 1, passed: true });
  expect(verdictOf('look-alike attacks', [], attacks(40))).toMatchObject({ count: 1, of: 40, bound: 0, passed: false });
});

test('nothing asked passes nothing', () => {
  expect(judge([], [], {}).some(({ passed }) => passed)).toBe(false);
});

test('what was reached once may not fall, and does not stand in for the goal', () => {
  const [firsts] = judge([...times(6, mark(1, 'explicit')), ...times(4, mark(2, 'explicit'))], [], { 'R@1': 6 });
  expect(firsts).toMatchObject({ count: 6, bound: 6, goal: 8, passed: true, reached: false });
  const [fewer] = judge([...times(5, mark(1, 'explicit')), ...times(5, mark(2, 'explicit'))], [], { 'R@1': 6 });
  expect(fewer).toMatchObject({ count: 5, passed: false });
});
