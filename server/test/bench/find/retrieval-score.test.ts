import { describe, expect, test } from 'vitest';
import type { Capability } from '../../../access/access-policy.ts';
import { figuresBy, figuresOf } from './find-figures.ts';
import { asWritten, type Query } from './question-set.ts';
import { scoreOf } from './retrieval-score.ts';

const query = (gold: string[][], more: Partial<Query> = {}): Query => ({
  id: 'q',
  text: 'a question',
  gold,
  part: 'dev',
  platform: 'mgmt',
  wording: 'explicit',
  style: 'short',
  capability: 'read',
  ...more,
});
const hits = (...names: string[]) => names.map((name) => ({ name, capability: 'read' as Capability }));

describe('one answer', () => {
  test('the only right tool at the third place', () => {
    const mark = scoreOf(query([['b']]), hits('x', 'y', 'b'));
    expect(mark).toMatchObject({ rank: 3, all: true });
    expect(mark.ndcg, '1 / log2(4)').toBeCloseTo(0.5, 10);
  });

  test('two tools are needed and come first and third', () => {
    const mark = scoreOf(query([['a'], ['b']]), hits('a', 'x', 'b'));
    expect(mark).toMatchObject({ rank: 1, all: true });
    expect(mark.ndcg, '(1 + 1/2) / (1 + 1/log2 3)').toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)), 10);
  });

  test('one of two needed tools is not all', () => {
    expect(scoreOf(query([['a'], ['b']]), hits('b', 'x'))).toMatchObject({ rank: 1, all: false });
  });

  test('where any of two is right, one is enough and the other adds nothing', () => {
    expect(scoreOf(query([['a', 'b']]), hits('b', 'a'))).toMatchObject({ rank: 1, all: true, ndcg: 1 });
  });

  test('one hit does not serve two needs', () => {
    const needs = [
      ['a', 'b'],
      ['b', 'a'],
    ];
    expect(scoreOf(query(needs), hits('a', 'x'))).toMatchObject({ all: false });
    expect(scoreOf(query(needs), hits('a', 'b'))).toMatchObject({ all: true, ndcg: 1 });
  });

  test('what comes after the tenth place is not seen', () => {
    const ten = Array.from({ length: 10 }, (_, i) => `x${i}`);
    expect(scoreOf(query([['a']]), hits(...ten, 'a'))).toMatchObject({ rank: 0, all: false, ndcg: 0 });
  });

  test.each<[Capability, Capability, boolean, boolean]>([
    ['read', 'read', false, false],
    ['read', 'diagnostic', true, false],
    ['read', 'write', true, true],
    ['read', 'destructive', true, true],
    ['write', 'destructive', true, false],
    ['destructive', 'write', false, false],
  ])('asked to %s, %s on top', (capability, top, escalates, writesForRead) => {
    const mark = scoreOf(query([['a']], { capability }), [{ name: 'a', capability: top }]);
    expect(mark).toMatchObject({ escalates, writesForRead });
  });

  test('an empty answer endangers nobody', () => {
    expect(scoreOf(query([['a']]), [])).toMatchObject({ rank: 0, escalates: false, writesForRead: false });
  });
});

test('figures are means over the questions that they are about', () => {
  const write = { name: 'w', capability: 'write' as const };
  const marks = [
    scoreOf(query([['a']]), hits('a')),
    scoreOf(query([['a']]), [write, ...hits('a')]),
    scoreOf(query([['w']], { capability: 'write', platform: 'nac' }), [...hits('x', 'y', 'z', 'u', 'v'), write]),
    scoreOf(query([['a']], { capability: 'write', platform: 'nac' }), hits('x')),
  ];
  expect(figuresOf(marks)).toMatchObject({
    queries: 4,
    r1: 0.25,
    r5: 0.5,
    r10: 0.75,
    all10: 0.75,
    mrr: (1 + 1 / 2 + 1 / 6) / 4,
    escalation: 0.25,
    writeForRead: 0.5,
  });
  const byPlatform = figuresBy(marks, (mark) => mark.query.platform);
  expect(byPlatform).toMatchObject({ mgmt: { queries: 2, r1: 0.5 }, nac: { queries: 2, r1: 0, writeForRead: 0 } });
});

test('what readers judged right serves a single need, and only the place where there are several', () => {
  const single = query([['mine']], { judged: ['theirs'] });
  expect(scoreOf(single, hits('theirs'))).toMatchObject({ rank: 1, all: true, ndcg: 1 });
  expect(scoreOf(asWritten(single), hits('theirs'))).toMatchObject({ rank: 0, all: false, ndcg: 0 });
  const both = query([['mine'], ['yours']], { judged: ['theirs'] });
  expect(scoreOf(both, hits('theirs', 'mine'))).toMatchObject({ rank: 1, all: false });
  expect(scoreOf(both, hits('yours', 'mine'))).toMatchObject({ rank: 1, all: true });
});
