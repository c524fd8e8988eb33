/** How an intent is cut into parts, and which rows a part means; on shops and parcels, so that nothing of a network is needed. */
import { expect, test } from 'vitest';
import { aliasesOf } from './aliases.ts';
import { factsWanted } from './fill-answer.ts';
import { needsIn, withChange } from './needs.ts';
import { platformsOf } from './platforms.ts';
import { extremeOf, rowsMeant } from './row-choice.ts';
import { readIntent } from './task-intent.ts';

const discover = {
  name: 'look',
  description: 'Finds tools on: stock (parcel warehouse), till (shop payment server).',
  inputSchema: { properties: { query: {}, platform: {} } },
};
const PLATFORMS = platformsOf(discover);
const text = (description: string) => ({ type: 'string', description });

test.each([
  ['How many lie in the parcel warehouse?', 'stock'],
  ['What does the payment manager say?', 'till'],
  ['What do the stocks say?', 'stock'],
  ['What does the weather say?', undefined],
])('%s is about %s', (sentence, platform) => {
  expect(PLATFORMS.namedIn(sentence)).toBe(platform);
});

test('a server that takes no platform has none', () => {
  expect(platformsOf({ ...discover, inputSchema: { properties: { query: {} } } }).allIn('parcel warehouse')).toEqual(
    [],
  );
});

test('an intent over two platforms is two parts, each with its facts', () => {
  const intent = readIntent(
    'What weight has the parcel PX12345 in the parcel warehouse, and which amount does the payment server hold for it?',
  );
  const facts = factsWanted({
    properties: { weight: text('Weight of the parcel'), amount: text('Amount that is due') },
  });
  const needs = needsIn(intent, facts, PLATFORMS);
  expect(needs.map(({ platform, facts: own }) => [platform, own.map(({ name }) => name)])).toEqual([
    ['stock', ['weight']],
    ['till', ['amount']],
  ]);
  expect(needs[1]?.text).toContain('PX12345');
});

test('a contract that asks for a state afterwards makes a change of a sentence whose verb is unknown', () => {
  const intent = readIntent('The parcel PX12345 wants to go home. Where is it?');
  const facts = factsWanted({ properties: { state: text('State of the parcel afterwards') } });
  const needs = withChange(needsIn(intent, facts, PLATFORMS), facts);
  expect(needs.map((need) => need.class)).toEqual(['change', 'read']);
});

const ROWS = [
  { name: 'north-01', state: 'DELIVERED', kilos: 4, shopId: 's1', at: '2026-01-02T00:00:00Z', sealed: true },
  { name: 'north-02', state: 'FAILED', kilos: 9, shopId: 's1', at: '2026-01-03T00:00:00Z', sealed: true },
  { name: 'south-01', state: 'FAILED', kilos: 2, shopId: 's2', at: '2026-01-01T00:00:00Z', sealed: false },
];
const meant = (sentence: string, aliases = aliasesOf()) =>
  rowsMeant(ROWS, sentence, readIntent(sentence).mentions, aliases).rows.map(({ name }) => name);

test.each([
  ['Where is south-01?', ['south-01']],
  ['Which parcels failed?', ['north-02', 'south-01']],
  ['Which failing parcel is unsealed?', ['south-01']],
  ['Which parcels are there?', ['north-01', 'north-02', 'south-01']],
])('%s means %j', (sentence, names) => {
  expect(meant(sentence)).toEqual(names);
});

test('a row that carries only the id of a place speaks of the place once its name was looked up', () => {
  const aliases = aliasesOf();
  const sentence = 'Which parcels failed at High Street?';
  const shops = [
    { id: 's1', name: 'Low Road' },
    { id: 's2', name: 'High Street' },
  ];
  aliases.learn(shops, readIntent(sentence).mentions);
  expect(meant(sentence, aliases)).toEqual(['south-01']);
});

test.each([
  ['the lowest kilos', 'south-01'],
  ['the highest kilos', 'north-02'],
  ['its latest move', 'north-02'],
  ['the oldest one', 'south-01'],
])('%s is that of %s', (words, name) => {
  expect(extremeOf(ROWS, words)?.['name']).toBe(name);
});
