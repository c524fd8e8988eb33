/** The authorization server: reachable, with metadata of its own name, keys that verify, and a clock that agrees with this one. */
import { RouterError } from '../../errors.ts';
import { lookAtIssuer } from '../../oauth/look-at-issuer.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

const SUBJECT = 'OAuth';

export default {
  id: 'oauth',
  order: 263,
  inside: true,
  needs: 'config',
  look: async ({ config }) => {
    if (config instanceof RouterError) return [];
    const { oauth } = config;
    if (oauth === undefined) return [ok(SUBJECT, 'none: no access tokens are accepted')];
    try {
      const { keys, aheadSeconds = 0, hasProofKeys } = await lookAtIssuer(oauth, config);
      if (Math.abs(aheadSeconds) > oauth.skewSeconds)
        return [
          fail(
            SUBJECT,
            `the clock of ${oauth.issuer} differs by ${aheadSeconds} s, and SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS=${oauth.skewSeconds}`,
            'set the clock of this machine (NTP); tokens are refused as expired or not yet valid until then',
          ),
        ];
      if (hasProofKeys === false)
        return [
          warn(
            SUBJECT,
            `${oauth.issuer} does not name S256 among its code_challenge_methods_supported`,
            'switch PKCE on at the authorization server: MCP clients refuse to sign in without it',
          ),
        ];
      return [ok(SUBJECT, `${keys} ${keys === 1 ? 'key' : 'keys'} of ${oauth.issuer}, for ${oauth.audience}`)];
    } catch (error) {
      const known = error instanceof RouterError || error instanceof TypeError;
      if (!known) throw error;
      return [fail(SUBJECT, error.message, 'correct the SVC_MCP_OAUTH_ variables, or let the router reach the issuer')];
    }
  },
} satisfies Check;
