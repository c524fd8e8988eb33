import { describe, expect, test } from 'vitest';
import { changedRecording } from '../test/sample-recording.ts';
import { inPlannedOrder, inShard, mergeParts, type Plan, plannedKeys } from './campaign-plan.ts';
import type { Recording } from './recording.ts';

const IDS = ['alerts/a', 'alerts/b', 'firmware/c', 'nac/d', 'nac/e'];
const PLAN: Plan = {
  subject: 'router',
  settings: { mode: 'minimal' },
  agents: ['retrieval', 'noop'],
  transports: ['http', 'stdio'],
  seed: 3,
  runs: 2,
  wording: 0,
  commit: 'abc',
  methodology: '2',
  scenarios: Object.fromEntries(IDS.map((id) => [id, `sha256:${id}`])),
  selected: IDS,
};

function recordingsOf(plan: Plan): Recording[] {
  return plannedKeys(plan).map((key) => {
    const [scenario, agent, transport, run] = key.split(' ') as [string, string, 'http' | 'stdio', string];
    return changedRecording((r) => {
      r.task.id = scenario;
      r.agent = agent;
      r.transport = transport;
      r.run = Number(run);
      r.seed = plan.seed + r.run;
    });
  });
}
const part = (index: number, count: number) => {
  const plan = { ...PLAN, shard: { index, count } };
  return { name: `${index}-of-${count}`, plan, recordings: recordingsOf(plan) };
};
const parts = (count: number) => Array.from({ length: count }, (_, i) => part(i + 1, count));
const bytes = (recordings: readonly Recording[]) => recordings.map((r) => JSON.stringify(r)).join('\n');

describe('shards', () => {
  test.each([1, 2, 3, 4, 5])('%i of them hold every scenario exactly once', (count) => {
    const all = Array.from({ length: count }, (_, i) => inShard(IDS, { index: i + 1, count })).flat();
    expect([...all].sort()).toEqual(IDS);
  });

  test('1, 2, 4 of them merge to the same bytes, in whatever order they come', () => {
    const whole = bytes(inPlannedOrder(recordingsOf(PLAN)));
    for (const count of [1, 2, 4]) {
      const { plan, recordings } = mergeParts(parts(count).reverse());
      expect(bytes(recordings)).toBe(whole);
      expect(plan).toEqual(PLAN);
    }
  });
});

describe('merge refuses', () => {
  test('a gap, naming what is missing', () => {
    expect(() => mergeParts([part(1, 2)])).toThrow(
      /each of 40 runs should be there once, got 16 missing \(alerts\/b noop http 000000, .*…\)/,
    );
  });

  test('a single run that is missing', () => {
    const [one, two] = parts(2);
    two!.recordings.pop();
    expect(() => mergeParts([one!, two!])).toThrow(/got 1 missing \(nac\/d retrieval stdio 000001\)/);
  });

  test('an overlap', () => {
    expect(() => mergeParts([...parts(2), part(1, 2)])).toThrow(/got 24 there more than once/);
    expect(() => mergeParts([part(1, 2), part(1, 2)])).toThrow(/16 missing .*24 there more than once/);
  });

  test('an unplanned run', () => {
    const [one, two] = parts(2);
    const stranger = changedRecording((r) => {
      r.task.id = 'nac/z';
    });
    expect(() => mergeParts([one!, { ...two!, recordings: [...two!.recordings, stranger] }])).toThrow(
      /got 1 of no planned run \(nac\/z retrieval http 000000\)/,
    );
  });

  test.each([
    ['commit', { commit: 'def' }],
    ['seed', { seed: 4 }],
    ['runs', { runs: 3 }],
    ['settings', { settings: { mode: 'direct' } }],
    ['scenarios', { scenarios: {} }],
    ['agents', { agents: ['noop'] }],
    ['transports', { transports: ['http'] }],
    ['selected', { selected: ['alerts/a'] }],
    ['wording', { wording: 1 }],
    ['methodology', { methodology: '1' }],
    ['subject', { subject: 'other' }],
  ])('parts of another %s', (field, change) => {
    const [one, two] = parts(2);
    const other = { ...two!, plan: { ...two!.plan, ...change } as Plan };
    expect(() => mergeParts([one!, other])).toThrow(new RegExp(`same campaign as 1-of-2, got another ${field}`));
  });

  test.each<[string, object, RegExp | undefined]>([
    ['the same', {}, undefined],
    ['another model', { request: { model: 'large', temperature: 0 } }, /more than one model \("small" and "large"\)$/],
    ['another temperature', { request: { model: 'small' } }, /more than one temperature \(/],
    ['another prompt', { prompt: 'coaching' }, /more than one prompt \(/],
    ['another added field', { extra_body: { top_p: 1 } }, /more than one extra_body \(/],
  ])('runs that asked a model, where one part asked %s', (_what, other, refusal) => {
    const all = parts(2);
    const asked = { request: { model: 'small', temperature: 0 }, prompt: 'neutral' };
    const ask = (of: Recording[], model: object) => of.map((recording) => ({ ...recording, model }) as Recording);
    const [one, two] = all.map(({ recordings }, i) => ask(recordings, i === 0 ? asked : { ...asked, ...other }));
    const merge = () =>
      mergeParts([
        { ...all[0]!, recordings: one! },
        { ...all[1]!, recordings: two! },
      ]);
    if (refusal === undefined) expect(merge().recordings).toHaveLength(40);
    else expect(merge).toThrow(refusal);
  });

  test('nothing at all', () => {
    expect(() => mergeParts([])).toThrow(/should have runs to merge, got none/);
  });
});
