/** One POST that adds, changes or deletes, as a field of its body says: how object-style platforms write. */
import { listed } from '../model/name-spelling.ts';
import type { SetStyle } from '../model/style-model.ts';
import { groupParameters } from '../schema/declared-parameters.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

const verdict: Schema = {
  type: 'object',
  properties: {
    status: { type: 'integer', minimum: 0, description: '0 when it was done, else the code of the refusal' },
    status_str: { type: 'string', description: 'Success, or what was expected and what came' },
  },
  required: ['status', 'status_str'],
};

export function setOperation(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const words =
    style.set ?? model.spot.fail(`set: in the style ${style.name} for the letter S`, 'none', 'MODEL_REFERENCE');
  const required = [...model.key, ...schemas.fields.filter((field) => field.required)];
  const { impact } = model;
  if (!model.singleton && impact === null) model.spot.fail(`the key impact, since ${words.delete} destroys`, 'none');
  return bench.finish({
    kind: 'set',
    method: 'post',
    path: resource.collectionPath,
    id: `set${model.singular}`,
    capability: 'write',
    query: groupParameters('set', resource, platform, book),
    body: { schema: schemas.set(words), media: 'application/json' },
    success: {
      status: words.status,
      schema: answerOf(bench),
      text: 'What came of it, for the object and for the call',
    },
    extensions: extensionsOf(bench, words),
    words: {
      opening: model.singleton
        ? `Set the ${model.noun[0]}${bench.aliases}`
        : `Add, change or delete one ${model.noun[0]}${bench.aliases}`,
      joint: 'in',
      contrast: model.singleton
        ? `Changes for example ${bench.fieldList(bench.writable, 5)}; what is left out stays as it is`
        : `${words.field} says which: ${words.add} takes ${listed(required.slice(0, 4).map((field) => bench.spell(field.name)))}, ${words.modify} changes what is given, ${words.delete} removes it`,
      handle: model.singleton || isAlwaysDestructive(bench) ? '' : `With ${words.delete} it is destructive: ${impact}`,
      filler: bench.writable,
      summary: model.singleton ? `Set the ${model.noun[0]}` : `Add, change or delete one ${model.noun[0]}`,
    },
  });
}

/** A model may raise the whole operation, where an addition or a change interrupts service as well. */
function isAlwaysDestructive({ resource }: OperationBuilder): boolean {
  return resource.model.overrides.get('set')?.capability === 'destructive';
}

function extensionsOf(bench: OperationBuilder, words: SetStyle): Schema {
  const { resource, platform } = bench;
  const { inside } = platform.model.errors;
  const escalates = !resource.model.singleton && !isAlwaysDestructive(bench);
  const { field, add, modify } = words;
  return {
    'x-svc-set': { field, add, modify, delete: words.delete },
    ...(escalates ? { 'x-svc-escalates': { field, values: { [words.delete]: 'destructive' } } } : {}),
    ...(inside
      ? {
          'x-svc-outcome': {
            status: '_global_result.status',
            ok: 0,
            message: '_global_result.status_str',
            codes: [...inside.codes],
          },
        }
      : {}),
  };
}

function answerOf({ book, resource }: OperationBuilder): Schema {
  const { place } = resource.model.spot;
  const whole = book.add('SetVerdict', verdict, place);
  const properties = verdict['properties'] as Record<string, Schema>;
  const result = book.add(
    'SetResult',
    {
      type: 'object',
      properties: {
        key: { type: 'string', description: 'Key of the object, empty where there is only one' },
        action: { type: 'string', description: 'What was done to it' },
        ...properties,
      },
      required: ['key', 'action', 'status', 'status_str'],
    },
    place,
  );
  return book.add(
    'SetAnswer',
    {
      type: 'object',
      properties: {
        _global_result: {
          ...whole,
          description: 'Verdict on the whole call; look here, the status of the answer is good either way',
        },
        _result: { ...result, description: 'Result for the object, absent when the call was refused' },
      },
      required: ['_global_result'],
    },
    place,
  );
}
