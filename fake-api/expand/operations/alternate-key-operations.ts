/** The same items under a further unique field: `{collection}/username/{username}` beside `{collection}/{id}`. */
import type { Field } from '../model/field-line.ts';
import { kebab, pascal, sentence } from '../model/name-spelling.ts';
import type { CrudLetter } from '../model/resource-model.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';
import { storedOperation } from './stored-operations.ts';

const reachable: readonly CrudLetter[] = ['G', 'R', 'P', 'D'];

export function alsoByOperations(bench: OperationBuilder): Operation[] {
  const { model } = bench.resource;
  return model.alsoBy.flatMap((name) => {
    const field = uniqueField(bench, name);
    return reachable.filter((letter) => model.ops.has(letter)).map((letter) => reachedBy(bench, field, letter));
  });
}

/** Where an item is reached by this field. */
export function alsoByPath(bench: OperationBuilder, field: Field): string {
  const { collectionPath, style } = bench.resource;
  return style.alsoByPath
    .replace('{collection}', collectionPath)
    .replace('{field}', kebab(field.name))
    .replace('{value}', `{${field.name}}`);
}

function uniqueField(bench: OperationBuilder, name: string): Field {
  const { model } = bench.resource;
  const field = bench.schemas.fields.find((each) => each.name === name);
  if (!field) return model.spot.fail(`also-by: a field of ${model.name}`, name, 'MODEL_REFERENCE');
  if (!field.unique || field.array || !(field.required || field.readOnly))
    model.spot.fail(`also-by: a field that is uniq, and either required or ro`, name, 'MODEL_REFERENCE');
  return field;
}

function reachedBy(bench: OperationBuilder, field: Field, letter: CrudLetter): Operation {
  const { model } = bench.resource;
  const operation = storedOperation(bench, letter);
  const phrase = bench.spell(field.name);
  const instead = `Takes the ${phrase} instead of the ${bench.keyPhrase}`;
  const verbs: Partial<Record<CrudLetter, readonly [id: string, opening: string, contrast: string]>> = {
    G: ['get', `Get one ${model.noun[0]}${bench.aliases} by ${phrase}`, `${instead}. ${sentence(model.distinguish)}`],
    R: [
      'replace',
      `Replace the whole ${model.noun[0]}${bench.aliases} found by ${phrase}`,
      `${instead}; writes ${bench.fieldList(bench.writable.slice(1), 3)} and whatever else it has`,
    ],
    P: [
      'update',
      `Change some fields of one ${model.noun[0]}${bench.aliases} found by ${phrase}`,
      `${instead}; alters for instance ${bench.fieldList(bench.writable.slice(1), 3)}`,
    ],
    D: [
      'delete',
      `Delete one ${model.noun[0]}${bench.aliases} found by ${phrase}`,
      `${instead}. ${sentence(model.distinguish)}`,
    ],
  };
  const [verb, opening, contrast] = verbs[letter]!;
  return {
    ...operation,
    id: `${verb}${model.singular}By${pascal(field.name)}`,
    path: alsoByPath(bench, field),
    pathFields: new Map([[field.name, field]]),
    extensions: { ...operation.extensions, 'x-svc-by': field.name },
    words: {
      ...operation.words,
      opening,
      contrast,
      handle: '',
      summary: `${operation.words.summary} by ${phrase}`,
    },
  };
}
