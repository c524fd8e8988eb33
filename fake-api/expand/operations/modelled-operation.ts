/** One operation on its way from model to document: everything the document and the description need to know. */
import type { Field } from '../model/field-line.ts';
import type { OperationKind } from '../model/operation-kinds.ts';
import type { Resource } from '../model/platform-folder-model.ts';
import type { Capability, Wording } from '../model/task-model.ts';
import type { Schema } from '../schema/schema-object.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Operation {
  readonly kind: OperationKind;
  readonly method: Method;
  readonly path: string;
  readonly id: string;
  readonly capability: Capability;
  readonly resource: Resource;
  readonly wording: Wording;
  /** Query parameters, already as OpenAPI parameter objects. */
  readonly query: readonly Schema[];
  readonly body?: { readonly schema: Schema; readonly media: string };
  readonly success: {
    readonly status: number;
    readonly schema?: Schema;
    readonly media?: string;
    /** Response headers of this operation alone. */
    readonly headers?: Schema;
    readonly text: string;
  };
  readonly extensions: Schema;
  /** Path parameters that belong to this operation alone, such as the field of a further way to an item. */
  readonly pathFields?: ReadonlyMap<string, Field>;
  /** What the description is composed of, beside the resource's own words. */
  readonly words: Words;
}

/** An operation before the wording and the overrides of its resource are applied. */
export type Unfinished = Omit<Operation, 'resource' | 'wording'>;

/** Takes a finished operation apart again, so that a sibling kind can reuse it. */
export function unfinished(operation: Operation): Unfinished {
  const { resource: _resource, wording: _wording, ...rest } = operation;
  return rest;
}

export interface Words {
  /** Verb phrase with object, complete first sentence without scope and realm. */
  readonly opening: string;
  /** "in" or "from" before the realm. */
  readonly joint: 'in' | 'from';
  readonly contrast: string;
  readonly handle: string;
  readonly filler: readonly Field[];
  readonly summary: string;
  readonly poll?: 'start' | 'result';
}

/** A response header whose value is text. */
export function textHeader(description: string): Schema {
  return { description, schema: { type: 'string' } };
}
