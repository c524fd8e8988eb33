/**
 * The authorization matrix: token state × audience × scope × principal × tool class × transport, each cell a request over HTTP to a
 * running router, with a platform behind it that counts what arrives. The keys of the issuer rotate before it begins.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { mcpRequest, messageOf, postOf, textOf, Wire, type WireAnswer } from '../support/mcp-wire.ts';
import { initializeBody } from '../support/modern-client.ts';
import { type RecordingUpstream, recordingUpstream } from '../support/recording-upstream.ts';
import { sampleInstallation } from '../support/sample-installation.ts';
import { RESOURCE, type SigningKey, signingKey, startTokenIssuer } from '../support/token-issuer.ts';
import { expectedOf, PRINCIPALS, type TokenCell, tokenCells } from './token-cells.ts';
import { TokenMaker } from './token-maker.ts';

export interface TokenTally {
  cells: number;
  deviations: number;
  /** Requests that reached the platform in a cell that must send none. */
  upstreamCalls: number;
  /** Cells whose token must not be accepted. */
  refused: number;
  examples: string[];
}

export interface TokenMatrixOptions {
  /** One transport in place of three. */
  brief?: boolean;
}

const NAMED = `principals:
  - { name: full, oauth: { claim: client_id, value: full } }
  - { name: reader, oauth: { claim: client_id, value: reader }, capabilities: [read] }
  - { name: elsewhere, oauth: { claim: client_id, value: elsewhere }, platforms: [] }
  - { name: ungated, oauth: { claim: client_id, value: ungated }, gates: [] }
`;
/** The router asks for keys again at most once in ten seconds. */
const COOLDOWN_MS = 10_100;
const EXAMPLES = 20;

