/**
 * The operator console: a small web application on a listener of its own. It answers approvals, stops writes and shows what
 * the router does. It knows no tool and sends nothing to a platform; a bearer token of an agent is nothing here, and a
 * session of it is nothing at the MCP listener.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ANSWER_PROBLEMS } from '../approvals/answer-problems.ts';
import { stateOf } from '../approvals/approval.ts';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { Operators } from '../approvals/operators.ts';
import { SignIn } from '../approvals/sign-in.ts';
import type { WriteSwitch } from '../approvals/write-switch.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ConsoleBinding } from '../config/approval-settings.ts';
import type { SharedState } from '../dispatch/shared-state.ts';
import { Connections, countRequests } from '../http/connections.ts';
import { addPipelineLimit, HTTP_LIMITS, type HttpLimits, limitedServer } from '../http/limits.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { addConsoleGuard } from './console-guard.ts';
import { ConsoleSessions, type Session } from './console-sessions.ts';
import type { ConsoleSources, FindView } from './console-sources.ts';
import { addFormParser, fieldOf, fieldsOf, queryOf } from './form-fields.ts';
import { LivePages } from './live-pages.ts';
import { addOidcRoutes } from './oidc-routes.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';
import { approvalListPage, approvalPage } from './pages/approval-page.ts';
import { callPage } from './pages/call-page.ts';
import type { Frame } from './pages/layout.ts';
import { LIVE_SCRIPT } from './pages/live-script.ts';
import { problemPage } from './pages/problem-page.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { STYLE } from './pages/style.ts';
import { auditPage, callsPage, findPage, metricsPage, platformsPage } from './pages/view-pages.ts';
import { FORM_OLD, GONE, NO_CALL, problemOf, SESSION_OVER, WRONG_PASSWORD } from './problems.ts';

export interface ConsoleOptions {
  binding: ConsoleBinding;
  state: SharedState;
  /** Undefined where operators approve nothing. */
  service: ApprovalService | undefined;
  writes: WriteSwitch;
  operators: Operators;
  /** Whether this is the bearer token of the agents. */
  isBearer: (text: string) => boolean;
  audit: AuditLog | undefined;
  sources: ConsoleSources;
  /** Undefined where operators sign in by password alone. */
  oidc?: OidcSignIn | undefined;
  /** How often live pages look for something new, in milliseconds. */
  liveMs?: number;
  logger: Logger;
}

/** Of people with browsers, and of whoever else reaches the port: those that only connect cannot keep an operator from stopping writes. */
const LIMITS: HttpLimits = {
  ...HTTP_LIMITS,
  bodyBytes: 64 * 1024,
  requestMs: 15_000,
  keepAliveMs: 5_000,
  connections: 256,
  unproven: 192,
};
const NOTHING_FOUND: FindView = { rows: [], note: undefined };
const NEXT = /^\/(approvals(\/[A-Za-z0-9_-]{43})?|calls|platforms|audit|metrics|find)$/;
const HOME = '/approvals';

export class OperatorConsole {
  readonly app: FastifyInstance;
  readonly #options: ConsoleOptions;
  readonly #sessions: ConsoleSessions;
  readonly #signIn: SignIn;
  readonly #live: LivePages;
  readonly #connections: Connections;
  /** Over https alone the name of the console is its own. */
  readonly #secure: boolean;

