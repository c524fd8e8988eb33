/** Analytics: it reads and computes and never writes; long questions are jobs. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';
import { servedOperations } from '../platform-client.ts';

const { open, play, onePerPage } = await waysTestbed('analytics');
const SITES = '/analytics/v1/capacity/sites';

it('has no operation that writes', () => {
  const kinds = new Set(servedOperations(open().platform).map(({ capability }) => capability));
  expect([...kinds].sort()).toEqual(['diagnostic', 'read']);
  expect(open().call('DELETE', SITES)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});

it('refuses an unknown token in its own words', () => {
  const client = stranger(open());
  expect(client.get(SITES, { authorization: 'Bearer another' })).toMatchObject({
    status: 401,
    json: { httpStatusCode: 401, errorCode: 'UNAUTHORIZED', message: expect.stringContaining('an unknown one') },
  });
});

it('leads through a list by a cursor', () => {
  const client = open();
  const { pages, entries } = onePerPage(client, 'listSiteCapacities', SITES);
  expect(pages).toHaveLength(entries.length);
  expect((client.get(SITES).json as { items: unknown[] }).items).toEqual(entries);
});

it('answers a long question as a job with rows at the end', () => {
  const client = open();
  const before = client.state.hash();
  const started = play(client, 'startAnalyticsQuery');
  const { resultPath } = started.json as { resultPath: string };
  expect([started.status, started.json]).toMatchObject([202, { stage: 'PLANNED' }]);
  expect(client.get(resultPath).json).toMatchObject({ stage: 'COMPUTING', scannedPercent: 50 });
  expect(client.get(resultPath).json).toMatchObject({
    stage: 'COMPLETE',
    scannedPercent: 100,
    output: expect.any(Object),
  });
  expect(open().state.hash()).toBe(before);
});
