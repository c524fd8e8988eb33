/** AP groups: which networks they broadcast. No target object exists for them. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import { type Source, vapsOf } from '../source.ts';
import { SourceFields } from '../source-fields.ts';

export function apGroupCandidate({ name, fields: own }: SourceItem, source: Source): Candidate {
  const object = `ap_group:${name}`;
  const fields = new SourceFields(own);
  fields.text('profile_name', 'name');
  const vaps = [...new Set(vapsOf(fields))].sort();
  const known = vaps.filter((vap) => source.item('virtual_aps', vap));
  const missing = vaps.filter((vap) => !known.includes(vap));
  return candidateOf({
    object_type: 'ap_group',
    identifier: name,
    payload: { name, virtual_aps: vaps },
    dependencies: known.map((vap) => `wlan:${vap}`),
    warnings: missing.map((vap) =>
      warning('dependency_missing', { object, field: 'virtual_ap' }, `virtual AP ${JSON.stringify(vap)}`),
    ),
    ...fields.left(),
  });
}
