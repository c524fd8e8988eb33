/** AAA profile: first role, accounting group, and the two logins by name. */
import type { Adapter, Rule } from '../adapter.ts';
import {
  libraryObject,
  nameFits,
  notForAccessPoints,
  nothingUnmapped,
  resolvedPersona,
  resolvedScope,
} from './shared.ts';

const REJECTED = ['dot1x_default_role', 'dot1x_server_group', 'mac_default_role', 'mac_server_group'] as const;

const rejected = (field: (typeof REJECTED)[number]): Rule => ({
  id: `new.aaa-${field.replaceAll('_', '-')}`,
  refusal: 'error',
  keeps: 'dot1x_default_role, dot1x_server_group, mac_default_role, mac_server_group are rejected.',
  broken: ({ payload }) =>
    payload[field] === null || payload[field] === undefined ? undefined : `${field} has no place at the target`,
});

export default {
  rules: [resolvedScope, resolvedPersona, notForAccessPoints, nothingUnmapped(), nameFits, ...REJECTED.map(rejected)],
  inline: [],
  secretsOf: () => [],
  stepsOf: ({ payload }, context) => {
    const login = {
      ...(payload['dot1x_auth_profile'] ? { 'dot1x-auth': payload['dot1x_auth_profile'] } : {}),
      ...(payload['mac_auth_profile'] ? { 'mac-auth': payload['mac_auth_profile'] } : {}),
    };
    const body = {
      ...(payload['default_user_role'] ? { auth_role: payload['default_user_role'] } : {}),
      ...(payload['accounting_server_group'] ? { acct_server_group: payload['accounting_server_group'] } : {}),
      ...(Object.keys(login).length > 0 ? { authentication: login } : {}),
    };
    return libraryObject('aaa-profile', String(payload['name']), body, body, context);
  },
} satisfies Adapter;
