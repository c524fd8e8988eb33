/** Roles: the access lists they name, and the VLAN they give. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import { isNothing } from '../secret-field.ts';
import type { Source } from '../source.ts';
import { listOf, type Neutral, SourceFields } from '../source-fields.ts';
import { plainNumber, textOf } from '../unwrap.ts';

/** Lists that let everything pass, as they are called after normalising. */
const ALLOW_ALL = ['allowall', 'sys_allow_all'];
const ACL_FIELDS = ['role__acl', 'acl'] as const;

const NEUTRAL: Neutral = {
  dpi: true,
  web_cc: true,
  openflow: true,
  registration_role: false,
  max_sess: 65_535,
  reauth: 0,
};

/** Lower case, without what separates words at either end; `Allow-All` is no spelling of `allowall`. */
const letsEverythingPass = (name: string): boolean =>
  ALLOW_ALL.includes(name.trim().toLowerCase().replaceAll('-', '_'));

/** Whether all its lists let everything pass, and each of them was read. It depends on the access lists that do not. */
export function isAllowAll({
  payload,
  unsupported_fields,
  dependencies,
}: Pick<Candidate, 'payload' | 'unsupported_fields' | 'dependencies'>): boolean {
  const acls = payload['acls'] as readonly string[];
  const isWhole = ACL_FIELDS.every((field) => !Object.hasOwn(unsupported_fields, field));
  const isOpen = dependencies.every((ref) => !/^(policy|ethernet_acl):/.test(ref));
  return isWhole && isOpen && acls.length > 0 && acls.every(letsEverythingPass);
}

/** A controller lets these two lists be changed as well: whether all the rules that the export has of one let everything pass. */
function isUnchanged({ fields }: SourceItem): boolean {
  const lists = Object.entries(fields).filter(([field]) => /^acl_sess__v[46]policy/.test(field));
  return lists.every(([, list]) => {
    const rules = listOf(list).map((rule) => (typeof rule === 'object' ? (rule as SourceItem['fields']) : {}));
    const isPermit = rules.every(({ action, time_range }) => textOf(action) === 'permit' && isNothing(time_range));
    const isAny = (part: unknown) => /any$/.test(textOf(part) ?? '');
    return rules.length === 0 || (isPermit && rules.some(({ src, dst, svc }) => [src, dst, svc].every(isAny)));
  });
}

export function roleCandidate({ name, fields: own }: SourceItem, source: Source): Candidate {
  const object = `role:${name}`;
  const fields = new SourceFields(own, NEUTRAL);
  fields.text('rname', 'name');
  const acls = fields.entries(aclOf, ...ACL_FIELDS);
  const warnings: Warning[] = [];
  const dependencies: string[] = [];
  for (const acl of acls) {
    const policy = source.item('policies', acl);
    // A list that lets everything pass becomes a flag, so the role does not wait for it.
    if (policy && letsEverythingPass(acl) && isUnchanged(policy)) continue;
    if (policy) dependencies.push(`policy:${acl}`);
    else if (source.item('acl_eth', acl)) dependencies.push(`ethernet_acl:${acl}`);
    // The two that every controller brings along need not be in an export.
    else if (!letsEverythingPass(acl))
      warnings.push(warning('dependency_missing', { object, field: 'acl' }, `access list ${JSON.stringify(acl)}`));
  }
  const named = fields.text('vlan');
  const vlan = named && plainNumber(named);
  if (vlan !== undefined && source.item('vlans', vlan)) dependencies.push(`vlan:${vlan}`);
  else if (vlan !== undefined)
    warnings.push(warning('dependency_missing', { object, field: 'vlan' }, JSON.stringify(vlan)));
  return candidateOf({
    object_type: 'role',
    identifier: name,
    payload: { name, acls, vlan: vlan ?? null },
    dependencies,
    warnings,
    ...fields.left(),
  });
}

/** The name of an access list; undefined for one of another type that only bears the name of one that lets everything pass. */
function aclOf(entry: SourceFields): string | undefined {
  const name = entry.text('pname', 'name', 'accname');
  const type = entry.text('acl_type') ?? 'session';
  entry.number('position');
  return name !== undefined && type !== 'session' && letsEverythingPass(name) ? undefined : name;
}
