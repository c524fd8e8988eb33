import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { openFinder } from './open-finder.ts';
import { explainScore, explanationLines } from './score-explanation.ts';

const config = loadConfig({ env: {}, cwd: import.meta.dirname });
const { catalog } = openCatalog(config);
const finder = openFinder(config, catalog);
const explained = (query: string) => finder.find({ query, topK: 10 }).hits.map(explainScore);

describe('the explanation of a score', () => {
  test.each(['reboot an access point', 'which sites have guests', 'change a RADIUS server'])(
    'adds up to it: %s',
    (query) => {
      const all = explained(query);
      expect(all).toHaveLength(10);
      for (const { score, factors, text } of all) {
        expect(factors.reduce((product, { value }) => product * value, 1)).toBeCloseTo(score, 6);
        const [words = 0, coverage = 0, precision = 0, group = 0] = text.map(({ value }) => value);
        expect(words * coverage * precision + group).toBeCloseTo(factors[0]?.value ?? 0, 6);
      }
    },
  );

  test('says of every part what it means, and of the class where it comes from', () => {
    const [first] = explained('reboot an access point');
    expect([...(first?.factors ?? []), ...(first?.text ?? [])].filter(({ means }) => means === '')).toEqual([]);
    expect(first?.capability).toMatch(/^destructive by \w+ \(.+\)$/);
  });

  test('of an exact match names no words', () => {
    const [first] = explained('mgmt_update_auth_server');
    expect(first && explanationLines(first)).toEqual([
      'score 100.00 = exact 100.00',
      'write by document (x-svc-capability: write)',
    ]);
  });
});
