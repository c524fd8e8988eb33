/** The notification of a waiting approval: signed, tried again, only where the operator lets it go, and without the request. */
import { createHmac } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Egress } from '../egress/egress.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import type { Approval } from './approval.ts';
import { ApprovalWebhook } from './approval-webhook.ts';

const KEY = 'webhook-key-0123456789-0123456789';
let bed: OperatorTestbed | undefined;
afterEach(async () => {
  await bed?.[Symbol.asyncDispose]();
  bed = undefined;
});

async function open(url: string, variables: Record<string, string> = {}, mode = 0o600) {
  bed = await operatorTestbed(
    { SVC_MCP_APPROVAL_WEBHOOK: url, SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: 'config/webhook-key', ...variables },
    ({ root }) => {
      writeFileSync(join(root, 'config/webhook-key'), `${KEY}\n`, { mode: 0o600 });
      chmodSync(join(root, 'config/webhook-key'), mode);
    },
  );
  return bed;
}

test('a waiting approval is told once, signed, with its link and nothing of its request; a failed try is made again', async () => {
  await using hook = await recordingUpstream();
  let tries = 0;
  hook.written = () => ({ status: tries++ === 0 ? 503 : 200, body: {} });
  const { agent } = await open(`${hook.origin}/asked`, { SVC_MCP_CONSOLE_PORT: '0' });
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  const { approval_id, approval_url } = await call.apply();
  await call.apply();
  await expect.poll(() => hook.writes.length).toBe(2);
  const [, told] = hook.writes;
  const text = told?.body.toString() ?? '';
  expect(JSON.parse(text)).toMatchObject({
    event: 'approval.asked',
    id: approval_id,
    tool: 'mgmt_update_auth_server',
    url: approval_url,
  });
  expect(text).not.toContain('1912');
  const stamp = told?.headers['svc-mcp-timestamp'];
  expect(told?.headers['svc-mcp-signature']).toBe(
    `v1=${createHmac('sha256', KEY).update(`${stamp}.${text}`).digest('hex')}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hook.writes).toHaveLength(2);
});

test('it goes only where the list of origins lets it, and what it cannot send is in the log, without the key', async () => {
  await using hook = await recordingUpstream();
  using installation = sampleInstallation();
  const keyPath = join(installation.root, 'webhook-key');
  writeFileSync(keyPath, `${KEY}\n`, { mode: 0o600 });
  const log: string[] = [];
  const logger = createLogger('debug', (line) => log.push(line));
  const approval = { id: 'a'.repeat(43), tool: 'x', destructive: true, askedAt: 0, expiresAt: 0 } as Approval;
  const tell = (listed: string[]) => {
    const egress = new Egress({ listed });
    return new ApprovalWebhook({ url: `${hook.origin}/asked`, keyPath, egress, logger, pausesMs: [] }).tell(
      approval,
      undefined,
    );
  };
  await tell(['https://mgmt.example']);
  expect(hook.writes).toEqual([]);
  expect(log.join('')).toContain('approval-webhook.failed');
  expect(log.join('')).not.toContain(KEY);
  await tell([hook.origin]);
  expect(hook.writes).toHaveLength(1);
});

test.each([
  ['without its key', { SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: '' }, 0o600],
  ['with a key that others can read', {}, 0o644],
  ['without https on another machine', { SVC_MCP_APPROVAL_WEBHOOK: 'http://hooks.example/asked' }, 0o600],
  ['with a password in its address', { SVC_MCP_APPROVAL_WEBHOOK: 'https://me:secret@hooks.example/' }, 0o600],
])('a webhook %s refuses the start', async (_, variables, mode) => {
  await expect(open('http://127.0.0.1:9/asked', variables, mode)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
