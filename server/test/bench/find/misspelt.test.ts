import { expect, test } from 'vitest';
import { isOneSlip } from '../../../search/spelling.ts';
import { Random } from '../robust/random.ts';
import { misspelt, misspeltOf } from './misspelt.ts';

test('one content word has one slip, behind its first letter, and everything else stays', () => {
  const random = new Random(7);
  const text = 'Show the gateways of the site in detail';
  for (let i = 0; i < 500; i++) {
    const [before, after] = [text.split(' '), misspelt(text, random).split(' ')];
    const changed = before.flatMap((word, at) => (word === after[at] ? [] : [[word, after[at] as string] as const]));
    expect(changed.length).toBeLessThanOrEqual(1); // two equal neighbours exchanged change nothing
    for (const [word, slip] of changed) {
      expect(['gateways', 'detail']).toContain(word);
      expect(isOneSlip(word, slip)).toBe(true);
      expect(slip[0]).toBe(word[0]);
    }
  }
  expect(misspelt('what is up with ap-3', random)).toBe('what is up with ap-3');
});

test('questions count whose right tool is among five', async () => {
  const query = { gold: [['a']], part: 'dev', platform: 'x', wording: '', style: '', capability: 'read' } as const;
  const queries = ['gateway list', 'nothing'].map((text) => ({ ...query, gold: [['a']], id: text, text }));
  const tools = [{ tool: { name: 'a' } }] as never;
  const search = (text: string) => ({ ids: text.includes('gateway') ? [0] : [] });
  expect(await misspeltOf({ tools, words: {} }, queries, search)).toEqual({ asked: 2, asWritten: 1, withSlip: 0 });
});
