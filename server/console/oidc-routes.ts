/** The sign-in at an OpenID provider as pages of the console: the way there, and the way back. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RouterError } from '../errors.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { queryOf } from './form-fields.ts';
import { CALLBACK, type OidcSignIn } from './oidc-sign-in.ts';
import { type Problem, problemPage } from './pages/problem-page.ts';
import { signedInPage } from './pages/sign-in-page.ts';

export interface OidcRoutes {
  signIn: OidcSignIn;
  sessions: ConsoleSessions;
  /** A page of the console: the one asked for, or the first. */
  pageOf: (next: string) => string;
  logger: Logger;
}

const AGAIN = 'Sign in again.';
const OTHER: Problem = {
  title: 'Not signed in',
  what: 'This answer of the provider belongs to no sign-in of this browser, or was used before, or came too late.',
  todo: AGAIN,
};
const REFUSED: Problem = { title: 'Not signed in', what: 'The provider did not confirm who you are.', todo: AGAIN };
const DOWN: Problem = {
  title: 'Not signed in',
  what: 'The provider cannot be asked, or its answers are not those of the provider that this console was set up with.',
  todo: 'Try again in a while. Whoever runs the router finds the cause in its log.',
};
const nobody = (subject: string): Problem => ({
  title: 'Not an operator',
  what: `The provider knows you as ${subject}, and no operator of this router has this subject.`,
  todo: 'Whoever runs the router adds you: svc-mcp-approvals operator-add NAME --oidc-subject SUBJECT',
});

export function addOidcRoutes(app: FastifyInstance, { signIn, sessions, pageOf, logger }: OidcRoutes): void {
  /** Says what went wrong in plain words; the log has the rest. */
  const unlessRefused = async (reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      logger.warn('console.oidc', errorFields(error));
      const isRefusal = error.code === 'UPSTREAM_FORBIDDEN';
      return html(reply.code(isRefusal ? 403 : 503), problemPage(isRefusal ? REFUSED : DOWN));
    }
  };
  app.get('/sign-in/oidc', (request, reply) =>
    unlessRefused(reply, async () => {
      const { url, cookie } = await signIn.begin(pageOf(queryOf(request, 'next')));
      return reply.header('set-cookie', cookie).redirect(url, 303);
    }),
  );
  app.get(CALLBACK, (request, reply) =>
    unlessRefused(reply, async () => {
      const answer = new URL(request.url, 'http://console').searchParams;
      const end = await signIn.finish(answer, request.headers.cookie);
      if (end.kind === 'other sign-in') return html(reply.code(403), problemPage(OTHER));
      if (end.kind === 'nobody') return html(reply.code(403), problemPage(nobody(end.subject)));
      const cookie = await sessions.begin(end.operator, request.headers.cookie);
      void reply.header('set-cookie', [cookie, signIn.ended]);
      // Not a redirect: on the way from another site a browser leaves the cookie of the session out.
      return html(reply.header('refresh', `0; url=${end.next}`), signedInPage(end.next));
    }),
  );
}

const html = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/html; charset=utf-8').send(text);
