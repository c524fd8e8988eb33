import { expect, test } from 'vitest';
import { estimateOf, estimateText } from './estimate.ts';

const limits = { requests: 30, tokens: 400_000 };

test('an estimate grows with runs and the length of a conversation, and never exceeds the limits', () => {
  const one = estimateOf({ runs: 1, conversationTokens: 9_000, limits });
  expect(one).toEqual({
    ...{ requests: 6, promptTokens: 36_000, completionTokens: 900, usd: undefined },
    atMost: { requests: 30, tokens: 400_000, usd: undefined },
  });
  expect(estimateOf({ runs: 10, conversationTokens: 9_000, limits }).promptTokens).toBe(360_000);
  expect(estimateOf({ runs: 5, limits: { ...limits, requests: 2 } }).requests).toBe(10);
});

test('its cost is that of the prices; at most what the smallest budget allows', () => {
  const prices = { input: 1, output: 10 };
  const estimate = estimateOf({ runs: 2, conversationTokens: 9_000, limits, prices });
  expect(estimate.usd).toBeCloseTo(0.09);
  expect(estimate.atMost.usd).toBe(8);
  expect(estimateOf({ runs: 2, limits: { ...limits, usd: 1 }, prices }).atMost.usd).toBe(2);
  expect(estimateOf({ runs: 2, limits: { ...limits, usd: 1 }, prices, totalUsd: 0.5 }).atMost.usd).toBe(0.5);
  expect(estimateText('m', 2, estimate)).toBe(
    '2 runs will ask m:\n' +
      '  about   12 requests, 72,000 tokens read, 1,800 written; 0.09 US dollars\n' +
      '  at most 60 requests, 800,000 tokens; 8.00 US dollars\n',
  );
});