  constructor(options: ConsoleOptions) {
    const { binding, state, operators, logger, isBearer, audit } = options;
    this.#options = options;
    this.#secure = binding.url?.startsWith('https://') === true;
    this.#sessions = new ConsoleSessions({ ...state, operators, secure: this.#secure });
    this.#signIn = new SignIn({ operators, isBearer, record: (line) => audit?.record(line) });
    this.#live = new LivePages(() => this.#version(), options.liveMs);
    this.#connections = new Connections(LIMITS, logger);
    this.app = Fastify({
      bodyLimit: LIMITS.bodyBytes,
      forceCloseConnections: true,
      serverFactory: (handler) => limitedServer(LIMITS, handler, logger, this.#connections),
    });
    countRequests(this.app, this.#connections);
    addPipelineLimit(this.app, LIMITS.pipelined);
    addFormParser(this.app);
    addConsoleGuard(this.app, { url: binding.url, port: () => this.#port() });
    this.app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) logger.error('console.failed', errorFields(error));
      return html(reply.code(status), problemPage(problemOf(error, status)));
    });
    this.app.setNotFoundHandler((_request, reply) =>
      html(
        reply.code(404),
        problemPage({ title: 'Not found', what: 'There is no such page.', todo: 'Go to the approvals.' }),
      ),
    );
    this.#addEntrance();
    if (options.oidc) addOidcRoutes(this.app, { signIn: options.oidc, sessions: this.#sessions, pageOf, logger });
    this.#addApprovals();
    this.#addViews();
    this.#addLive();
  }

  #port(): number {
    const address = this.app.server.address();
    return typeof address === 'object' && address !== null ? address.port : this.#options.binding.port;
  }

  #addEntrance(): void {
    this.app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
    this.app.get('/', (_request, reply) => reply.redirect(HOME, 303));
    this.app.get('/sign-in', (request, reply) => this.#askToSignIn(reply, queryOf(request, 'next')));
    this.app.post('/sign-in', async (request, reply) => {
      const next = fieldOf(request, 'next');
      if (!this.#sessions.isVisitorToken(request.headers.cookie, fieldOf(request, 'token')))
        return this.#askToSignIn(reply.code(403), next, 'The form was too old. Sign in again.');
      const signedIn = await this.#signIn.check(fieldOf(request, 'name'), fieldOf(request, 'password'), 'console');
      if (!signedIn.ok) {
        const seconds = Math.ceil(signedIn.waitMs / 1000);
        if (seconds > 0) void reply.header('retry-after', seconds);
        const problem = seconds > 0 ? `Too many tries. Wait ${seconds} seconds.` : 'The name or the password is wrong.';
        return this.#askToSignIn(reply.code(seconds > 0 ? 429 : 401), next, problem);
      }
      const cookie = await this.#sessions.begin(signedIn.operator, request.headers.cookie);
      return reply.header('set-cookie', cookie).redirect(pageOf(next), 303);
    });
    this.app.post('/sign-out', (request, reply) =>
      this.#changed(request, reply, async () => {
        const cookie = await this.#sessions.end(request.headers.cookie);
        return reply.header('set-cookie', cookie).redirect('/sign-in', 303);
      }),
    );
  }

  #askToSignIn(reply: FastifyReply, next: string, problem = ''): FastifyReply {
    const { cookie, formToken } = this.#sessions.visit();
    const provider = this.#options.oidc?.host ?? '';
    const page = signInPage({ formToken, next: pageOf(next), problem, provider });
    return html(reply.header('set-cookie', cookie), page);
  }

