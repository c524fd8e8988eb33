/** Login with a user name and a password: a token for a header, or a session with its CSRF token; and the way out. */
import { isSecret, USERNAME } from '../http/account.ts';
import { type Auth, credentialProblem, type Presented, presentedToken } from '../http/auth.ts';
import { type Answer, done, refuse } from '../http/platform-answer.ts';
import { readBody, STRICT_BODY } from '../http/request-body.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { Dice } from '../state/determinism.ts';
import type { State } from '../state/state.ts';

export function login(
  auth: Auth,
  state: State,
  operation: Operation,
  contentType: string,
  bytes: Buffer | null,
): Answer {
  const body = readBody(operation, contentType, bytes, STRICT_BODY);
  if (body.kind !== 'body') return body;
  const { username, password } = body.value as { username?: string; password?: string };
  if (username !== USERNAME || !isSecret(password))
    return refuse(401, 'UNAUTHORIZED', 'username and password: expected a known pair, got an unknown one');
  const { platform } = operation;
  const dice = new Dice(state.seed, 'login', platform, state.next(`token ${platform}`));
  const token = dice.base32(48);
  const lifetimeSeconds = operation.lifetimeSeconds ?? Number.POSITIVE_INFINITY;
  const issued = { platform, issuedAtMs: state.clock.ms, lifetimeSeconds };
  const { status } = successOf(operation);
  if (auth.kind !== 'session') {
    state.tokens.set(token, issued);
    return done(status, { token, expires_in: lifetimeSeconds });
  }
  const csrf = dice.base32(32);
  state.tokens.set(token, { ...issued, csrf });
  return done(status, { session_id: token, csrf_token: csrf, expires_in: lifetimeSeconds });
}

/** The credential of the call is worth nothing afterwards. */
export function logout(auth: Auth, state: State, operation: Operation, call: Presented): Answer {
  const problem = credentialProblem(auth, state, operation.platform, call);
  if (problem !== null) return problem;
  state.tokens.delete(presentedToken(auth, call) ?? '');
  return done(successOf(operation).status);
}
