/** Guards of the approvals that operators give, and of the console, taken out. Each must turn the tests that are named. */
import { type AccessMutant, oneTested } from './access-mutant.ts';

const CONSOLE = 'console/console.ts';
const GUARD = 'console/console-guard.ts';
const SESSIONS = 'console/console-sessions.ts';
const SERVICE = 'approvals/approval-service.ts';
const SIGN_IN = 'approvals/sign-in.ts';
const OIDC = 'console/oidc-sign-in.ts';
const ID_TOKEN = 'oidc/id-token.ts';

const attempts = oneTested('console/attempts.slow.test.ts');
const pages = oneTested('console/console.test.ts');
const sessions = oneTested('console/console-sessions.test.ts');
const oidc = oneTested('console/oidc.test.ts');
const service = oneTested('approvals/approval-service.test.ts');
const calls = oneTested('dispatch/operator-approval.test.ts');
const stopping = oneTested('approvals/write-switch.test.ts');

export const CONSOLE_MUTANTS: readonly AccessMutant[] = [
  // Who sends a form.
  attempts(
    'a form of any origin counts',
    GUARD,
    'request.headers.origin !== origin || isForeign(request)',
    'isForeign(request)',
  ),
  attempts(
    'a form that a browser calls foreign counts',
    GUARD,
    'request.headers.origin !== origin || isForeign(request)',
    'request.headers.origin !== origin',
  ),
  attempts('any name is the name of the console', GUARD, 'return names.includes(host) ?', 'return names.length > 0 ?'),
  attempts('the first of two Host headers counts', GUARD, 'found.length === 1 ?', 'found.length >= 1 ?'),
  attempts(
    'a form needs no token of its session',
    CONSOLE,
    "if (!this.#sessions.isFormToken(session, fieldOf(request, 'token')))",
    "if (fieldOf(request, 'token') === undefined)",
  ),
  attempts(
    'a sign-in form may come from another page',
    CONSOLE,
    "if (!this.#sessions.isVisitorToken(request.headers.cookie, fieldOf(request, 'token')))",
    "if (fieldOf(request, 'token') === undefined)",
  ),
  attempts(
    'over plain http the session alone approves',
    CONSOLE,
    'if (this.#secure) return undefined;',
    'if (operator !== undefined) return undefined;',
  ),
  attempts(
    'the sign-in leads to any page',
    CONSOLE,
    'const pageOf = (next: string): string => (NEXT.test(next) ? next : HOME);',
    'const pageOf = (next: string): string => (NEXT.test(HOME) ? next : HOME);',
  ),
  // Sessions.
  sessions(
    'a session never ends',
    SESSIONS,
    'sealed === undefined || sealed.until <= this.#now()',
    'sealed === undefined',
  ),
  sessions(
    'a session outlives its operator and its password',
    SESSIONS,
    'if (operator === undefined || operator.stamp !== sealed.stamp) return undefined;',
    'if (operator === undefined) return undefined;',
  ),
  attempts(
    'a session outlives its sign-out',
    SESSIONS,
    'if (await this.#options.used.isConsumed(sealed.id, sealed.until)) return undefined;',
    '',
  ),
  sessions(
    'the first of two sessions counts',
    SESSIONS,
    'return values.length === 1 ? values[0] : undefined;',
    'return values[0];',
  ),
  // Sign-in.
  attempts(
    'the bearer of the agents is a password',
    SIGN_IN,
    'operator = this.#options.isBearer?.(password) === true ? undefined : found;',
    'operator = found;',
  ),
  pages('passwords are tried without a pause', SIGN_IN, 'if (waitMs > 0) return { ok: false, waitMs };', ''),
  pages(
    'any password is right',
    'approvals/operators.ts',
    "const right = timingSafeEqual(given, Buffer.from(stored.hash, 'base64url'));",
    'const right = timingSafeEqual(given, given);',
  ),
  oidc('an ID token of another client signs in', ID_TOKEN, 'audience: clientId,', ''),
  oidc('an ID token of another issuer signs in', ID_TOKEN, '      issuer,\n', ''),
  oidc(
    'an ID token of another sign-in signs in',
    ID_TOKEN,
    "if (!isSame(payload['nonce'], nonce)) throw refused('it belongs to another sign-in (nonce)');",
    '',
  ),
  oidc('an old ID token signs in', ID_TOKEN, 'maxTokenAge: OLDEST_SECONDS,', ''),
  oidc('an ID token for another party signs in', ID_TOKEN, 'azp !== clientId) throw', 'azp === clientId) throw'),
  oidc(
    'the answer to another browser signs in',
    OIDC,
    '|| !hasState(answer, sealed.state))',
    "|| answer.get('state') === null)",
  ),
  oidc(
    'an answer of the provider counts twice',
    OIDC,
    "if (!(await this.#options.state.used.consume(sealed.state, sealed.until))) return { kind: 'other sign-in' };",
    '',
  ),
  oidc(
    'a provider may name another issuer',
    'oidc/sign-in-provider.ts',
    'if (configuration.issuer !== issuer)',
    'if (configuration.issuer === undefined)',
  ),
  // The approval.
  attempts(
    'a yes is for whatever the request is now',
    SERVICE,
    "if (answering.digest !== approval.digest) return 'changed';",
    '',
  ),
  attempts('who asks approves', SERVICE, "if (principals.includes(approval.principal)) return 'own request';", ''),
  attempts(
    'what is destroyed need not be named',
    SERVICE,
    "return named && answering.objects.length === objects.length ? undefined : 'object not named';",
    'return undefined;',
  ),
  attempts('what was answered is answered again', SERVICE, "if (state !== 'pending') return 'decided';", ''),
  attempts(
    'an approval never expires',
    'approvals/approval.ts',
    "return open && (now >= expiresAt || requests.length === 0) ? 'expired' : state;",
    "return open && requests.length === 0 ? 'expired' : state;",
  ),
  service(
    'one operator counts as two',
    SERVICE,
    "if (approval.decisions.some(({ operator }) => operator === name)) return 'same operator';",
    '',
  ),
  service(
    'one operator is enough to destroy',
    SERVICE,
    'decisions.length >= approval.needed ?',
    'decisions.length >= 1 ?',
  ),
  service(
    'an approval is used twice',
    SERVICE,
    "standing === approval ? { ...approval, state: 'used', requests: [] } : standing",
    'standing',
  ),
  service(
    'the yes of a removed operator counts',
    SERVICE,
    'operator !== undefined && operator.stamp === stamp &&',
    'operator?.principals.includes(stamp) !== true && operator !== undefined &&',
  ),
  service(
    'an approval of one digest is used for another',
    SERVICE,
    "=== 'approved' && approval.digest === digest",
    "=== 'approved' && approval.digest !== ''",
  ),
  service(
    'the requests stay when they are decided against',
    SERVICE,
    "return { ...approval, state: 'declined', decisions, requests: [] };",
    "return { ...approval, state: 'declined', decisions };",
  ),
  service(
    'an answer counts that is not on record',
    SERVICE,
    "this.#record(approval, verdict === 'approve' ? 'approved' : 'declined', decision);",
    '',
  ),
  service('one caller fills the list', SERVICE, 'await this.#mustHaveRoom(asking);', ''),
  service(
    'an answer overwrites the one before it',
    'approvals/file-approval-store.ts',
    'if (this.#textOf(id) !== before) return false;',
    'if (this.#textOf(id) === undefined) return false;',
  ),
  {
    ...service(
      'a stored approval opens under another id',
      'approvals/sealed-approval.ts',
      'cipher = createCipheriv(CIPHER, keys.current, nonce).setAAD(Buffer.from(approval.id));',
      'cipher = createCipheriv(CIPHER, keys.current, nonce);',
    ),
    edits: [
      { file: 'approvals/sealed-approval.ts', from: '.setAAD(Buffer.from(approval.id))', to: '' },
      { file: 'approvals/sealed-approval.ts', from: '        .setAAD(Buffer.from(id))\n', to: '' },
    ],
  },
  calls(
    'one yes at the client destroys where two operators should agree',
    'dispatch/approvals.ts',
    '|| operators.needs(requests);',
    ';',
  ),
  calls(
    'to open the link is a yes',
    'dispatch/operator-approval.ts',
    "if (opened?.kind === 'declined' || opened?.kind === 'cancelled') {",
    "if (opened?.kind === 'opened') return { decisions: [], askedAt: 0 };\n    if (opened?.kind === 'declined' || opened?.kind === 'cancelled') {",
  ),
  calls('stopped writes are sent', 'dispatch/approvals.ts', 'await this.#options.writes?.mustAllow();', ''),
  stopping(
    'a write switch that cannot be read allows',
    'approvals/write-switch.ts',
    'return stateIn(text) ?? unreadable(this.#now());',
    'return stateIn(text);',
  ),
  stopping(
    'a Redis that lost its memory resumes the writes',
    'approvals/write-switch.ts',
    'return own ?? shared;',
    'return shared;',
  ),
  stopping(
    'a Redis that came back with an older state resumes the writes',
    'approvals/write-switch.ts',
    '(shared.number >= own.number ? shared : own)',
    'shared',
  ),
  stopping(
    'a write switch that cannot be read yields to a Redis that allows',
    'approvals/write-switch.ts',
    '[own, shared].find(isUnreadable) ??',
    '',
  ),
  stopping(
    'a stop that cannot be kept here is not told to Redis',
    'approvals/write-switch.ts',
    'if (!stops) throw error;',
    'throw error;',
  ),
];