const CALLS: Record<TokenCell['tool'], { name: string; arguments: Record<string, unknown> }> = {
  read: { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers' } },
  diagnostic: {
    name: 'invoke_tool',
    arguments: {
      name: 'mgmt_start_auth_server_test',
      arguments: { name: 'radius-1', body: { username: 'ada', password: 'a-password' } },
    },
  },
  write: {
    name: 'invoke_tool',
    arguments: { name: 'mgmt_update_auth_server', arguments: { name: 'radius-1', body: { 'auth-port': 1912 } } },
  },
  destructive: { name: 'invoke_tool', arguments: { name: 'mgmt_delete_auth_server', arguments: { name: 'radius-1' } } },
  'batch of reads': { name: 'invoke_read_tool_batch', arguments: { calls: [{ name: 'mgmt_list_auth_servers' }] } },
};

export async function tokenMatrix({ brief = false }: TokenMatrixOptions = {}): Promise<TokenTally> {
  await using issuer = await startTokenIssuer();
  await using upstream = await recordingUpstream();
  upstream.object = ({ target }) =>
    target.endsWith('/auth-servers')
      ? { status: 200, body: { 'auth-server': [], total: 0 } }
      : { status: 200, body: { name: 'radius-1', type: 'RADIUS', 'auth-port': 1812 } };
  const old = issuer.keys[0] as SigningKey;
  await using kept = await routerAt(issuer.issuer, upstream.origin, { SVC_MCP_STATELESS: '0' });
  await using stateless = await routerAt(issuer.issuer, upstream.origin, { SVC_MCP_STATELESS: '1' });
  const maker = new TokenMaker(issuer, old);
  const matrix = new TokenMatrix(maker, upstream, { kept: kept.port, stateless: stateless.port });
  await matrix.beforeRotation();
  issuer.keys = [signingKey('second')];
  await new Promise((done) => setTimeout(done, COOLDOWN_MS));
  await maker.makeAll();
  await matrix.afterRotation();
  for (const cell of tokenCells(brief ? ['2026-07-28'] : undefined)) await matrix.look(cell);
  matrix.close();
  return matrix.tally;
}

interface OpenedRouter extends AsyncDisposable {
  port: number;
}

async function routerAt(issuer: string, platform: string, more: Record<string, string>): Promise<OpenedRouter> {
  const installation = sampleInstallation();
  const path = join(installation.root, 'principals.yaml');
  writeFileSync(path, NAMED, { mode: 0o600 });
  const config = installation.config({
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SVC_MCP_OAUTH_ISSUER: issuer,
    SVC_MCP_OAUTH_RESOURCE: RESOURCE,
    SVC_MCP_PRINCIPALS_PATH: path,
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_TOOLSETS: 'mgmt,rag',
    SVC_MCP_ROUTER_MODE: 'default',
    SVC_MCP_AUDIT_LOG: '0',
    SOURCE_BASE_URL: `${platform}/mgmt`,
    ...more,
  });
  const router = await openRouter(config, createLogger('silent'));
  const { url, close } = await router.serveHttp();
  return {
    port: Number(new URL(url).port),
    [Symbol.asyncDispose]: async () => {
      await close();
      router.close();
      installation[Symbol.dispose]();
    },
  };
}

class TokenMatrix {
  readonly tally: TokenTally = { cells: 0, deviations: 0, upstreamCalls: 0, refused: 0, examples: [] };
  readonly #maker: TokenMaker;
  readonly #upstream: RecordingUpstream;
  readonly #kept: Wire;
  readonly #stateless: Wire;
  readonly #sessions = new Map<TokenCell['principal'], string>();
  #id = 0;

  constructor(maker: TokenMaker, upstream: RecordingUpstream, ports: { kept: number; stateless: number }) {
    this.#maker = maker;
    this.#upstream = upstream;
    this.#kept = new Wire(ports.kept);
    this.#stateless = new Wire(ports.stateless);
  }

  /** Tokens of the old key are accepted and kept by both routers: a replay is of tokens that were good. */
  async beforeRotation(): Promise<void> {
    for (const principal of PRINCIPALS)
      for (const wire of [this.#kept, this.#stateless]) {
        const state = 'replayed after its key was withdrawn' as const;
        const bearer = await this.#maker.made({ state, audience: 'this router', scope: 'everything', principal });
        // Twice, so that it is kept: the very first one fetches the keys.
        for (const _ of [1, 2]) {
          const { status } = await wire.ask(requestOf('read', '2026-07-28', this.#id++, bearer, undefined));
          if (status !== 200) throw new Error(`a token should be good before its key is withdrawn, got ${status}`);
        }
      }
  }

  /** The first token of the new key makes a router fetch the keys. Then each principal opens its session. */
  async afterRotation(): Promise<void> {
    for (const principal of PRINCIPALS) {
      const bearer = this.#maker.tokenFor({ state: 'valid', audience: 'this router', scope: 'everything', principal });
      await this.#stateless.ask(requestOf('read', '2026-07-28', this.#id++, bearer, undefined));
      const opened = await this.#kept.ask(postOf(initializeBody(), [`authorization: Bearer ${bearer}`]));
      const session = /\r\nmcp-session-id: (\S+)/i.exec(opened.head)?.[1];
      if (session === undefined) throw new Error(`a session should open, got ${opened.status}`);
      this.#sessions.set(principal, session);
    }
  }

  async look(cell: TokenCell): Promise<void> {
    const inSession = cell.transport === '2025-11-25 in a session';
    const session = inSession ? this.#sessions.get(cell.principal) : undefined;
    const wire = cell.transport === '2025-11-25 without a session' ? this.#stateless : this.#kept;
    const bearer = this.#maker.tokenFor(cell);
    const { reads, writes } = this.#upstream;
    reads.length = 0;
    writes.length = 0;
    const answer = await wire.ask(requestOf(cell.tool, cell.transport, this.#id++, bearer, session));
    const sent = writes.length + (cell.tool === 'write' || cell.tool === 'destructive' ? 0 : reads.length);
    this.#settle(cell, verdictOf(answer, sent > 0), sent + (answer.status === 200 ? 0 : reads.length));
  }

  close(): void {
    this.#kept.close();
    this.#stateless.close();
  }

  #settle(cell: TokenCell, got: string, sent: number): void {
    const { tally } = this;
    const want = expectedOf(cell);
    tally.cells += 1;
    if (want === '401') tally.refused += 1;
    if (sent > 0 && want !== 'sent') tally.upstreamCalls += 1;
    if (got === want) return;
    tally.deviations += 1;
    if (tally.examples.length < EXAMPLES) tally.examples.push(JSON.stringify({ ...cell, expected: want, got }));
  }
}

function requestOf(
  tool: TokenCell['tool'],
  transport: TokenCell['transport'],
  id: number,
  bearer: string | undefined,
  session: string | undefined,
): string {
  const era = transport === '2026-07-28' ? '2026-07-28' : '2025-11-25';
  const own = { ...(bearer === undefined ? {} : { bearer }), ...(session === undefined ? {} : { session }) };
  return mcpRequest({ era, id, method: 'tools/call', params: CALLS[tool], ...own });
}

function verdictOf(answer: WireAnswer, sent: boolean): string {
  if (answer.status === 401 || answer.status === 403) return challengeIn(answer);
  const { result } = (messageOf(answer) ?? {}) as { result?: { content?: { text: string }[] } };
  const body = JSON.parse(result?.content?.[0]?.text ?? 'null');
  const refusal = body?.results?.[0]?.refusal ?? (body?.ok === false ? body : undefined);
  const said = body?.status === 'dry_run' ? 'preview' : refusal?.code;
  if (said !== undefined) return sent ? `${said}, yet sent` : said;
  return sent ? 'sent' : `${answer.status}, nothing sent`;
}

/** The status, with the scopes that a 403 names: in its body, and in its challenge as well. */
function challengeIn(answer: WireAnswer): string {
  const { status, head } = answer;
  const challenge = /\r\nwww-authenticate: (.*)/i.exec(head)?.[1] ?? '';
  if (!challenge.includes('resource_metadata=')) return `${status} without a challenge`;
  if (status === 401) return '401';
  const { missing = [] } = JSON.parse(textOf(answer)) as { missing?: string[] };
  const isNamed = challenge.includes('insufficient_scope') && missing.every((scope) => challenge.includes(scope));
  return isNamed ? `403 ${missing.join(' ')}` : '403 without its scopes';
}
