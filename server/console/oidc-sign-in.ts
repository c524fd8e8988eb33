/**
 * Operators sign in at an OpenID provider: authorization code with PKCE, state and nonce. What a sign-in needs again stands
 * in a signed cookie, so any replica can end what another began. The verifier and the nonce are derived from the state
 * under the signing keys: neither the browser nor a store holds the verifier.
 */
import { randomBytes } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import type { Operator, Operators } from '../approvals/operators.ts';
import type { SignInOptions } from '../approvals/sign-in.ts';
import type { OidcSettings } from '../config/approval-settings.ts';
import { consoleClientSecret } from '../config/console-client-secret.ts';
import { keysFor } from '../dispatch/keyring.ts';
import type { SharedState } from '../dispatch/shared-state.ts';
import { macOf, Signer } from '../dispatch/signing.ts';
import type { Egress } from '../egress/egress.ts';
import {
  type Attempt,
  authorizationUrl,
  type CodeClient,
  codeOf,
  exchangeCode,
  hasState,
} from '../oidc/authorization-code.ts';
import type { OpenIdConfiguration } from '../oidc/authorization-server.ts';
import { subjectOf } from '../oidc/id-token.ts';
import { providerConfiguration, providerFailed, providerKeys } from '../oidc/sign-in-provider.ts';
import { cookieIn } from './console-sessions.ts';

export const CALLBACK = '/sign-in/oidc/callback';
/** How long a person may take at the provider, and how long its configuration is kept, in milliseconds. */
const LIFE_MS = 600_000;
/** Sign-ins that ask the provider at the same time: a flood of them asks no more. */
const MOST_AT_ONCE = 8;
const COOKIE = '__Host-svc_mcp_oidc';
const TITLE = 'sign-in of operators';

export interface OidcSignInOptions extends Pick<SignInOptions, 'record'> {
  settings: OidcSettings;
  /** Origin under which operators open the console; https. */
  origin: string;
  state: SharedState;
  operators: Operators;
  egress: Egress;
  /** Told the client secret, so that it can be kept out of what is logged. */
  learn: (secret: string) => void;
  now?: () => number;
}

interface Sealed {
  state: string;
  /** Page of the console. */
  next: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** `other sign-in`: the answer belongs to none of this browser, or was used before. */
export type OidcEnd =
  | { kind: 'operator'; operator: Operator; next: string }
  | { kind: 'other sign-in' }
  | { kind: 'nobody'; subject: string };

export class OidcSignIn {
  readonly #options: OidcSignInOptions;
  readonly #signer: Signer;
  readonly #clientSecret: string;
  readonly #now: () => number;
  #provider: { configuration: OpenIdConfiguration; until: number } | undefined;
  #running = 0;

  /** Throws CONFIG_INVALID where the client secret cannot be read. */
  constructor(options: OidcSignInOptions) {
    this.#options = options;
    this.#signer = new Signer(options.state.keys, 'console-oidc');
    this.#now = options.now ?? Date.now;
    const { clientSecretPath } = options.settings;
    this.#clientSecret = clientSecretPath === undefined ? '' : consoleClientSecret(clientSecretPath);
    if (this.#clientSecret !== '') options.learn(this.#clientSecret);
  }

  /** What the page calls the provider. */
  get host(): string {
    return new URL(this.#options.settings.issuer).host;
  }

  /** Where the browser goes, and the cookie that it has to bring back. Throws UPSTREAM_FAILED where the provider is down. */
  async begin(next: string): Promise<{ url: string; cookie: string }> {
    const state = randomBytes(32).toString('base64url');
    const client = this.#clientOf(await this.#bounded(() => this.#configuration()));
    const sealed: Sealed = { state, next, until: this.#now() + LIFE_MS };
    return {
      url: authorizationUrl(client, this.#attempt(state)),
      cookie: cookieOf(this.#signer.seal(sealed), LIFE_MS / 1000),
    };
  }

  /** The cookie that takes the one of `begin` away. */
  readonly ended: string = cookieOf('', 0);

  /**
   * Who came back. The state counts once, whichever replica it reaches. Throws UPSTREAM_FORBIDDEN where the provider or its
   * token is refused, UPSTREAM_FAILED where the provider is down.
   */
  async finish(answer: URLSearchParams, cookies: string | undefined): Promise<OidcEnd> {
    const sealed = this.#sealedIn(cookies);
    if (sealed === undefined || sealed.until <= this.#now() || !hasState(answer, sealed.state))
      return { kind: 'other sign-in' };
    if (!(await this.#options.state.used.consume(sealed.state, sealed.until))) return { kind: 'other sign-in' };
    const { operators, settings, record } = this.#options;
    const subject = await this.#bounded(() => this.#subject(answer, this.#attempt(sealed.state)));
    const operator = operators.findIdentity({ issuer: settings.issuer, subject });
    const event = operator ? 'accepted' : 'refused';
    record?.({ kind: 'sign_in', event, operator: operator?.name ?? `oidc:${subject}`.slice(0, 64), where: 'console' });
    return operator ? { kind: 'operator', operator, next: sealed.next } : { kind: 'nobody', subject };
  }

  async #subject(answer: URLSearchParams, attempt: Required<Attempt>): Promise<string> {
    const { egress, settings } = this.#options;
    const configuration = await this.#configuration();
    const client = this.#clientOf(configuration);
    const code = codeOf(client, answer);
    const token = (await exchangeCode(client, { ...attempt, code }, egress)).text('id_token');
    if (token === undefined) throw providerFailed('answered with no ID token');
    const keys = (await providerKeys(egress, configuration)) as JSONWebKeySet;
    const { issuer, clientId } = settings;
    return subjectOf(token, { issuer, clientId, nonce: attempt.nonce, keys });
  }

  #attempt(state: string): Required<Attempt> {
    const { origin, state: shared } = this.#options;
    const derived = (purpose: string) => macOf(keysFor(shared.keys, purpose).current, state);
    return {
      state,
      verifier: derived('console-oidc-verifier'),
      nonce: derived('console-oidc-nonce'),
      redirect: `${origin}${CALLBACK}`,
    };
  }

  #clientOf({ issuer, authorizationUrl: url, tokenUrl }: OpenIdConfiguration): CodeClient {
    const { clientId } = this.#options.settings;
    const endpoints = { title: TITLE, authorizationUrl: url, tokenUrl, issuer };
    return { ...endpoints, clientId, clientSecret: this.#clientSecret, scopes: ['openid'] };
  }

  async #configuration(): Promise<OpenIdConfiguration> {
    if (this.#provider && this.#provider.until > this.#now()) return this.#provider.configuration;
    const { egress, settings } = this.#options;
    const configuration = await providerConfiguration(egress, settings.issuer);
    this.#provider = { configuration, until: this.#now() + LIFE_MS };
    return configuration;
  }

  async #bounded<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST_AT_ONCE) throw providerFailed('is asked too often right now');
    this.#running += 1;
    try {
      return await ask();
    } finally {
      this.#running -= 1;
    }
  }

  #sealedIn(cookies: string | undefined): Sealed | undefined {
    const value = cookieIn(cookies, COOKIE);
    return value === undefined ? undefined : (this.#signer.open(value) as Sealed | undefined);
  }
}

/** `Lax`, because the provider sends the browser back; it opens nothing by itself. */
const cookieOf = (value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
