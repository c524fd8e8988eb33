/** What a foreign platform keeps of one kind, and the part that an operation plays for it. */
import type { Schema } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import type { Envelope } from './list-envelope.ts';

export interface Entity {
  /** Name under which rows are kept and the control port shows them. */
  name: string;
  /** Path of one thing; null when only its collection is known. */
  template: string | null;
  collection: string | null;
  list: Operation | null;
  envelope: Envelope | null;
  read: Operation | null;
  /** Neither PUT nor PATCH is about the thing, so a POST on it changes what it says and leaves the rest. */
  isChangedByPost: boolean;
  /** Full shape of a thing. */
  schema: Schema | null;
  /** Names that lead to the last path value; null when no property holds it and the path alone knows it. */
  key: string[] | null;
  /** Those that lead to another field by which its path finds a thing: `/networks/{name_or_id}`. */
  otherKey: string[] | null;
  /** Last literal words of its path. */
  noun: string;
  /** Schema of the last path parameter. */
  keySchema: Schema | null;
  resource: Resource;
}

export type Role = 'list' | 'read' | 'create' | 'write' | 'remove' | 'clear' | 'change-each' | 'remove-each' | 'act';

export interface Placed {
  role: Role;
  entity: Entity | null;
}
