/** Server group: the ordered members, when all of them are resolved and of one type. */
import type { ServerEntry } from '../../candidates/server-group-candidate.ts';
import type { PlannedCandidate } from '../../plan.ts';
import type { Adapter } from '../adapter.ts';
import { libraryObject, nameFits, nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

const GROUP_TYPES: Readonly<Record<string, string>> = { radius: 'RADIUS', ldap: 'LDAP', tacacs: 'TACACS' };

const entriesOf = ({ payload }: PlannedCandidate) => payload['auth_server_entries'] as readonly ServerEntry[];
const typesOf = ({ dependencies }: PlannedCandidate) => [
  ...new Set(dependencies.map((ref) => ref.split(':')[1] ?? '')),
];

export default {
  rules: [
    resolvedScope,
    resolvedPersona,
    // A collision is refused by the rule about unresolved members.
    nothingUnmapped(['auth_server_type_collisions']),
    nameFits,
    {
      id: 'new.server-group-unresolved',
      refusal: 'error',
      keeps: 'Mixed types, unresolved entries, RadSec members and groups with derivation rules are rejected.',
      broken: (candidate) => {
        const known = candidate.dependencies.map((ref) => ref.split(':').slice(2).join(':'));
        const missing = entriesOf(candidate).filter(({ name }) => !known.includes(name));
        if (entriesOf(candidate).length === 0) return 'the group has no members';
        return missing.length === 0
          ? undefined
          : `these members are not resolved: ${missing.map(({ name }) => name).join(', ')}`;
      },
    },
    {
      id: 'new.server-group-mixed',
      refusal: 'error',
      keeps: 'Mixed types, unresolved entries, RadSec members and groups with derivation rules are rejected.',
      broken: (candidate) =>
        typesOf(candidate).length > 1
          ? `the members are of several types: ${typesOf(candidate).join(', ')}`
          : undefined,
    },
    {
      id: 'new.server-group-radsec',
      refusal: 'error',
      keeps: 'Mixed types, unresolved entries, RadSec members and groups with derivation rules are rejected.',
      broken: (candidate) => (typesOf(candidate).includes('radsec') ? 'a member speaks RadSec' : undefined),
    },
    {
      id: 'new.server-group-derivation',
      refusal: 'error',
      keeps: 'Mixed types, unresolved entries, RadSec members and groups with derivation rules are rejected.',
      broken: ({ payload }) =>
        (payload['derivation_rules'] as readonly unknown[]).length > 0
          ? 'the group derives roles or VLANs by rules'
          : undefined,
    },
  ],
  inline: [],
  secretsOf: () => [],
  stepsOf: (candidate, context) => {
    const { payload } = candidate;
    const body = {
      type: GROUP_TYPES[typesOf(candidate)[0] ?? ''],
      servers: entriesOf(candidate).map(({ name, position, match_rules, trim_fqdn }) => ({
        'server-name': name,
        position,
        ...(match_rules.length > 0 ? { 'match-rules': match_rules } : {}),
        ...(trim_fqdn ? { 'trim-fqdn': true } : {}),
      })),
      'fail-through': payload['fail_through'],
      'load-balance': payload['load_balance'],
    };
    return libraryObject('server-groups', String(payload['name']), body, body, context);
  },
} satisfies Adapter;
