/** Guards of access tokens taken out. Each must give deviations in the authorization matrix. */
import { type AccessMutant, one } from './access-mutant.ts';

const VERIFIER = 'oauth/token-verifier.ts';
const token = (name: string, file: string, from: string, to: string): AccessMutant =>
  one(name, 'token', file, from, to);

export const TOKEN_MUTANTS: readonly AccessMutant[] = [
  token('an access token of any audience is good', VERIFIER, 'audience: settings.audience,', ''),
  token('an access token of any issuer is good', VERIFIER, 'issuer: settings.issuer,', ''),
  token(
    'an access token never expires',
    VERIFIER,
    'currentDate: new Date(this.#now()),',
    'currentDate: new Date(this.#now() - 7_200_000),',
  ),
  token('an access token may be without an end', VERIFIER, "requiredClaims: ['exp', 'sub'],", ''),
  token('an access token of the future is good', VERIFIER, "return 'not_yet_valid';", 'return undefined;'),
  token('a token of any type is an access token', VERIFIER, "return 'other_type';", 'return undefined;'),
  token(
    'a token that is bound to a key is a bearer',
    VERIFIER,
    "return cnf === undefined ? undefined : 'bound_to_a_key';",
    'return undefined;',
  ),
  token(
    'a kept token outlives its key',
    VERIFIER,
    '    if (this.#version !== keys.version) {',
    '    if (false as boolean) {',
  ),
  {
    name: 'no signature is looked at',
    layer: 'token',
    edits: [
      {
        file: VERIFIER,
        from: 'verified = await jwtVerify(token, keys.keyOf, {',
        to: "verified = await (async (text: string, _: unknown, wanted: { issuer: string; audience: string }) => {\n        const payload = JSON.parse(Buffer.from(text.split('.')[1] as string, 'base64url').toString());\n        if (payload.iss !== wanted.issuer || ![payload.aud].flat().includes(wanted.audience)) throw new Error('other');\n        return { payload, protectedHeader: {} };\n      })(token, keys.keyOf, {",
      },
    ],
  },
  token(
    'scopes are not asked for',
    'access/access-policy.ts',
    'if (principal.scopes === undefined || !own.allowed || isInScope(principal.scopes, id, capability)) return own;',
    'if (own !== undefined) return own;',
  ),
  token(
    'a scope of one platform opens all',
    'access/access-policy.ts',
    'return isAlwaysOn(id) && [...on.values()]',
    'return [...on.values()]',
  ),
  token(
    'scopes take the place of the principal',
    'oauth/oauth-callers.ts',
    'return { ...own, access: Object.freeze({ ...own.access, scopes }) };',
    'return { ...own, access: Object.freeze({ scopes }) };',
  ),
  token(
    'no principal has a claim',
    'principals/principals.ts',
    'claims[claim.name] === claim.value,',
    'claims[claim.name] === claim,',
  ),
  token(
    'a lack of scopes is not told by a challenge',
    'http/oauth-routes.ts',
    'if (missing.length === 0) return;',
    'if (missing.length >= 0) return;',
  ),
];
