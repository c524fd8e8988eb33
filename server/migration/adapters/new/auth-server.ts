/** RADIUS server: address, ports and a shared secret that the caller brings. */
import { numberOf } from '../../unwrap.ts';
import type { Adapter } from '../adapter.ts';
import { libraryObject, nameFits, nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

/** The pass-through fields: ports, and the secret whose presence is all that is known. */
const PASSED = ['authport', 'auth_port', 'acctport', 'acct_port', 'key', 'shared_secret', 'secret', 'rad_key'];
const DEFAULT_AUTH_PORT = 1812;
const DEFAULT_ACCT_PORT = 1813;

export default {
  rules: [
    resolvedScope,
    resolvedPersona,
    nothingUnmapped(PASSED),
    nameFits,
    {
      id: 'new.auth-server-radius-only',
      refusal: 'error',
      keeps: 'RADIUS auth server: only server_type radius accepted.',
      broken: ({ payload: { server_type } }) =>
        server_type === 'radius' ? undefined : `server_type ${JSON.stringify(server_type)} is not written, only radius`,
    },
    {
      id: 'new.auth-server-host',
      refusal: 'error',
      keeps: 'A server without an address is not written.',
      broken: ({ payload: { host } }) => (typeof host === 'string' ? undefined : 'the server has no host'),
    },
    {
      id: 'new.auth-server-ports',
      refusal: 'error',
      keeps: 'Allowed pass-through fields are the auth port, accounting port and key-like secret fields.',
      broken: ({ unsupported_fields }) => {
        const wrong = ['authport', 'auth_port', 'acctport', 'acct_port'].find((field) => {
          const port = numberOf(unsupported_fields[field]);
          return unsupported_fields[field] !== undefined && (port === undefined || port < 0 || port > 65_535);
        });
        return wrong === undefined ? undefined : `${wrong} should be a port`;
      },
    },
  ],
  inline: [],
  secretsOf: () => ['shared_secret'],
  stepsOf: ({ payload, unsupported_fields: kept }, context, { shared_secret }) => {
    const shown = {
      type: 'RADIUS',
      'auth-server-address': payload['host'],
      'auth-port': numberOf(kept['authport'] ?? kept['auth_port']) ?? DEFAULT_AUTH_PORT,
      'acct-port': numberOf(kept['acctport'] ?? kept['acct_port']) ?? DEFAULT_ACCT_PORT,
    };
    const secret = { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': shared_secret };
    const body = { ...shown, 'shared-secret-config': secret };
    return libraryObject('auth-servers', String(payload['name']), body, shown, context);
  },
} satisfies Adapter;
