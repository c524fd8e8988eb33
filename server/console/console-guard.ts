/**
 * Stands in front of every page of the console: one Host that is the console's, for a POST an Origin that is this very
 * address, and headers that let a browser load, frame and send nothing else.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemPage } from './pages/problem-page.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`: with it a browser sends `Origin: null` with a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'interest-cohort=()',
  'cache-control': 'no-store',
};

export interface ConsoleAddress {
  /** Origin under which operators open it; undefined for the address it listens at. */
  url: string | undefined;
  /** The port it listens at, known once it does. */
  port: () => number;
}

export function addConsoleGuard(app: FastifyInstance, address: ConsoleAddress): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(HEADERS);
    const host = onlyHost(request);
    const origin = host === undefined ? undefined : originOf(address, host);
    if (origin === undefined)
      return refuse(
        reply,
        'This address is not the one of the console.',
        'Open the console under the address that its router printed.',
      );
    if (request.method === 'GET' || request.method === 'HEAD') return;
    if (request.headers.origin !== origin || isForeign(request))
      return refuse(
        reply,
        'This form was sent from another page than one of the console. Nothing was approved, declined or changed.',
        'Open the console yourself, and answer there.',
      );
  });
}

function refuse(reply: FastifyReply, what: string, todo: string): FastifyReply {
  return reply
    .code(403)
    .type('text/html; charset=utf-8')
    .send(problemPage({ title: 'Refused', what, todo }));
}

/** A browser that says where a request comes from says so truthfully. */
function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}

function onlyHost({ raw }: FastifyRequest): string | undefined {
  const found = raw.rawHeaders.filter((_, at) => at % 2 === 1 && raw.rawHeaders[at - 1]?.toLowerCase() === 'host');
  return found.length === 1 ? found[0]?.toLowerCase() : undefined;
}

/** The origin that this host stands for; undefined where it is not the console's. */
function originOf({ url, port }: ConsoleAddress, host: string): string | undefined {
  if (url !== undefined) return new URL(url).host === host ? url : undefined;
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`);
  return names.includes(host) ? `http://${host}` : undefined;
}
