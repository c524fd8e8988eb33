/**
 * Attempts to get something sent that nobody approved, each over the router's own parts and a recording upstream: writes drawn
 * by a seed, replayed answers, targets that change, callers who leave, yeses that are used for something else.
 */
import { Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { ensureCatalog } from '../../catalog/ensure.ts';
import type { Approver } from '../../dispatch/confirmation.ts';
import type { Call, Result } from '../../dispatch/dispatch-call.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { addMcp } from '../../http/mcp.ts';
import { SESSION_LIMITS } from '../../http/sessions.ts';
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { approvedList } from '../support/approved-list.ts';
import { approver, typedYes } from '../support/approvers.ts';
import { askedAndSent } from '../support/asked-and-sent.ts';
import { initializeBody, messageIn, modernMessage } from '../support/modern-client.ts';
import { type RecordingUpstream, recordingUpstream } from '../support/recording-upstream.ts';
import { sampleInstallation } from '../support/sample-installation.ts';

export interface ApprovalProbes {
  /** Attempts that were made. */
  attempts: number;
  /** What went wrong, one line each. */
  deviations: string[];
}

const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };
const DRAWN = 80;

/** Answers what deviates; an empty list is what should come of every attempt. */
type Probe = () => Promise<string[]>;

export async function approvalProbes(): Promise<ApprovalProbes> {
  const deviations: string[] = [];
  for (const [name, probe] of Object.entries(PROBES))
    deviations.push(...(await probe()).map((deviation) => `${name}: ${deviation}`));
  return { attempts: 2 * DRAWN + Object.keys(PROBES).length - 2, deviations };
}

const drawn =
  (limit: number, seed: number): Probe =>
  async () => {
    const { differences, compared, tooLarge } = await askedAndSent(DRAWN, limit, seed);
    return compared + tooLarge === DRAWN
      ? differences
      : [...differences, `${compared + tooLarge} of ${DRAWN} were judged`];
  };

const PROBES: Readonly<Record<string, Probe>> = {
  'what is asked about is what is sent, and what the caller gave': drawn(400_000, 21),
  'what does not fit into a question is not sent': drawn(1_500, 22),
  'an answer that was used does not count again': usedAnswer,
  'a target that changed while the person thought': changedTarget,
  'a caller who left while the person thought': callerLeft,
  'a yes to a list for a request that is not in it': listedOnly,
  'the session of another principal': foreignSession,
};

async function usedAnswer(): Promise<string[]> {
  await using upstream = await recordingUpstream();
  using installation = sampleInstallation();
  let object: object = { name: 'radius-1', type: 'RADIUS' };
  upstream.object = () => ({ status: 200, body: object });
  const config = installation.config({
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_MGMT_WRITES: '1',
  });
  using router = await openRouter(config, createLogger('silent'));
  const served = await router.serveHttp();
  const call = async (args: object, more: object = {}) => {
    const params = { name: 'invoke_tool', arguments: { name: 'mgmt_update_auth_server', arguments: args }, ...more };
    const message = modernMessage('tools/call', params, { capabilities: { elicitation: {} } });
    return messageIn(await (await fetch(served.url, { method: 'POST', ...message })).text()).result ?? {};
  };
  try {
    const preview = await call(PATCH);
    const { plan_token } = JSON.parse((preview['content'] as { text: string }[])[0]?.text ?? '{}');
    const apply = { ...PATCH, dry_run: false, confirm: true, plan_token };
    const asked = await call(apply);
    const [message = ''] = Object.values(asked['inputRequests'] as Record<string, { params: { message: string } }>).map(
      ({ params }) => params.message,
    );
    const answer = {
      inputResponses: { confirm: { action: 'accept', content: typedYes(message) } },
      requestState: asked['requestState'],
    };
    // The yes is used up here although nothing is sent: the target is another one. Then it is as before.
    const before = object;
    object = { name: 'radius-1', type: 'LDAP' };
    await call(apply, answer);
    object = before;
    await call(apply, answer);
    return upstream.writes.length === 0 ? [] : ['it was sent with an answer that had been used'];
  } finally {
    await served.close();
  }
}

/** A dispatch over a recording upstream; the object it shows can be replaced. */
async function bench() {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1', type: 'RADIUS' } });
  const installation = sampleInstallation();
  const config = installation.config({ SOURCE_BASE_URL: upstream.origin, SVC_MCP_MGMT_WRITES: '1' });
  const { catalog } = ensureCatalog(config);
  const { dispatch, close } = openDispatch(config, catalog, createLogger('silent'));
  const run = (args: Record<string, unknown>, more: Partial<Call> = {}): Promise<Result> =>
    dispatch.invoke({
      dispatcher: 'invoke_tool',
      name: 'mgmt_update_auth_server',
      arguments: args,
      principal: 'local',
      approver: approver(),
      ...more,
    });
  const preview = await run(PATCH);
  const { plan_token } = (preview.kind === 'done' ? preview.result : {}) as { plan_token?: string };
  return {
    upstream,
    apply: (more: Partial<Call>) => run({ ...PATCH, dry_run: false, confirm: true, plan_token }, more),
    [Symbol.asyncDispose]: async () => {
      close();
      catalog.close();
      installation[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const yesAfter = (happens: () => void): Approver => ({
  ...approver(),
  ask: async () => {
    happens();
    return { kind: 'answered', answer: { kind: 'yes' } };
  },
});

const nothingSent = ({ writes }: RecordingUpstream): string[] => (writes.length === 0 ? [] : ['it was sent']);

async function changedTarget(): Promise<string[]> {
  await using b = await bench();
  const change = () => {
    b.upstream.object = () => ({ status: 200, body: { name: 'radius-1', type: 'LDAP' } });
  };
  await b.apply({ approver: yesAfter(change) });
  return nothingSent(b.upstream);
}

async function callerLeft(): Promise<string[]> {
  await using b = await bench();
  const caller = new AbortController();
  await b.apply({ signal: caller.signal, approver: yesAfter(() => caller.abort()) });
  const sent = nothingSent(b.upstream);
  await b.apply({});
  // Nothing was used up by a call that sent nothing.
  return b.upstream.writes.length === 1 ? sent : [...sent, 'its plan token was used up, though nothing was sent'];
}

async function listedOnly(): Promise<string[]> {
  const answerTo = approvedList(['/x/1']);
  const agrees = async (target: string) => (await answerTo(target)) === 'yes';
  const wrong = [(await agrees('/x/2')) && 'another request', !(await agrees('/x/1')) && 'not its own request'];
  return [...wrong, (await agrees('/x/1')) && 'its own request twice'].filter((found) => found !== false);
}

async function foreignSession(): Promise<string[]> {
  const app = Fastify({ forceCloseConnections: true });
  const sessions = addMcp(app, {
    factory: () => new Server({ name: 's', version: '1' }, { capabilities: {} }),
    stateless: false,
    limits: SESSION_LIMITS,
    logger: createLogger('silent'),
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const opened = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: initializeBody(),
    });
    await opened.text();
    const id = opened.headers.get('mcp-session-id') ?? '';
    return [
      ...(sessions.find(id, '') === undefined ? ['its own principal does not find it'] : []),
      ...(sessions.find(id, 'somebody else') === undefined ? [] : ['another principal finds it']),
    ];
  } finally {
    await app.close();
  }
}
