/** What a value is synthesized from: the document, its dice, and what may be pointed at. */
import type { Dice, Part } from '../state/determinism.ts';
import type { OpenApiDocument, RefTarget, Schema } from './openapi-document.ts';

export interface Synthesis {
  document: OpenApiDocument;
  /** Seed, platform, collection, key: the origin of every draw. */
  origin: readonly Part[];
  nowMs: number;
  /** Place of the row among its people, where the row is one. */
  turn?: number | undefined;
  /** Key of the site that the row's own name says, where it says one. */
  site?: string | undefined;
  /** Request bodies carry secrets, answers never do. */
  withSecrets?: boolean;
  /** Leave optional fields out, so that a body says only what it must. */
  onlyRequired?: boolean;
  /**
   * Names of writable fields that nobody stated: they take their default, else null, else they are left out, as on an
   * object that a person created. Inside such an object the same holds for every field that is not read-only.
   */
  unstated?: ReadonlySet<string>;
  /** What the entry of a list says of a thing that the network has; nothing where it is left out. */
  entryIdentity?: (
    properties: Record<string, Schema>,
    given: Readonly<Record<string, unknown>>,
    path: readonly string[],
  ) => Record<string, unknown>;
  /** An existing target for a reference, undefined when there is none; `shift` asks for another than before. */
  pickTarget: (target: RefTarget, dice: Dice, shift?: number) => unknown;
}
