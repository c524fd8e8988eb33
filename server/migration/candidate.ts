/** One object that may be written at a target: its known fields, and its blockers. */
import { APPLY_ORDER, type ObjectType } from './object-family.ts';
import { uniqueWarnings, type Warning, warning } from './plan-warning.ts';
import { isMaskedInPart } from './secret-field.ts';
import type { WlanSecurity } from './security.ts';

export interface Candidate {
  object_type: ObjectType;
  /** Of an auth server `type:name`, of a route its network, mask and gateway, else the name. */
  identifier: string;
  payload: Readonly<Record<string, unknown>> & { security?: WlanSecurity };
  /** `type:identifier` of each object that must be there first, sorted. */
  dependencies: readonly string[];
  apply_order: number;
  /** Every field of the source that has no place in the payload; each has a warning. */
  unsupported_fields: Readonly<Record<string, unknown>>;
  warnings: readonly Warning[];
  requires_secret_input: boolean;
  /** Names under which `target_secrets` of an apply must bring them. */
  secret_fields: readonly string[];
}

export const refOf = ({ object_type, identifier }: Pick<Candidate, 'object_type' | 'identifier'>): string =>
  `${object_type}:${identifier}`;

export interface Draft {
  object_type: ObjectType;
  identifier: string;
  payload: Candidate['payload'];
  dependencies?: readonly string[];
  unsupported?: Readonly<Record<string, unknown>>;
  /** Fields left out because they equal an assumed default of the controller; each gets a warning. */
  assumed?: readonly string[];
  warnings?: readonly Warning[];
  secrets?: readonly string[];
}

export function candidateOf({
  unsupported = {},
  assumed = [],
  secrets = [],
  warnings = [],
  ...draft
}: Draft): Candidate {
  const object = refOf(draft);
  const fields = Object.keys(unsupported).sort();
  return {
    object_type: draft.object_type,
    identifier: draft.identifier,
    payload: draft.payload,
    dependencies: [...new Set(draft.dependencies ?? [])].sort(),
    apply_order: APPLY_ORDER[draft.object_type],
    unsupported_fields: Object.fromEntries(fields.map((name) => [name, unsupported[name]])),
    warnings: uniqueWarnings([
      ...warnings,
      ...fields.map((field) => warning('unmapped_field', { object, field })),
      ...fields
        .filter((field) => isMaskedInPart(unsupported[field]))
        .map((field) => warning('secret_removed', { object, field }, 'a part of the text looks like one')),
      ...assumed.map((field) => warning('assumed_default', { object, field })),
      ...secrets.map((field) => warning('secret_removed', { object, field })),
    ]),
    requires_secret_input: secrets.length > 0,
    secret_fields: [...secrets].sort(),
  };
}
