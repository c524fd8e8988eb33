/** AAA profile: first role, accounting group, and the two logins by name. */
import { getNetworkProfile, type NetworkProfileType } from '../../network-profile.ts';
import type { PlannedCandidate } from '../../plan.ts';
import type { Adapter, Need, Rule } from '../adapter.ts';
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

/** Payload key → type of the object that it names, and what the target calls that type. */
const NAMED: Readonly<Record<string, readonly [type: string, profile: NetworkProfileType]>> = {
  default_user_role: ['role', 'roles'],
  dot1x_auth_profile: ['dot1x_auth_profile', 'dot1xauth'],
  mac_auth_profile: ['mac_auth_profile', 'macauth'],
  accounting_server_group: ['server_group', 'server-groups'],
};

/** What the profile names and the export does not hold: no entry of the run makes it, and the target refuses a name that it lacks. */
function needsOf({ payload, dependencies }: PlannedCandidate): Need[] {
  return Object.entries(NAMED).flatMap(([key, [type, profile]]) => {
    const name = payload[key];
    const ref = `${type}:${name}`;
    if (typeof name !== 'string' || dependencies.includes(ref)) return [];
    return [{ ref, read: getNetworkProfile(profile, name) }];
  });
}

export default {
  rules: [resolvedScope, resolvedPersona, notForAccessPoints, nothingUnmapped(), nameFits, ...REJECTED.map(rejected)],
  inline: [],
  secretsOf: () => [],
  stepsOf: (candidate, context) => {
    const { payload } = candidate;
    const needs = needsOf(candidate);
    const login = {
      ...(payload['dot1x_auth_profile'] ? { 'dot1x-auth': payload['dot1x_auth_profile'] } : {}),
      ...(payload['mac_auth_profile'] ? { 'mac-auth': payload['mac_auth_profile'] } : {}),
    };
    const body = {
      ...(payload['default_user_role'] ? { auth_role: payload['default_user_role'] } : {}),
      ...(payload['accounting_server_group'] ? { acct_server_group: payload['accounting_server_group'] } : {}),
      ...(Object.keys(login).length > 0 ? { authentication: login } : {}),
    };
    const steps = libraryObject('aaa-profile', String(payload['name']), body, body, context);
    // The assignment has it too: it is not asked about either while the object cannot be written.
    return needs.length > 0 ? steps.map((step) => ({ ...step, needs })) : steps;
  },
} satisfies Adapter;
