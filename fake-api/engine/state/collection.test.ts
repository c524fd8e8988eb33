import { expect, it } from 'vitest';
import { compareIds } from './collection.ts';

it.each([[['2', '10', '1a']], [['10', '1a', '2']], [['1a', '2', '10']], [['1a', '10', '2']]])(
  'the order of ids is the same from %j',
  (ids) => {
    expect(ids.toSorted(compareIds)).toEqual(['2', '10', '1a']);
  },
);
