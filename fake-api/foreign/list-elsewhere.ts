/** The list of things whose own path stands elsewhere: `/scripts` of `/script/{id}`. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../engine/openapi/flattened-schema.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { collectionsOf, isDirectlyBelow, nounOf } from './item-path.ts';
import { type Envelope, wrappingOf } from './list-envelope.ts';

/** Null where no list is called by the plural, where other items stand below it, or where its rows do not look like the item. */
export function listElsewhere(
  template: string,
  read: Operation | undefined,
  lists: ReadonlyMap<string, { envelope: Envelope }>,
  paths: ReadonlyMap<string, unknown>,
): string | null {
  const schema = read === undefined ? null : successOf(read).schema;
  if (read === undefined || schema === null) return null;
  const { document } = read;
  const shown = propertiesOf(document, wrappingOf(document, schema, nounOf(template)).schema);
  const isListed = (path: string): boolean => {
    const names = Object.keys(propertiesOf(document, lists.get(path)?.envelope.schema ?? {}));
    const known = names.filter((name) => Object.hasOwn(shown, name)).length;
    return known > 0 && known * 2 >= names.length && ![...paths.keys()].some((below) => isDirectlyBelow(path, below));
  };
  return collectionsOf(template).flatMap(pluralsOf).find(isListed) ?? null;
}

function pluralsOf(collection: string): string[] {
  const [, plain = '', ending = ''] = /^(.*?)(\/|\.[a-z]{3,4})?$/i.exec(collection) ?? [];
  return [`${plain}s`, plain.replace(/y$/i, 'ies'), `${plain}es`].map((path) => path + ending);
}
