/** Where the entries of a list answer stand, and where the thing stands in an answer or a body that is about one. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { flatWithoutNull } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { nounOf, singularOfNoun } from './item-path.ts';

export interface Envelope {
  /** Schema of the answer: of several forms, the first that is a list. */
  answer: Schema;
  /** Names from the answer to the array; empty when the answer is the array. */
  path: string[];
  /** The entries stand in an object, each under its key. */
  isKeyed?: true;
  items: Schema;
  /** Names from an entry to the thing in it; empty when the entry is the thing. */
  row: string[];
  /** Schema of the thing. */
  schema: Schema;
}

/** How an answer or a body about one thing holds it. */
export interface Wrapping {
  /** Names from the whole to the thing, or to the array that has it as its entry. */
  path: string[];
  isList: boolean;
  schema: Schema;
}

/** As in the router. */
const CUSTOMARY = new Set(
  'items,data,results,result,entries,records,value,values,content,resources,objects,list,rows,elements,hits,collection'.split(
    ',',
  ),
);
/** By all others objects call their parts as well: an object with an identity that tells of no page is no list of them. */
const NO_PARTS = new Set(['data', 'results', 'result']);
const IDENTITY = /^_?(id|uuid|guid)$/i;
/** As in the router: whole names, since `country` counts nothing. Links beside an identity are those of the thing. */
const PAGING =
  /^(?:total\w*|counts?|(?:next|prev|previous)\w*|(?:has)?more|hasnext\w*|(?:first|last)(?:page|url|link)?|page\w*|paging|pagination\w*|offset|limit|cursors?|meta(?:data)?|size|perpage)$/;
const OUTER = new Set('data,result,results,response,payload,embedded,content,body,page'.split(','));
const ONE = new Set(
  'data,result,item,value,object,entity,record,payload,content,response,resource,body,attributes'.split(','),
);
/** Names beside the thing, which tell of the answer. */
const BESIDE =
  /^(_?meta|_?links?|success|status(_?code)?|messages?|errors?|warnings?|request_?id|code|included|jsonapi|ok|pagination|paging|trace_?id|timestamp|api_?version|version|result_?info|response_?metadata|provider_?name|date_?time_?utc|description|info|debug)$/i;

/** What other operations say of the place of a list. */
export interface Place {
  /** They make or read a single one of what stands there. */
  holdsMany: () => boolean;
  /** What is answered is put there as a whole, or changed. */
  isReplaced: boolean;
}

/** Null when the answer is not a list of objects. */
export function envelopeOf(operation: Operation, place: Place): Envelope | null {
  const { schema } = successOf(operation);
  if (schema === null) return null;
  const { document, template } = operation;
  const noun = nounOf(template);
  for (const answer of formsOf(document, schema)) {
    const found = arrayIn(document, answer, { ...place, noun }, 0) ?? mapIn(document, answer, noun);
    if (found === null) continue;
    const row = wrappingOf(document, found.items, noun);
    return { answer, ...found, row: row.isList ? [] : row.path, schema: row.isList ? found.items : row.schema };
  }
  return null;
}

/** The forms that an answer may have, such as the rows, their numbers alone, or a count; each with what all of them share. */
function formsOf(document: OpenApiDocument, schema: Schema): Schema[] {
  const { oneOf, anyOf, ...shared } = flatWithoutNull(document, schema);
  const forms = oneOf ?? anyOf ?? [];
  if (forms.length === 0) return [schema];
  return shared.properties === undefined ? forms : forms.map((form) => ({ allOf: [shared, form] }));
}

