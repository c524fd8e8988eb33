import { expect, test } from 'vitest';
import { notesOf } from '../compare/sections.ts';
import type { Comparison } from '../compare/server-comparison.ts';
import { seedText, temperatureText } from './sent-settings.ts';

test.each([
  [['not sent'], 'not sent'],
  [['yes', 'yes'], 'sent; honoured: yes'],
  [['yes', 'unknown'], 'sent; honoured: unknown, yes'],
  [['yes', 'not sent'], 'sent in some runs; honoured: yes'],
])('a seed of %j is "%s"', (honoured, text) => {
  expect(seedText(honoured)).toBe(text);
});

test('a temperature of 0 is one that was sent', () => {
  expect([temperatureText(0), temperatureText(undefined)]).toEqual(['0', 'not sent']);
});

test('the notes of a comparison state neither where neither was sent', () => {
  const answered = { as: ['m-1'], fingerprints: [], seedHonoured: 'not sent', requests: 2, retries: 0 };
  const model = { name: 'm', prompt: 'neutral', extraBody: { top_p: 1 } };
  const comparison = { agents: ['llm'], fixtures: [], timings: [], runs: 1, model, answered };
  const notes = new Map(notesOf(comparison as unknown as Comparison) as [string, string][]);
  expect(notes.get('model')).toBe('m, temperature not sent, answered as m-1, fingerprint none given');
  expect(notes.get('model’s seed')).toBe('not sent');
  expect([notes.get('system prompt'), notes.get('added to each request')]).toEqual(['neutral', '{"top_p":1}']);
});
