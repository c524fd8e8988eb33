/** VLANs: number and remark. */
import { type Candidate, candidateOf } from '../candidate.ts';
import type { SourceItem } from '../read-export.ts';
import { type Neutral, unmodelledOf } from '../source-fields.ts';
import { numberOf, textOf } from '../unwrap.ts';

const NEUTRAL: Neutral = { option82: 'off', bcmc_optimise: false, igmp_snooping: false };

export function vlanCandidate({ name, fields }: SourceItem): Candidate {
  const description = textOf(fields['descr']) ?? textOf(fields['description']);
  return candidateOf({
    object_type: 'vlan',
    identifier: name,
    payload: { vlan_id: numberOf(name) ?? name, description: description ?? null },
    ...unmodelledOf(fields, ['id', 'vlan_id', 'descr', 'description'], NEUTRAL),
  });
}
