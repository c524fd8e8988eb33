/** Dispatch that is loaded by the first call. */
import { expect, test } from 'vitest';
import { ensureCatalog } from '../catalog/ensure.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { LazyDispatch } from './lazy-dispatch.ts';
import { openCallParts } from './open-call-parts.ts';

test('first calls that come at once share one client, its login and its budget, and so do those over the next catalog', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const config = installation.config({ SVC_MCP_RATE_PER_SECOND: '5' });
  const { catalog } = ensureCatalog(config);
  const parts = openCallParts(config, createLogger('silent'));
  const lazy = new LazyDispatch(parts);
  const noTools = async () => new Map();
  const [first, next] = [lazy.over(catalog, noTools), lazy.over(catalog, noTools)];
  const read = (dispatch = first) =>
    dispatch.invoke({
      dispatcher: 'invoke_read_tool',
      name: 'mgmt_get_wlan',
      arguments: { ssid: 'guest' },
      principal: 'local',
      approver: approver(),
    });
  network.respond(() => json({ name: 'guest' }));
  expect(lazy.waits()).toEqual({ count: 0, sumMs: 0, maxMs: 0 });
  const results = await Promise.all([read(), read(), read(next), read(next)]);
  expect(results.map((result) => result.kind === 'done' && result.result)).toEqual(Array(4).fill({ name: 'guest' }));
  expect([network.calls.length, network.tokenRequests.length]).toEqual([4, 1]);
  expect(lazy.waits().count).toBeGreaterThan(0);
  parts.close();
  catalog.close();
});
