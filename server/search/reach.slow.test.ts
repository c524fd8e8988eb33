/** Every tool of ours can be found by its own words: its first sentence in any order, and its verb with each of its names. */
import { beforeAll, expect, test } from 'vitest';
import { prepareOurs } from '../test/bench/find/engines/ours.ts';
import { type Reachability, reachabilityOf } from '../test/bench/find/reach.ts';
import { shippedTools } from '../test/bench/find/tool-corpus.ts';

let reached: Reachability;
let tools = 0;

beforeAll(async () => {
  const { platforms } = await shippedTools();
  tools = platforms.tools.length;
  reached = await reachabilityOf(platforms, prepareOurs(platforms)());
});

test('the words of its first sentence bring every tool, but for one in fifty among five', () => {
  const { asked, top1, top5, missing } = reached.sentences;
  expect(asked).toBe(tools);
  expect(top5, missing.join('\n')).toBeGreaterThanOrEqual(0.98);
  expect(top1).toBeGreaterThanOrEqual(0.9);
});

test('a verb and a name bring a tool of that kind and name among five', () => {
  const { asked, top5, missing } = reached.aliases;
  expect(asked).toBeGreaterThan(5_000);
  expect(top5, missing.join('\n')).toBeGreaterThanOrEqual(0.98);
});
