import { expect, test } from 'vitest';
import { catalogOf } from './find-growth.ts';
import { entryOf } from './folder-set.ts';

const boxWith = (platform: string, count: number) => ({
  tools: Array.from({ length: count }, (_, i) =>
    entryOf({ name: `${platform}_get_thing_${i}`, description: `Thing ${i}.` }, platform),
  ),
  words: { [platform]: [platform] },
});

test('needed tools stay at every size, and others fill up under names that are new each time', () => {
  const own = boxWith('mgmt', 20);
  const needed = new Set(['mgmt_get_thing_3', 'mgmt_get_thing_17']);
  for (const size of [2, 10, 20, 95]) {
    const { tools } = catalogOf(size, own, boxWith('github', 30), needed);
    const names = tools.map(({ tool }) => tool.name);
    expect(new Set(names).size).toBe(size);
    expect(names.filter((name) => needed.has(name))).toHaveLength(2);
  }
  const platforms = catalogOf(95, own, boxWith('github', 30), needed).tools.map(({ tool }) => tool.platform);
  expect([...new Set(platforms)]).toEqual(['mgmt', 'github1', 'github2', 'github3']);
});
