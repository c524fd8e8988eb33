/** RADIUS server: address, ports and a shared secret that the caller brings. */
import type { PlannedCandidate } from '../../plan.ts';
import { SourceFields } from '../../source-fields.ts';
import { numberOf } from '../../unwrap.ts';
import type { Adapter } from '../adapter.ts';
import { libraryObject, nameFits, nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

/** The pass-through fields: ports, and the secret whose presence is all that is known. */
const AUTH_PORT = ['authport', 'auth_port'];
const ACCT_PORT = ['acctport', 'acct_port'];
const PASSED = [...AUTH_PORT, ...ACCT_PORT, 'key', 'shared_secret', 'secret', 'rad_key'];
const DEFAULT_AUTH_PORT = 1812;
const DEFAULT_ACCT_PORT = 1813;

function portsOf({ unsupported_fields }: PlannedCandidate) {
  const fields = new SourceFields(unsupported_fields);
  const auth = fields.read(portOf, ...AUTH_PORT) ?? DEFAULT_AUTH_PORT;
  const acct = fields.read(portOf, ...ACCT_PORT) ?? DEFAULT_ACCT_PORT;
  return { auth, acct, wrong: [...AUTH_PORT, ...ACCT_PORT].find((field) => fields.isAside(field)) };
}

function portOf(value: unknown): number | undefined {
  const port = numberOf(value);
  return port !== undefined && port >= 0 && port <= 65_535 ? port : undefined;
}

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
      broken: (candidate) => {
        const { wrong } = portsOf(candidate);
        return wrong === undefined ? undefined : `${wrong} should be a port, and the only one`;
      },
    },
  ],
  inline: [],
  secretsOf: () => ['shared_secret'],
  stepsOf: (candidate, context, { shared_secret }) => {
    const { payload } = candidate;
    const { auth, acct } = portsOf(candidate);
    const shown = {
      type: 'RADIUS',
      'auth-server-address': payload['host'],
      'auth-port': auth,
      'acct-port': acct,
    };
    const secret = { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': shared_secret };
    const body = { ...shown, 'shared-secret-config': secret };
    return libraryObject('auth-servers', String(payload['name']), body, shown, context, { fixed: ['type'] });
  },
} satisfies Adapter;
