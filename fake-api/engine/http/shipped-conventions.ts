/** How the shipped documents state what a request needs: by `x-svc-*` extensions and by security schemes of known names. */
import { login, logout } from '../behaviours/login.ts';
import { issueToken } from '../behaviours/token.ts';
import { BEHAVIOURS } from '../openapi/behaviours.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import type { AuthKind, Kind, Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import { valueCheck } from '../openapi/validators.ts';
import type { State } from '../state/state.ts';
import { authOf, credentialProblem, headerOf } from './auth.ts';
import type { AccessRequest, Conventions, Rendered, Where } from './conventions.ts';
import type { Answer, Done, Refusal } from './platform-answer.ts';
import { problemText } from './problem.ts';
import { STRICT_BODY } from './request-body.ts';

export const SHIPPED_CONVENTIONS: Conventions = {
  access: {
    refusal: (platform, state, _operation, call) => credentialProblem(authOf(platform), state, platform.id, call),
    credentialParameters,
    issues,
    issue,
  },
  checkParameter: valueCheck,
  body: STRICT_BODY,
  undecodablePath: 404,
  behaviourOf: ({ kind }) => BEHAVIOURS[kind as Exclude<Kind, AuthKind>],
  render,
  renderRefusal,
};

const NONE: ReadonlySet<string> = new Set();

/** A session id is a credential. */
function credentialParameters(platform: Platform): ReadonlySet<string> {
  const auth = authOf(platform);
  return auth.kind === 'session' ? new Set([auth.query]) : NONE;
}

function issues(platform: Platform, operation: Operation | null, request: { method: string; path: string }): boolean {
  if (operation !== null) return ['token', 'login', 'logout'].includes(operation.kind);
  const auth = authOf(platform);
  return auth.kind === 'oauth2-client-credentials' && request.path === auth.tokenPath && request.method === 'POST';
}

function issue(platform: Platform, state: State, operation: Operation | null, request: AccessRequest): Answer {
  const auth = authOf(platform);
  if (operation === null || operation.kind === 'token')
    return issueToken(state, platform.id, operation, request.body, request.headers);
  if (operation.kind === 'login') return login(auth, state, operation, headerOf(request, 'content-type'), request.body);
  return logout(auth, state, operation, request);
}

function render(answer: Done, operation: Operation | null): Rendered {
  const { status, body, media } = answer;
  if (body === undefined || status === 204) return { status, media: null, body: '' };
  const declared = operation === null ? null : successOf(operation).media;
  const text = typeof body === 'string' && media !== undefined ? body : JSON.stringify(body);
  return { status, media: media ?? declared ?? 'application/json', body: text };
}

function renderRefusal(refusal: Refusal, operation: Operation | null, { platform, state, sequence }: Where): Rendered {
  const { errors } = platform;
  const body = problemText(refusal, operation, errors, { seed: state.seed, sequence });
  return { status: refusal.status, media: errors.media, body };
}
