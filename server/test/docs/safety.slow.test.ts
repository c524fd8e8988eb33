/** The question that docs/safety.md shows is the one that a router in front of the fake asks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoAccount, startFake, startRouter } from '../support/child-process.ts';
import { modernClient } from '../support/modern-client.ts';
import { root } from './source-imports.ts';

/** Port of the fake and key of the router are new in every run. */
const lasting = (question: string) =>
  question.replace(/^Digest: .{43}$/m, 'Digest: …').replace(/^(Host: http:\/\/127\.0\.0\.1):\d+$/m, '$1');

test('the question on the page is the one that is asked', async () => {
  await using fake = await startFake('mgmt');
  await using router = await startRouter({
    ...demoAccount(fake.base),
    SVC_MCP_MGMT_WRITES: '1',
  });
  const client = modernClient(`http://127.0.0.1:${router.port}/mcp`, router.bearer);
  const name = 'mgmt_update_wlan_ssid';
  const change = {
    ssid: 'iot',
    body: { opmode: 'WPA3_SAE', 'personal-security': { 'wpa-passphrase': 'not\u200b-a-secret' } },
  };
  const preview = await client.call('invoke_tool', { name, arguments: change }, 'decline');
  expect(preview.texts[0]).not.toContain('-a-secret');
  const { plan_token } = JSON.parse(preview.texts[0] ?? '{}') as { plan_token?: string };
  const apply = { name, arguments: { ...change, dry_run: false, confirm: true, plan_token } };
  const { asked } = await client.call('invoke_tool', apply, 'decline');
  const shown = /^```text\n(Send this write request.*?)\n```$/ms.exec(
    readFileSync(join(root, 'docs/safety.md'), 'utf8'),
  );
  expect(asked.map(lasting)).toEqual([lasting(shown?.[1] ?? '')]);
});