function arrayIn(
  document: OpenApiDocument,
  schema: Schema,
  place: Place & { noun: string },
  depth: number,
): { path: string[]; items: Schema } | null {
  const at = flatWithoutNull(document, schema);
  if (isObjectArray(document, at)) return { path: [], items: at.items as Schema };
  const properties = at.properties ?? {};
  const names = Object.keys(properties);
  const arrays = names.filter(
    (name) =>
      (!BESIDE.test(name) || isLike(name, place.noun)) &&
      isObjectArray(document, flatWithoutNull(document, properties[name] as Schema)),
  );
  const chosen = listAmong(names, arrays, place);
  // In what holds every answer there is a page, what is called like the path, or an object with a list: `{ data: { hosts, name, state } }`.
  if (chosen !== undefined && depth > 0 && !isPage(names, place.noun) && !isNamedList(names, chosen, place))
    return null;
  if (chosen !== undefined)
    return { path: [chosen], items: flatWithoutNull(document, properties[chosen] as Schema).items as Schema };
  if (depth >= 2) return null;
  const holders = names.filter((each) => OUTER.has(plainName(each)) || plainName(each) === plainName(place.noun));
  for (const name of holders.filter((each) => !arrays.includes(each))) {
    const inner = arrayIn(document, properties[name] as Schema, place, depth + 1);
    if (inner !== null) return { path: [name, ...inner.path], items: inner.items };
  }
  return null;
}

/** Name of the array that is the list in an object of these names; undefined where none is. */
function listAmong(
  names: readonly string[],
  arrays: readonly string[],
  place: Place & { noun: string },
): string | undefined {
  // One array among many other fields is a part of a thing; a list has little beside its entries.
  const others = names.filter((name) => !isAboutPage(name));
  const lone =
    !hasIdentity(names, place.noun) && arrays.length === 1 && (names.length <= 6 || others.length === 1)
      ? arrays[0]
      : undefined;
  const customary = arrays.find(
    (name) => CUSTOMARY.has(name.toLowerCase()) && (NO_PARTS.has(name.toLowerCase()) || !isOneThing(names, place.noun)),
  );
  return customary ?? arrays.find((name) => isNamedList(names, name, place)) ?? lone;
}

/** An array called like its path is the list, but for that of one object. */
const isNamedList = (
  names: readonly string[],
  name: string,
  { noun, holdsMany, isReplaced }: Place & { noun: string },
): boolean => isLike(name, noun) && (!(isOneThing(names, noun) || isReplaced) || holdsMany());

/** Also by the name of the thing: `accountId` of `/accounts`. */
const hasIdentity = (names: readonly string[], noun: string): boolean =>
  names.some((name) => IDENTITY.test(name) || plainName(name) === `${singular(noun)}id`);
const isOneThing = (names: readonly string[], noun: string): boolean => hasIdentity(names, noun) && !hasPaging(names);

const hasPaging = (names: readonly string[]): boolean => names.some((name) => PAGING.test(plainName(name)));
const isPage = (names: readonly string[], noun: string): boolean =>
  !hasIdentity(names, noun) && (names.length === 1 || hasPaging(names));

const isLike = (name: string, noun: string): boolean =>
  plainName(noun).endsWith(plainName(name)) || singular(noun).endsWith(singular(name));

/** An object of things by their keys, which is the answer or the field in it that is called like the things. */
function mapIn(
  document: OpenApiDocument,
  schema: Schema,
  noun: string,
): Pick<Envelope, 'path' | 'items' | 'isKeyed'> | null {
  const at = flatWithoutNull(document, schema);
  const items = entryOf(document, at);
  if (items !== null) return { path: [], items, isKeyed: true };
  for (const [name, property] of Object.entries(at.properties ?? {})) {
    const inner = isNamed(name, noun) || CUSTOMARY.has(name.toLowerCase()) ? entryOf(document, property) : null;
    if (inner !== null) return { path: [name], items: inner, isKeyed: true };
  }
  return null;
}

/** Schema of the things in an object of any names; null for another object. */
function entryOf(document: OpenApiDocument, schema: Schema): Schema | null {
  const { properties, additionalProperties } = flatWithoutNull(document, schema);
  if (Object.keys(properties ?? {}).length > 0 || typeof additionalProperties !== 'object') return null;
  const items = additionalProperties as Schema;
  return isThing(flatWithoutNull(document, items)) ? items : null;
}

const singular = (name: string): string => plainName(singularOfNoun(name));

const isAboutPage = (name: string): boolean =>
  /page|size|limit|offset|total|count|next|prev|first|last|cursor|more|start|end|uri|url|link/i.test(name) ||
  BESIDE.test(name);

