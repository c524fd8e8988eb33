/** VLANs: number and remark. */
import { type Candidate, candidateOf } from '../candidate.ts';
import type { SourceItem } from '../read-export.ts';
import { type Neutral, SourceFields } from '../source-fields.ts';
import { numberOf } from '../unwrap.ts';

const NEUTRAL: Neutral = { option82: 'off', bcmc_optimise: false, igmp_snooping: false };

export function vlanCandidate({ name, fields: source }: SourceItem): Candidate {
  const fields = new SourceFields(source, NEUTRAL);
  fields.text('id', 'vlan_id');
  const description = fields.text('descr', 'description');
  return candidateOf({
    object_type: 'vlan',
    identifier: name,
    payload: { vlan_id: numberOf(name) ?? name, description: description ?? null },
    ...fields.left(),
  });
}
