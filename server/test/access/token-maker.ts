/** Makes the tokens of the authorization matrix. */
import {
  claimsIn,
  confusedToken,
  RESOURCE,
  type SigningKey,
  signingKey,
  type TokenIssuer,
  unsignedToken,
} from '../support/token-issuer.ts';
import { AUDIENCES, PRINCIPALS, SCOPES, STATES, type TokenCell } from './token-cells.ts';

type Asked = Pick<TokenCell, 'state' | 'audience' | 'scope' | 'principal'>;

const AUDIENCE: Record<TokenCell['audience'], unknown> = {
  'this router': RESOURCE,
  'a list with this router': ['https://other.example/mcp', RESOURCE],
  'another resource': 'https://other.example/mcp',
  none: undefined,
};

const keyOf = (asked: Asked): string => JSON.stringify([asked.state, asked.audience, asked.scope, asked.principal]);

export class TokenMaker {
  readonly #issuer: TokenIssuer;
  readonly #old: SigningKey;
  readonly #stranger = signingKey('first');
  readonly #unknown = signingKey('unknown');
  readonly #made = new Map<string, string | undefined>();

  /** `old`: the key that is withdrawn before the matrix begins. */
  constructor(issuer: TokenIssuer, old: SigningKey) {
    this.#issuer = issuer;
    this.#old = old;
  }

  /** One for every combination, made after the rotation; the old key signs those that are replayed. */
  async makeAll(): Promise<void> {
    for (const state of STATES)
      for (const audience of AUDIENCES)
        for (const scope of Object.keys(SCOPES) as TokenCell['scope'][])
          for (const principal of PRINCIPALS) {
            await this.made({ state, audience, scope, principal });
          }
  }

  /** The token of a combination, made once. */
  async made(asked: Asked): Promise<string | undefined> {
    if (!this.#made.has(keyOf(asked))) this.#made.set(keyOf(asked), await this.#make(asked));
    return this.#made.get(keyOf(asked));
  }

  tokenFor(asked: Asked): string | undefined {
    return this.#made.get(keyOf(asked));
  }

  async #make(asked: Asked): Promise<string | undefined> {
    const { state, audience, scope, principal } = asked;
    const now = Math.floor(Date.now() / 1000);
    const own = {
      sub: `user-${principal}`,
      aud: AUDIENCE[audience],
      scope: SCOPES[scope] || undefined,
      client_id: principal === 'unlisted' ? 'nobody' : principal,
      iat: now,
      exp: now + 3_600,
    };
    const token = (more: object = {}, signed: Parameters<TokenIssuer['token']>[1] = {}) =>
      this.#issuer.token({ ...own, ...more }, signed);
    switch (state) {
      case 'no token':
        return undefined;
      case 'valid':
      case 'of the key that came by rotation':
        return token();
      case 'valid, of another type name':
        return token({}, { header: { typ: 'JWT' } });
      case 'valid, at the edge of the skew':
        return token({ nbf: now + 30, iat: now + 30 });
      case 'expired':
        return token({ iat: now - 3_600, exp: now - 61 });
      case 'without an expiry':
        return token({ exp: undefined });
      case 'not valid yet':
        return token({ nbf: now + 3_000 });
      case 'issued in the future':
        return token({ iat: now + 3_000 });
      case 'of another issuer':
        return token({ iss: 'https://evil.example' });
      case 'unsigned (alg none)':
        return unsignedToken(claimsIn(await token()));
      case 'signed with the public key as a secret (HS256)':
        return confusedToken(claimsIn(await token()), this.#issuer.keys[0] as SigningKey);
      case 'with a changed payload':
        return changed(await token(), { ...claimsIn(await token()), more: 1 });
      case 'of a stranger under a known key id':
        return token({}, { key: { ...this.#stranger, kid: this.#issuer.keys[0]?.kid ?? '' } });
      case 'of an unknown key':
        return token({}, { key: this.#unknown });
      case 'replayed after its key was withdrawn':
        return token({}, { key: this.#old });
      case 'bound to a key that nobody proves':
        return token({ cnf: { jkt: 'a thumbprint' } });
      case 'of a wrong type':
        return token({}, { header: { typ: 'dpop+jwt' } });
    }
  }
}

/** The signature of one token under the claims of another. */
function changed(token: string, claims: object): string {
  const [header, , signature] = token.split('.');
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
