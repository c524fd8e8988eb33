/** One operation in several versions takes one place, and what a document says of its fields is found. */
import { expect, test } from 'vitest';
import { inMemoryCatalogOf } from '../test/bench/find/in-memory-catalog.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { Finder } from './find.ts';
import { buildIndex } from './inverted-index.ts';

function namesFor(query: string, tools: ReturnType<typeof toolOf>[]): string[] {
  const index = buildIndex(tools);
  const finder = new Finder({
    catalog: inMemoryCatalogOf(tools),
    index: () => index,
    enabled: ['mgmt'],
    words: {},
    decide: () => ({ visible: true, allowed: true }),
  });
  return finder.find({ query, topK: 4 }).hits.map(({ tool }) => tool.name);
}

test('further versions stand behind the first of everything else', () => {
  const line = 'Get the weather at one place.';
  const tools = [
    ...['get_weather_v1', 'get_weather_v2', 'get_weather_v3'].map((name) => toolOf({ name, line })),
    toolOf({ name: 'get_weather_station', line: 'Get one station that measures weather.' }),
    toolOf({ name: 'get_place', line: 'Get one place.' }),
  ];
  const names = namesFor('get the weather at a place', tools);
  expect(names[0]).toMatch(/^get_weather_v\d$/);
  expect(names.slice(1, 3).toSorted()).toEqual(['get_place', 'get_weather_station']);
  expect(names[3]).toMatch(/^get_weather_v\d$/);
});

test('a number that is part of the name makes no version', () => {
  const tools = ['set_vrrp', 'set_vrrp6'].map((name) => toolOf({ name, line: `${name} of one interface.` }));
  expect(buildIndex(tools).versionOf).toEqual(Uint32Array.of(0, 1));
});

test('a tool is found by what is said of its fields, and behind one that is named so', () => {
  const fruit = toolOf({ name: 'get_fruit', line: 'Get one fruit.' });
  fruit.text.details = ['calories', 'Scientific name of the family'];
  const tools = [toolOf({ name: 'get_cat', line: 'Get one cat.' }), fruit];
  expect(namesFor('how many calories are in it', tools)).toEqual(['get_fruit']);
  const meal = toolOf({ name: 'list_calories', line: 'List the calories of a meal.' });
  expect(namesFor('how many calories are in it', [...tools, meal])[0]).toBe('list_calories');
});
