/** The patterns of the shipped documents: each is checked, and means what it means to the engine of JavaScript. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentPattern, restartPatternClock } from './document-pattern.ts';

const OPENAPI = join(import.meta.dirname, '..', '..', 'var', 'openapi');

function shippedPatterns(): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: object };
    if (typeof pattern === 'string') found.add(pattern);
    for (const name of Object.keys(patternProperties ?? {})) found.add(name);
    for (const inner of Object.values(value)) collect(inner);
  };
  for (const name of readdirSync(OPENAPI, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.json')) collect(JSON.parse(readFileSync(join(OPENAPI, name), 'utf8')));
  return [...found];
}

test('every pattern of the shipped documents is checked, with the same answers as the engine of JavaScript', () => {
  const patterns = shippedPatterns();
  expect(patterns.length).toBeGreaterThan(300);
  expect(patterns.filter((pattern) => documentPattern(pattern) === undefined)).toEqual([]);
  for (const pattern of patterns) {
    const own = new RegExp(pattern, 'u');
    const texts = fc.oneof(fc.stringMatching(own), fc.string(), fc.string({ unit: 'grapheme' }));
    restartPatternClock();
    fc.assert(
      fc.property(texts, (text) => documentPattern(pattern)?.test(text) === own.test(text)),
      { numRuns: 20 },
    );
  }
});
