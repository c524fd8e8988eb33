/** The token in front of HTTP: needed where others can reach the router, and worth its name only when it is long. */
import { bearerProblem, isLoopback } from '../../config/listen-address.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

const WISE = 32;

export default {
  id: 'bearer',
  order: 110,
  secrets: true,
  look: ({ environment, secretOf }) => {
    if (environment?.set('MCP_TRANSPORT') !== 'streamable-http') return [ok('bearer', 'not used over stdio')];
    const token = secretOf('MCP_HTTP_BEARER_TOKEN');
    if (token === undefined && environment.set('SVC_MCP_OAUTH_ISSUER') !== undefined)
      return [ok('bearer', 'none; callers prove themselves by access tokens')];
    if (token === undefined)
      return isLoopback(environment.set('MCP_HOST') ?? '127.0.0.1')
        ? [ok('bearer', 'none; only this machine can call')]
        : [
            warn(
              'bearer',
              'none, and others can reach this router',
              'set MCP_HTTP_BEARER_TOKEN_FILE to a file with 64 hex digits',
            ),
          ];
    const replace = 'replace it by 64 hex digits: openssl rand -hex 32';
    const problem = bearerProblem(token);
    if (problem !== undefined) return [fail('bearer', `${problem}: the router does not start`, replace)];
    return token.length < WISE
      ? [warn('bearer', `has fewer than ${WISE} characters`, replace)]
      : [ok('bearer', 'enabled')];
  },
} satisfies Check;
