/** Roles: the access lists they name, and the VLAN they give. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import type { Source } from '../source.ts';
import { type Neutral, unmodelledOf } from '../source-fields.ts';
import { namesOf, textOf } from '../unwrap.ts';

/** Lists that let everything pass, as they are called after normalising. */
export const ALLOW_ALL = ['allowall', 'sys_allow_all'];

const NEUTRAL: Neutral = {
  dpi: true,
  web_cc: true,
  openflow: true,
  registration_role: false,
  max_sess: 65_535,
  reauth: 0,
};

/** Lower case, without what separates words at either end; `Allow-All` is no spelling of `allowall`. */
export const normalAcl = (name: string): string => name.trim().toLowerCase().replaceAll('-', '_');

export function roleCandidate({ name, fields }: SourceItem, source: Source): Candidate {
  const object = `role:${name}`;
  const acls = namesOf(fields['role__acl'] ?? fields['acl'], ['pname', 'name', 'accname']);
  const warnings: Warning[] = [];
  const dependencies: string[] = [];
  for (const acl of acls) {
    if (source.item('policies', acl)) dependencies.push(`policy:${acl}`);
    else if (source.item('acl_eth', acl)) dependencies.push(`ethernet_acl:${acl}`);
    // The two that every controller brings along need not be in an export.
    else if (!ALLOW_ALL.includes(normalAcl(acl)))
      warnings.push(warning('dependency_missing', { object, field: 'acl' }, `access list ${JSON.stringify(acl)}`));
  }
  const vlan = textOf(fields['vlan']);
  if (vlan !== undefined && source.item('vlans', vlan)) dependencies.push(`vlan:${vlan}`);
  else if (vlan !== undefined)
    warnings.push(warning('dependency_missing', { object, field: 'vlan' }, JSON.stringify(vlan)));
  return candidateOf({
    object_type: 'role',
    identifier: name,
    payload: { name, acls, vlan: vlan ?? null },
    // The two lists that let everything pass become a flag, so the role does not wait for them.
    dependencies: dependencies.filter((ref) => !ALLOW_ALL.some((acl) => ref === `policy:${acl}`)),
    warnings,
    ...unmodelledOf(fields, ['rname', 'name', 'role__acl', 'acl', 'vlan'], NEUTRAL),
  });
}
