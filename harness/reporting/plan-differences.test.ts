import { expect, test } from 'vitest';
import { differenceLine, planDifferences } from './plan-differences.ts';
import type { StoredRun } from './stored-run.ts';

const META = {
  scenarios: {},
  agents: ['llm'],
  transports: ['http'],
  subject: 'router',
  settings: {},
  seed: 1,
  runs: 1,
};

const run = (model: object): StoredRun =>
  ({
    meta: META,
    recordings: [{ model: { request: { model: 'm', temperature: 0 }, exchanges: [], ...model } }],
  }) as unknown as StoredRun;

test.each([
  ['another model', { request: { model: 'n', temperature: 0 } }, 'n, temperature 0, prompt coaching'],
  ['another temperature', { request: { model: 'm' } }, 'm, temperature not sent, prompt coaching'],
  ['another prompt', { prompt: 'neutral' }, 'm, temperature 0, prompt neutral'],
  [
    'other fields of the body',
    { extra_body: { top_k: 5 } },
    'm, temperature 0, prompt coaching, extra body {"top_k":5}',
  ],
])('%s is said before what changed', (_what, other, text) => {
  expect(planDifferences(run({}), run(other)).map(differenceLine)).toEqual([
    `other model: m, temperature 0, prompt coaching → ${text}`,
  ]);
  expect(planDifferences(run(other), run(other))).toEqual([]);
});
