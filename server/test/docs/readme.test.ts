/** README.md is short, and the answers that it shows are those that a router in front of the fake gives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoAccount, startFake, startRouter } from '../support/child-process.ts';
import { modernClient } from '../support/modern-client.ts';
import { blocks } from './blocks.ts';
import { root } from './source-imports.ts';

const MOST_WORDS = 1100;

test(`README.md has at most ${MOST_WORDS} words`, () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(
    MOST_WORDS,
  );
});

test('the hit and the preview are what the router answers', async () => {
  const [, hit, call, preview] = blocks()
    .filter(({ page, language }) => page === 'README.md' && language === 'json')
    .map(({ text }) => JSON.parse(text));
  await using fake = await startFake('mgmt');
  await using router = await startRouter({
    ...demoAccount(fake.base),
    SVC_MCP_MGMT_WRITES: '1',
  });
  const client = modernClient(`http://127.0.0.1:${router.port}/mcp`, router.bearer);
  const answerTo = async (tool: string, args: Record<string, unknown>) =>
    JSON.parse((await client.call(tool, args, 'decline')).texts[0] ?? '{}');
  const [first, ...others] = await answerTo('find_tool', { query: 'change the security mode of a wlan' });
  expect(others).toHaveLength(2);
  expect({ ...first, params: first.params.slice(0, hit.params.length) }).toEqual(hit);
  const { target, plan_token, contract, ...shown } = await answerTo('invoke_tool', call);
  expect([target, plan_token, contract]).not.toContain(undefined);
  expect(shown).toEqual(preview);
});
