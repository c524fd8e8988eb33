/**
 * `sayings/<document>.yaml`: how people who do not know an API ask for what a document's operations do. Of a resource they
 * belong to a group of its operations, because a person says what is wanted and not which of three reads gives it.
 */
import type { Spot } from './model-file.ts';

export const sayingGroups = ['read', 'create', 'change', 'delete'] as const;
export type SayingGroup = (typeof sayingGroups)[number];

interface Said {
  readonly spot: Spot;
  readonly texts: readonly string[];
}

export interface SayingsModel {
  /** Name of the document it belongs to. */
  readonly document: string;
  readonly spot: Spot;
  /** By `claimOf` an operation. */
  readonly said: ReadonlyMap<string, Said>;
}

export function readSayings(document: string, root: Spot): SayingsModel {
  const at = root.mapping(['resources', 'operations']);
  const said = new Map<string, Said>();
  for (const [name, resource] of at.get('resources')?.mapping() ?? [])
    for (const [group, spot] of resource.mapping(sayingGroups))
      said.set(`${name} ${group}`, { spot, texts: spot.texts() });
  for (const [id, spot] of at.get('operations')?.mapping() ?? []) said.set(id, { spot, texts: spot.texts() });
  return { document, spot: root, said };
}