/** Where the thing of a path with this noun stands in a value of the schema. */
export function wrappingOf(document: OpenApiDocument, schema: Schema, noun: string, depth = 0): Wrapping {
  const bare: Wrapping = { path: [], isList: false, schema };
  const at = flatWithoutNull(document, schema);
  if (depth === 0 && isObjectArray(document, at)) return { path: [], isList: true, schema: at.items as Schema };
  const properties = at.properties ?? {};
  const name = wrapperIn(document, properties, noun);
  if (name === undefined || depth > 2) return bare;
  const inner = flatWithoutNull(document, properties[name] as Schema);
  if (isObjectArray(document, inner)) return { path: [name], isList: true, schema: inner.items as Schema };
  const below = wrappingOf(document, properties[name] as Schema, noun, depth + 1);
  return { ...below, path: [name, ...below.path] };
}

/** Name of the one field that holds the thing; undefined where the value is the thing. */
function wrapperIn(
  document: OpenApiDocument,
  properties: Readonly<Record<string, Schema>>,
  noun: string,
): string | undefined {
  const names = Object.keys(properties).filter((name) => !BESIDE.test(name));
  const holds = (name: string): boolean => {
    const at = flatWithoutNull(document, properties[name] as Schema);
    return isThing(at) || isObjectArray(document, at);
  };
  const holders = names.filter(holds);
  const named = holders.find((name) => isNamed(name, noun));
  // Beside a thing there may be others; beside a field of plain values, the object is the thing itself.
  const isBeside = (name: string) => holders.includes(name) || isAboutMaking(name, noun);
  if (named !== undefined && names.every(isBeside) && names.length <= 5) return named;
  const data = names.find((name) => DATA.test(name));
  if (data !== undefined && isThing(flatWithoutNull(document, properties[data] as Schema)) && !names.some(isIdentity)) {
    const others = names.filter((name) => name !== data);
    if (others.every((name) => !holds(name))) return data;
  }
  const [only] = names;
  if (names.length !== 1 || only === undefined || !holders.includes(only)) return undefined;
  const isOne = isThing(flatWithoutNull(document, properties[only] as Schema));
  const isAlone = Object.keys(properties).every((name) => name === only || ABOUT_CALL.test(name));
  return ONE.has(plainName(only)) || (isOne && isAlone) ? only : undefined;
}

/** What only an answer has, and no thing. */
const ABOUT_CALL = /^(errors?|warnings?|_?meta|request_?id|success)$/i;

/** The name that nearly every platform gives the thing in an answer; beside an identity it is a field of the thing. */
const DATA = /^data$/i;
const isIdentity = (name: string): boolean =>
  /^_?(id|uuid|guid|key|name|href|self|url|type)$/i.test(name) || /[a-z]I[dD]$|_id$/.test(name);

/** What a body says beside the thing: the id that it shall have, and how the request is meant. */
const isAboutMaking = (name: string, noun: string): boolean =>
  plainName(name) === `${plainName(singularOfNoun(noun))}id` ||
  /^(parent|validate_?only|dry_?run|update_?mask)$/i.test(name);

/** Whether a field is called like the thing, also with a word before it: `device_code` of `/devices/codes`. */
export function isNamed(name: string, noun: string): boolean {
  const [own = '', wanted = ''] = [name, noun].map((text) => plainName(singularOfNoun(text)));
  if (own.length <= 2) return false;
  return own === wanted || wanted.endsWith(own) || (wanted.length > 2 && lastWords(name).includes(wanted));
}

/** `device_code` ends with the words `code` and `devicecode`. */
function lastWords(name: string): string[] {
  const words = singularOfNoun(name).split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  return words.map((_, at) => plainName(words.slice(at).join('')));
}

const isThing = (at: Schema): boolean => at.properties !== undefined && Object.keys(at.properties).length > 0;

function isObjectArray(document: OpenApiDocument, schema: Schema): boolean {
  if (schema.items === undefined || !typesOf(schema).includes('array')) return false;
  const items = flatWithoutNull(document, schema.items);
  return (
    typesOf(items).includes('object') ||
    items.properties !== undefined ||
    (items.oneOf ?? items.anyOf ?? []).some((branch) => flatWithoutNull(document, branch).properties !== undefined)
  );
}
