/** A dispatch without HTTP in front, over a recording upstream: what a call came to, and what was sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ensureCatalog } from '../../catalog/ensure.ts';
import type { Call } from '../../dispatch/dispatch-call.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { approver } from './approvers.ts';
import { recordingUpstream } from './recording-upstream.ts';
import { SAMPLE_SECRET, sampleInstallation } from './sample-installation.ts';

export async function dispatchTestbed(variables: Record<string, string> = {}) {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1' } });
  const installation = sampleInstallation();
  /** The account as its credentials file names it; read again by the next call. */
  const nameAccount = (change: Record<string, string> = {}) =>
    writeFileSync(
      join(installation.root, 'config/credentials.yaml'),
      stringify({
        mgmt: {
          base_url: `${upstream.origin}/base`,
          client_id: 'sample-client',
          client_secret: SAMPLE_SECRET,
          workspace_id: 'sample',
          ...change,
        },
      }),
      { mode: 0o600 },
    );
  nameAccount();
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1', ...variables });
  const { catalog } = ensureCatalog(config);
  const { dispatch, close } = openDispatch(config, catalog, createLogger('silent'));
  const run = (name: string, args: Record<string, unknown>, more: Partial<Call> = {}) =>
    dispatch.invoke({
      dispatcher: 'invoke_tool',
      name,
      arguments: args,
      principal: 'local',
      approver: approver(),
      ...more,
    });
  return {
    upstream,
    installation,
    config,
    nameAccount,
    run,
    /** A preview, and the call that applies it. */
    previewed: async (name: string, args: Record<string, unknown>) => {
      const preview = await run(name, args);
      if (preview.kind !== 'done') throw new Error(`expected a preview, got ${JSON.stringify(preview)}`);
      const { plan_token } = preview.result as { plan_token: string };
      return (more: Partial<Call> = {}) => run(name, { ...args, dry_run: false, confirm: true, plan_token }, more);
    },
    [Symbol.asyncDispose]: async () => {
      close();
      catalog.close();
      installation[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