  #addApprovals(): void {
    this.app.get('/approvals', (request, reply) =>
      this.#shown(request, reply, async (_session, frame) => {
        const approvals = (await this.#options.service?.list()) ?? [];
        return approvalListPage(approvals, Date.now(), frame);
      }),
    );
    this.app.get('/approvals/:id', (request, reply) =>
      this.#shown(request, reply, async ({ operator }, frame) => {
        const approval = await this.#options.service?.read(idOf(request));
        if (approval === undefined) {
          void reply.code(404);
          return problemPage(GONE, frame);
        }
        const own = operator.principals.includes(approval.principal);
        const { name, stamp } = operator;
        const agreed = approval.decisions.some((one) => one.operator === name && one.stamp === stamp);
        return approvalPage({ approval, now: Date.now(), own, agreed }, frame);
      }),
    );
    this.app.post('/approvals/:id/answer', (request, reply) =>
      this.#changed(request, reply, (session) => this.#answer(session, request, reply)),
    );
    this.app.post('/writes', (request, reply) =>
      this.#changed(request, reply, async (session) => {
        const writes = fieldOf(request, 'writes');
        if (writes !== 'stopped' && writes !== 'allowed') return html(reply.code(400), problemPage(FORM_OLD));
        const refused = writes === 'allowed' ? await this.#withoutPassword(session, request) : undefined;
        if (refused !== undefined) return html(reply.code(401), refused);
        const reason = fieldOf(request, 'reason').slice(0, 500);
        await this.#options.writes.change({ writes, by: session.operator.name, where: 'console', reason });
        return reply.redirect('/platforms', 303);
      }),
    );
  }

  /** Undefined where the answer may count; else the page that says why not. A no and a stop never need the password. */
  async #withoutPassword({ operator }: Session, request: FastifyRequest): Promise<string | undefined> {
    if (this.#secure) return undefined;
    const signedIn = await this.#signIn.check(operator.name, fieldOf(request, 'password'), 'console');
    if (signedIn.ok) return undefined;
    const wait = signedIn.waitMs > 0 ? ` Wait ${Math.ceil(signedIn.waitMs / 1000)} seconds.` : '';
    return problemPage({ ...WRONG_PASSWORD, todo: `${WRONG_PASSWORD.todo}${wait}`, approval: approvalOf(request) });
  }

  async #answer(session: Session, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { operator } = session;
    const id = idOf(request);
    const verdict = fieldOf(request, 'verdict');
    if (verdict !== 'approve' && verdict !== 'decline') return html(reply.code(400), problemPage(FORM_OLD));
    const refused = verdict === 'approve' ? await this.#withoutPassword(session, request) : undefined;
    if (refused !== undefined) return html(reply.code(401), refused);
    const answered = await this.#options.service?.answer(id, {
      operator,
      verdict,
      where: 'console',
      reason: fieldOf(request, 'reason'),
      digest: fieldOf(request, 'digest'),
      objects: fieldsOf(request, 'object'),
    });
    if (answered?.ok) return reply.redirect(`/approvals/${id}`, 303);
    const { what, todo } = ANSWER_PROBLEMS[answered?.problem ?? 'gone'];
    const problem = { title: 'Your answer did not count', what: `${what} Nothing was sent.`, todo };
    return html(reply.code(409), problemPage({ ...problem, approval: approvalOf(request) }));
  }

  #addViews(): void {
    const { sources, writes } = this.#options;
    this.#addView('/calls', async (frame, word) => callsPage(sources.calls(word), word, sources.mostCalls, frame));
    this.app.get('/calls/:id', (request, reply) =>
      this.#shown(request, reply, async (_session, frame) => {
        const call = sources.trace(idOf(request));
        if (call !== undefined) return callPage(call, frame);
        void reply.code(404);
        return problemPage(NO_CALL, frame);
      }),
    );
    this.#addView('/platforms', async (frame) =>
      platformsPage({ rows: sources.platforms(), profile: sources.profile, writes: await writes.state() }, frame),
    );
    this.#addView('/audit', async (frame, word, verify) => auditPage(await sources.audit(word, verify), word, frame));
    this.#addView('/metrics', async (frame) => metricsPage(sources.metrics(), frame));
    this.#addView('/find', async (frame, word) =>
      findPage(word === '' ? NOTHING_FOUND : sources.find(word), word, frame),
    );
  }

  #addLive(): void {
    this.app.addHook('preClose', async () => this.#live.close());
    this.app.get('/live.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(LIVE_SCRIPT));
    this.app.get('/live', async (request, reply) => {
      const { cookie } = request.headers;
      const session = await this.#sessionOf(request);
      // A stream cannot ask to sign in; 204 keeps the browser from trying again.
      if (session === undefined) return reply.code(204).send();
      const response = reply.raw;
      const counts = async () => (await this.#sessions.find(cookie)) !== undefined;
      if (!this.#live.add({ session: session.id, response, counts })) return reply.code(204).send();
      reply.hijack();
      const headers = reply.getHeaders() as Record<string, string>;
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write('retry: 10000\n\n');
      return reply;
    });
  }

  /** Of what approvals and calls look like now. */
  async #version(): Promise<string> {
    const { service, sources } = this.#options;
    const approvals = (await service?.list()) ?? [];
    const states = approvals.map((one) => [one.id, stateOf(one, Date.now()), one.decisions.length]);
    return JSON.stringify([states, sources.calls('')[0]]);
  }

  #addView(path: string, show: (frame: Frame, word: string, verify: boolean) => Promise<string>): void {
    this.app.get(path, (request, reply) =>
      this.#shown(request, reply, (_session, frame) =>
        show(frame, queryOf(request, 'q').slice(0, 200), queryOf(request, 'verify') === '1'),
      ),
    );
  }

  /** The session of a request; the connection of an operator gives way to nobody. */
  async #sessionOf({ raw, headers }: FastifyRequest): Promise<Session | undefined> {
    const session = await this.#sessions.find(headers.cookie);
    if (session !== undefined) this.#connections.prove(raw.socket, session.operator.name);
    return session;
  }

  /** A page for whoever is signed in; anybody else is asked to sign in. */
  async #shown(
    request: FastifyRequest,
    reply: FastifyReply,
    show: (session: Session, frame: Frame) => Promise<string>,
  ): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0] as string;
    const session = await this.#sessionOf(request);
    if (session === undefined) return this.#askToSignIn(reply.code(401), path);
    const state = await this.#options.writes.state();
    const { name: operator } = session.operator;
    const writesStopped = state?.writes === 'stopped';
    const frame = { operator, formToken: session.formToken, writesStopped, asksPassword: !this.#secure, path };
    return html(reply, await show(session, frame));
  }

  /** A change by whoever is signed in, from a form of this very session. */
  async #changed(
    request: FastifyRequest,
    reply: FastifyReply,
    change: (session: Session) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const session = await this.#sessionOf(request);
    const approval = approvalOf(request);
    if (session === undefined) return html(reply.code(401), problemPage({ ...SESSION_OVER, approval }));
    if (!this.#sessions.isFormToken(session, fieldOf(request, 'token')))
      return html(reply.code(403), problemPage({ ...FORM_OLD, approval }));
    return change(session);
  }
}

const html = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/html; charset=utf-8').send(text);

const pageOf = (next: string): string => (NEXT.test(next) ? next : HOME);

const idOf = ({ params }: FastifyRequest): string => String((params as { id?: unknown }).id);

/** Path of the approval that a form was about; undefined for another form. */
const approvalOf = ({ url }: FastifyRequest): string | undefined => /^(\/approvals\/[\w-]{43})\/answer$/.exec(url)?.[1];
