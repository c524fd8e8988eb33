/**
 * Checks where the HTTP listener would bind and who may call it. The router refuses to start with an unsafe binding.
 */
import { checkBinding, isLoopback } from '../../config/listen-address.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, notLooked, ok, warn } from '../doctor-check.ts';

export default {
  id: 'binding',
  order: 100,
  look: ({ environment, secretOf, container }) => {
    if (environment === undefined) return [notLooked('binding', '.env cannot be read', 'correct .env')];
    const transport = environment.set('MCP_TRANSPORT') === 'streamable-http' ? 'streamable-http' : 'stdio';
    try {
      const { host, port, checkNames, open } = checkBinding(environment, transport, secretOf('MCP_HTTP_BEARER_TOKEN'));
      if (transport === 'stdio') return [ok('binding', 'stdio, so nothing listens')];
      if (!checkNames)
        return [
          warn(
            'binding',
            'Host and Origin are not checked, so any web page can call this router',
            'remove MCP_DNS_REBINDING_PROTECTION and SVC_MCP_ALLOW_INSECURE_HTTP_BINDING',
          ),
        ];
      if (open && !container)
        return [
          warn(
            'binding',
            `${host}:${port} without a bearer token: every write gate stays shut`,
            'set MCP_HTTP_BEARER_TOKEN_FILE to a file with 64 hex digits, or bind to 127.0.0.1',
          ),
        ];
      if (container) return [ok('binding', `published as ${container.published}`)];
      return [
        ok(
          'binding',
          `${host}:${port}, ${isLoopback(host) ? 'this machine only' : 'reached by the names on both lists'}`,
        ),
      ];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [fail('binding', error.message, error.remedy)];
    }
  },
} satisfies Check;
