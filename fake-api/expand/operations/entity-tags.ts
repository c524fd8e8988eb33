/** Entity tags of an operation: the header of an answer, and the condition of a request. */
import type { Schema } from '../schema/schema-object.ts';
import { textHeader } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

export const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag of the object as it was read; the change is refused when it has moved on',
  schema: { type: 'string', maxLength: 256 },
};

/** Whether reads of the object carry the tag that a change may name. */
export function isTagged({ resource }: OperationBuilder): boolean {
  return resource.style.patch.ifMatch && resource.model.ops.has('P');
}

export function tagged(bench: OperationBuilder): { headers?: Schema } {
  return isTagged(bench) ? { headers: { ETag: textHeader('Tag of this state of the object') } } : {};
}

export function createdHeaders(bench: OperationBuilder): { headers: Schema } {
  const { style, model } = bench.resource;
  const hasItem = (['G', 'R', 'P', 'D'] as const).some((letter) => model.ops.has(letter));
  const isLocated = style.create.location && !model.arrayBody && hasItem;
  return {
    headers: {
      ...(isLocated ? { Location: textHeader(`Path of the new ${model.noun[0]}`) } : {}),
      ...tagged(bench).headers,
    },
  };
}
