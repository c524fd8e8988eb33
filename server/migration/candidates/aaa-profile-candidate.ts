/** AAA profiles: the first role, the two logins with what follows them, and where accounting goes. */
import { type Candidate, candidateOf } from '../candidate.ts';
import type { SectionName } from '../object-family.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import type { Source } from '../source.ts';
import { type Neutral, SourceFields } from '../source-fields.ts';

/** Payload key → names of it in the source, the section it refers to, and the type of the object there. */
const REFERENCES = {
  default_user_role: { from: ['default_user_role'], section: 'roles', type: 'role' },
  dot1x_auth_profile: { from: ['dot1x_auth_profile'], section: 'dot1x_auth_profiles', type: 'dot1x_auth_profile' },
  dot1x_default_role: { from: ['dot1x_default_role'], section: 'roles', type: 'role' },
  dot1x_server_group: { from: ['dot1x_server_group'], section: 'server_groups', type: 'server_group' },
  mac_auth_profile: { from: ['mac_auth_profile'], section: 'mac_auth_profiles', type: 'mac_auth_profile' },
  mac_default_role: { from: ['mac_default_role'], section: 'roles', type: 'role' },
  mac_server_group: { from: ['mac_server_group'], section: 'server_groups', type: 'server_group' },
  accounting_server_group: {
    from: ['accounting_server_group', 'rad_acct_sg'],
    section: 'server_groups',
    type: 'server_group',
  },
} as const satisfies Record<string, { from: readonly string[]; section: SectionName; type: string }>;

const NEUTRAL: Neutral = {
  interim_update: false,
  multiple_server_accounting: false,
  l2_fail_through: false,
  enforce_dhcp: false,
  devtype_classification: true,
  firewall_integration: false,
  max_ipv4_users: 2,
};

export function aaaProfileCandidate({ name, fields: own }: SourceItem, source: Source): Candidate {
  const object = `aaa_profile:${name}`;
  const fields = new SourceFields(own, NEUTRAL);
  fields.text('profile_name', 'name');
  const warnings: Warning[] = [];
  const dependencies: string[] = [];
  const payload: Record<string, unknown> = { name };
  for (const [key, { from, section, type }] of Object.entries(REFERENCES)) {
    const named = fields.text(...from);
    payload[key] = named ?? null;
    if (named === undefined) continue;
    if (source.item(section, named)) dependencies.push(`${type}:${named}`);
    else warnings.push(warning('dependency_missing', { object, field: key }, JSON.stringify(named)));
  }
  return candidateOf({
    object_type: 'aaa_profile',
    identifier: name,
    payload,
    dependencies,
    warnings,
    ...fields.left(),
  });
}
