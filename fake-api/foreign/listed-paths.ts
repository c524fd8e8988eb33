/** The paths at which a foreign platform lists things, by what its reads answer and by what else stands there. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../engine/openapi/flattened-schema.ts';
import type { Schema } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { collectionsOf, isDirectlyBelow, isItemPath, nounOf } from './item-path.ts';
import { type Envelope, envelopeOf, type Place, wrappingOf } from './list-envelope.ts';

export type OperationsByMethod = ReadonlyMap<string, Operation>;

export interface Listed {
  operation: Operation;
  envelope: Envelope;
}

export function listsOf(byPath: ReadonlyMap<string, OperationsByMethod>): ReadonlyMap<string, Listed> {
  const lists = new Map<string, Listed>();
  for (const [template, own] of byPath) {
    const get = own.get('GET');
    const envelope =
      get === undefined ||
      (isItemPath(template) &&
        !isListOfItems(template, byPath) &&
        !isListOfParts(own) &&
        !isArrayAlone(template, byPath))
        ? null
        : envelopeOf(get, placeOf(template, byPath));
    if (get !== undefined && envelope !== null) lists.set(template, { operation: get, envelope });
  }
  return lists;
}

function placeOf(template: string, byPath: ReadonlyMap<string, OperationsByMethod>): Place {
  const own = byPath.get(template);
  const isReplaced = own?.has('PUT') === true || own?.has('PATCH') === true;
  const isMade = () => (!isReplaced && own?.has('POST') === true) || hasReadBelow(template, byPath);
  return { holdsMany: () => !isItemPath(template) && isMade(), isReplaced };
}

const hasReadBelow = (template: string, byPath: ReadonlyMap<string, OperationsByMethod>): boolean =>
  [...byPath].some(([below, methods]) => isDirectlyBelow(template, below) && methods.has('GET'));

/** Nothing is known of what else stands there. */
const NOWHERE: Place = { holdsMany: () => false, isReplaced: false };

/** `/flags/{project}` lists what `/flags/{project}/{flag}` reads, where nothing changes the former. */
function isListOfItems(template: string, byPath: ReadonlyMap<string, OperationsByMethod>): boolean {
  const own = byPath.get(template);
  if (own === undefined || own.has('PUT') || own.has('PATCH') || own.has('DELETE')) return false;
  return hasReadBelow(template, byPath);
}

/** `/statuses/{commit}` lists what a POST there makes, where nothing changes or removes a thing of that path. */
function isListOfParts(own: OperationsByMethod): boolean {
  const [get, post] = [own.get('GET'), own.get('POST')];
  if (get === undefined || post === undefined || own.size > 2) return false;
  const envelope = envelopeOf(get, NOWHERE);
  const answered = successOf(post).schema;
  if (envelope === null || answered === null) return false;
  const names = (schema: Schema) => Object.keys(propertiesOf(get.document, schema));
  const listed = new Set(names(envelope.schema));
  const made = names(wrappingOf(get.document, answered, nounOf(post.template)).schema);
  return made.length > 0 && made.filter((name) => listed.has(name)).length * 3 >= made.length * 2;
}

/** A read of an array, and nothing else there or above: `/nodes/{network}` is of no node. */
function isArrayAlone(template: string, byPath: ReadonlyMap<string, OperationsByMethod>): boolean {
  const own = byPath.get(template);
  const get = own?.get('GET');
  if (get === undefined || own?.size !== 1 || collectionsOf(template).some((path) => byPath.has(path))) return false;
  const envelope = envelopeOf(get, NOWHERE);
  return envelope !== null && envelope.path.length === 0 && envelope.isKeyed === undefined;
}
