import { expect, test } from 'vitest';
import { entryOf } from './folder-set.ts';
import { aliasesOf, reachabilityOf, sentencesOf } from './reach.ts';

const entry = (name: string, description: string, kind: string, aliases: string[]) => {
  const made = entryOf({ name, description, method: 'GET', path: `/${name}` }, 'mgmt');
  return { ...made, text: { ...made.text, kind, aliases } };
};
const box = {
  tools: [
    entry('list_wlans', 'List all WLANs (SSID, network name) in the management cloud library. Read-only.', 'list', [
      'SSID',
    ]),
    entry('list_site_wlans', 'List the WLANs of one site from the management cloud.', 'list', ['SSID']),
    entry('blink', 'Blink one access point.', 'action', ['locate']),
  ],
  words: { mgmt: ['mgmt', 'management cloud'] },
};

test('a sentence loses function words, the platform and its order, never its other words', () => {
  const texts = sentencesOf(box).map(({ text }) => text);
  expect(texts.map((text) => text.split(' ').toSorted())).toEqual([
    ['list', 'name', 'network', 'ssid', 'wlans'],
    ['list', 'site', 'wlans'],
    ['access', 'blink', 'point'],
  ]);
  expect(sentencesOf(box).map(({ text }) => text)).toEqual(texts);
});

test('an alias is asked for once with the verb of its tools, and any of them serves', () => {
  const [phrase, ...others] = aliasesOf(box);
  expect(others).toEqual([]);
  expect(phrase?.text).toBe('list SSID');
  expect([0, 1, 2].map((id) => phrase?.serves(id))).toEqual([true, true, false]);
});

test('shares say how often a tool came first and among five', async () => {
  const { sentences, aliases } = await reachabilityOf(box, () => ({ ids: [1, 0] }));
  expect(sentences).toMatchObject({ asked: 3, top1: 1 / 3, top5: 2 / 3 });
  expect(sentences.missing).toHaveLength(1);
  expect(aliases).toMatchObject({ asked: 1, top1: 1, top5: 1, missing: [] });
});
