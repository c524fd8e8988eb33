import { describe, expect, test } from 'vitest';
import { featuresOf } from '../../../search/confidence.ts';
import { type Case, fitConfidence } from './fit-confidence.ts';

/** Right answers score high; wrong ones low; those to foreign requests have words that nobody knows. */
const CASES: Case[] = Array.from({ length: 100 }, (_, i) => [
  { kind: 'right' as const, evidence: { strength: 1 + i / 50, coverage: 0.5 + i / 250, unknown: (i % 7) / 50 } },
  { kind: 'wrong' as const, evidence: { strength: 0.4 + i / 100, coverage: 0.2 + i / 250, unknown: (i % 5) / 40 } },
  { kind: 'nothing' as const, evidence: { strength: 0.5 + i / 100, coverage: 0.3, unknown: 0.4 + (i % 9) / 20 } },
]).flat();

describe('the rule of doubt', () => {
  const fitted = fitConfidence(CASES);
  const doubted = (kind: Case['kind']) => {
    const own = CASES.filter((one) => one.kind === kind);
    const scores = own.map(({ evidence }) => {
      const [strength, coverage, unknown] = featuresOf(evidence);
      return fitted.strength * strength + fitted.coverage * coverage + fitted.unknown * unknown + fitted.intercept;
    });
    return scores.filter((score) => score > fitted.bound).length / own.length;
  };

  test('leaves nine of ten right answers alone and doubts the others', () => {
    expect(doubted('right')).toBeCloseTo(0.1, 1);
    expect(doubted('wrong')).toBeGreaterThan(0.7);
    expect(doubted('nothing')).toBeGreaterThan(0.9);
  });

  test('takes score and coverage as support and unknown words as doubt', () => {
    expect(fitted.strength).toBeLessThan(0);
    expect(fitted.coverage).toBeLessThan(0);
    expect(fitted.unknown).toBeGreaterThan(0);
  });

  test('needs cases of both outcomes', () => {
    expect(() => fitConfidence(CASES.filter(({ kind }) => kind === 'right'))).toThrow(/right answers and others/);
  });
});
