/** The router's protocol layer and HTTP surface with the suite's fixtures in place of the router's tools. */
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import { loadConfig } from '../../../config/config.ts';
import { version } from '../../../config/package-version.ts';
import type { Era } from '../../../dispatch/confirmation.ts';
import { buildHttp, listen } from '../../../http/server.ts';
import { SESSION_LIMITS } from '../../../http/sessions.ts';
import { protocolFactory } from '../../../protocol/protocol.ts';
import { createLogger } from '../../../telemetry/logger.ts';
import { addFixtureCatalog } from './fixture-catalog.ts';
import { fixtureTools, type RoundState } from './fixture-tools.ts';

export async function startFixtureServer(): Promise<{ url: string; [Symbol.asyncDispose]: () => Promise<void> }> {
  const { http } = loadConfig({ env: { SVC_MCP_DOTENV: '0', MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' } });
  const logger = createLogger('silent');
  const codec = createRequestStateCodec<RoundState>({
    key: randomBytes(32),
    ttlSeconds: 60,
    bind: ({ sessionId, mcpReq }) => `${sessionId ?? ''}\0${mcpReq.method}`,
  });
  const factory = protocolFactory({
    version,
    instructions: 'Fixtures of the conformance suite.',
    tools: fixtureTools(codec),
    confirmations: {
      approverOf: () => ({
        reachable: false,
        how: 'form',
        ask: () => Promise.reject(new Error('fixtures ask for themselves')),
      }),
      verifier: (_era: Era) => codec.verify,
    },
    anonymous: 'anonymous',
    logger,
    extend: addFixtureCatalog,
  });
  const app = buildHttp({
    binding: http,
    credentials: () => ({ path: '', exists: true, loadable: true }),
    mcp: { factory, stateless: false, limits: SESSION_LIMITS, logger },
    logger,
  });
  const { port } = await listen(app, http);
  return { url: `http://localhost:${port}/mcp`, [Symbol.asyncDispose]: () => app.close() };
}
