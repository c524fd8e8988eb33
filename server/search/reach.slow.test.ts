/**
 * Every tool of ours can be found by its own words: its first sentence in any order, and its verb with each of its names. A
 * misspelt word hides none.
 */
import { beforeAll, expect, test } from 'vitest';
import { prepareOurs } from '../test/bench/find/engines/ours.ts';
import { misspeltOf } from '../test/bench/find/misspelt.ts';
import { readQuestionSets } from '../test/bench/find/question-sets.ts';
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

test('of the queries of agents one in thirty at most loses its right tool by one misspelt word', async () => {
  const agent = readQuestionSets(await shippedTools()).find(({ id }) => id === 'agent');
  if (agent === undefined) throw new Error('the queries of agents should be a set');
  const { asked, asWritten, withSlip } = await misspeltOf(agent.box, agent.queries, prepareOurs(agent.box)());
  expect(asked).toBe(993);
  expect(withSlip).toBeGreaterThan(asWritten - asked / 30);
});
