/** A router for two principals, heavy and light, over an upstream that answers at once. Real HTTP on both sides. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../../principals/bearer-hash.ts';
import { type RecordingUpstream, recordingUpstream } from './recording-upstream.ts';
import { serving } from './serving.ts';
import { sessionClient } from './session-client.ts';

export interface TwoPrincipals extends AsyncDisposable {
  upstream: RecordingUpstream;
  bearers: { heavy: string; light: string };
  clientOf: (bearer: string) => Promise<Client>;
}

export type Client = Awaited<ReturnType<typeof sessionClient>>['client'];

export interface Shared {
  /** Further fields of that principal's entry. */
  heavy: object;
  /** Requests a second that the platform's account permits. */
  perSecond?: number;
}

export async function twoPrincipals({ heavy, perSecond = 40 }: Shared): Promise<TwoPrincipals> {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { items: [] } });
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-fair-'));
  const path = join(folder, 'principals.yaml');
  const bearers = { heavy: randomBytes(24).toString('base64url'), light: randomBytes(24).toString('base64url') };
  const principals = [
    { name: 'heavy', bearers: [hashOf(bearers.heavy)], ...heavy },
    { name: 'light', bearers: [hashOf(bearers.light)] },
  ];
  writeFileSync(path, JSON.stringify({ principals }), { mode: 0o600 });
  const router = await serving({
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_PRINCIPALS_PATH: path,
    SVC_MCP_RATE_PER_SECOND: String(perSecond),
    SVC_MCP_CALL_TIMEOUT_SECONDS: '300',
  });
  const connected: AsyncDisposable[] = [];
  return {
    upstream,
    bearers,
    clientOf: async (bearer) => {
      const session = await sessionClient(router.url, { headers: { authorization: `Bearer ${bearer}` } });
      connected.push(session);
      return session.client;
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [...connected, router, upstream]) await one[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const LIST = { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers', arguments: {} } };

/** One read, and how long it took, in milliseconds. */
export async function timedRead(
  client: Client,
  signal?: AbortSignal,
): Promise<{ ms: number; isError: boolean; text: string }> {
  const started = performance.now();
  const answer = await client.callTool(LIST, undefined, { timeout: 120_000, ...(signal ? { signal } : {}) });
  const text = (answer.content as { text: string }[])[0]?.text ?? '';
  return { ms: performance.now() - started, isError: answer.isError === true, text };
}
