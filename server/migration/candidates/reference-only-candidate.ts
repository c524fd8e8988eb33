/** Families that are listed so that nobody forgets them: their fields are kept, nothing is written for them. */
import { type Candidate, candidateOf } from '../candidate.ts';
import type { ObjectType, SectionName } from '../object-family.ts';
import { warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import { SourceFields } from '../source-fields.ts';

interface Family {
  type: ObjectType;
  /** Fields that say what the object is; everything else is kept aside. */
  shown: readonly string[];
  /** Two sections of one type: what tells their identifiers apart. */
  prefix?: string;
}

export const REFERENCE_ONLY: Readonly<Partial<Record<SectionName, Family>>> = {
  policies: { type: 'policy', shown: ['acl_sess__v4policy', 'acl_sess__v6policy', 'description', 'predefined'] },
  acl_eth: { type: 'ethernet_acl', shown: ['entries'] },
  netdst: { type: 'network_destination', shown: ['netdst__entry', 'descr'], prefix: 'ipv4:' },
  netdst6: { type: 'network_destination', shown: ['netdst6__entry', 'descr'], prefix: 'ipv6:' },
  whitelist_rule: { type: 'whitelist_rule', shown: ['ap_group', 'ap_name', 'state'] },
  captive_portal_profiles: { type: 'captive_portal_profile', shown: ['login_page', 'default_role'] },
  roaming_portal_profiles: { type: 'roaming_portal_profile', shown: ['network'] },
  kerberos_profiles: { type: 'kerberos_profile', shown: ['default_role', 'realm'] },
  ntlm_profiles: { type: 'ntlm_profile', shown: ['default_role', 'mode'] },
  stateful_dot1x_profiles: { type: 'stateful_dot1x_profile', shown: ['default_role', 'server_group'] },
  wired_auth_profiles: { type: 'wired_auth_profile', shown: ['aaa_prof'] },
  ipv4_routes: { type: 'route', shown: ['cost'], prefix: 'ipv4:' },
  ipv6_routes: { type: 'route', shown: ['cost'], prefix: 'ipv6:' },
  vrrp: { type: 'vrrp', shown: ['ip_address', 'vlan', 'priority', 'tracking'], prefix: 'ipv4:' },
  vrrp6: { type: 'vrrp', shown: ['ipv6_address', 'vlan', 'priority', 'tracking'], prefix: 'ipv6:' },
  controllers: { type: 'controller', shown: ['name', 'model', 'role'] },
};

export function referenceOnlyCandidate(
  family: Family,
  key: readonly string[],
  { name, fields: source }: SourceItem,
): Candidate {
  const fields = new SourceFields(source);
  const identifier = `${family.prefix ?? ''}${name}`;
  const object = `${family.type}:${identifier}`;
  // Nothing is written of them, so each may stand as it is.
  const asItIs = (field: string) => fields.read((value) => value, field);
  for (const field of key) asItIs(field);
  const shown = family.shown.map((field) => [field, asItIs(field)] as const);
  return candidateOf({
    object_type: family.type,
    identifier,
    payload: { name, ...Object.fromEntries(shown.filter(([, value]) => value !== undefined)) },
    ...fields.left(),
    warnings: [warning(family.type === 'controller' ? 'not_migrated' : 'reference_only', { object })],
  });
}
