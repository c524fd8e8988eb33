/** The short core of the secrets canary; `secrets.slow.test.ts` asks 20,000 times. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CanaryTestbed, canaryTestbed } from './support/canary-run.ts';
import { Canaries } from './support/secret-canary.ts';

let canary: CanaryTestbed;
beforeAll(async () => {
  canary = await canaryTestbed(['sensors', 'sse']);
});
afterAll(() => canary?.[Symbol.asyncDispose]());

test('a platform that reflects its input gets no secret through, whatever the encoding', async () => {
  const { answers, secrets, files, spans, hits } = await canary.run(300);
  expect({ answers, hits }).toEqual({ answers: 300, hits: [] });
  expect(secrets).toBeGreaterThanOrEqual(3);
  expect(spans, 'one for the message, one for the call, and its requests').toBeGreaterThan(2 * 300);
  expect(files, 'audit log and signing keys at least').toBeGreaterThanOrEqual(2);
});

describe('the search finds them', () => {
  test('in a router that masks nothing by value', async () => {
    const { secrets } = canary.testbed.logger;
    vi.spyOn(secrets, 'scrub').mockImplementation((text) => text);
    const { hits } = await canary.run(60);
    expect(hits.filter((hit) => hit.startsWith('answer')).length).toBeGreaterThan(20);
    vi.restoreAllMocks();
  });

  test.each(['aB3dE5gH', 'YUIzZEU1Z0', '6142336445356748', '%61%42%33%64%45%35%67%48', 'xaB3dE5gHx'])('%s', (text) => {
    expect(new Canaries(['aB3dE5gH']).in(`before ${text} after`)).toBeDefined();
    expect(new Canaries(['aB3dE5gH']).in('before aB3dE5g after')).toBeUndefined();
  });
});
