/** The network of a test: a platform answered by handlers, every call kept, and any other request a failure. */
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { SAMPLE_BASE } from './sample-installation.ts';

export interface SeenCall {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

export type Responder = (call: SeenCall) => Response | Promise<Response>;

export interface SampleNetwork {
  /** Calls to the platform, without token requests. */
  calls: SeenCall[];
  tokenRequests: SeenCall[];
  /** Answers from now on; the default is an empty object. */
  respond: (responder: Responder) => void;
  respondToken: (responder: Responder) => void;
  [Symbol.dispose]: () => void;
}

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  HttpResponse.json(value as never, { status, headers }) as Response;

export function sampleNetwork(): SampleNetwork {
  let tokens = 0;
  let responder: Responder = () => json({});
  let tokenResponder: Responder = () =>
    json({ access_token: `sample-access-token-${++tokens}`, expires_in: 7200, token_type: 'Bearer' });
  const calls: SeenCall[] = [];
  const tokenRequests: SeenCall[] = [];
  const see = async (request: Request): Promise<SeenCall> => {
    const url = new URL(request.url);
    return {
      method: request.method,
      path: url.pathname.replace('/mgmt', ''),
      query: url.search.slice(1),
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    };
  };
  const server = setupServer(
    http.post(`${SAMPLE_BASE}/as/token`, async ({ request }) => {
      const call = await see(request);
      tokenRequests.push(call);
      return tokenResponder(call) as never;
    }),
    http.all(`${SAMPLE_BASE}/*`, async ({ request }) => {
      const call = await see(request);
      calls.push(call);
      return responder(call) as never;
    }),
  );
  server.listen({ onUnhandledFrame: 'error' });
  return {
    calls,
    tokenRequests,
    respond: (next) => {
      responder = next;
    },
    respondToken: (next) => {
      tokenResponder = next;
    },
    [Symbol.dispose]: () => server.close(),
  };
}
