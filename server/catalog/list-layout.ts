/** Where a list answer keeps its entries and how it pages: as the document states it, else as its schema suggests. */
import { isItemPath } from './item-path.ts';
import type { OperationSource } from './operation-source.ts';
import { plainName } from './plain-name.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

export interface ListLayout {
  /** Dotted path of the entries; null = the whole answer is the array. */
  property: string | null;
  /** Entries stand in an object, each under its key. */
  keyed?: true;
  /** Entries in a page unless asked otherwise. */
  limit?: number;
  /** Query parameters that page, where they are not called limit, offset, page and next. */
  parameters?: { limit?: string; offset?: string; page?: string; cursor?: string };
  /** Number of the first entry or page, where it is not 0 for an entry and 1 for a page. */
  first?: number;
  /** Response header that holds the number of all entries. */
  totalHeader?: string;
  /** Properties beside the entries that hold the number of all entries and the next cursor, by other names. */
  total?: string;
  next?: string;
}

const LIST_NAMES = ['items', 'data', 'results', 'result', 'entries', 'records', 'values'];
/** Those by which objects call their parts as well. */
const PART_NAMES: ReadonlySet<string> = new Set(['items', 'entries', 'records', 'values']);

/** Undefined for an operation that answers no list. */
export function readListLayout(
  document: ApiDocument,
  source: Pick<OperationSource, 'method' | 'path' | 'item' | 'operation'>,
): ListLayout | undefined {
  const { operation } = source;
  const stated = operation['x-svc-list'];
  if (isObject(stated)) return statedLayout(stated);
  // A document that names its kinds names its lists too: a count or a trend holds an array and is none.
  if (operation['x-svc-kind'] !== undefined) return undefined;
  const place = entriesOf(document, source);
  return place === undefined ? undefined : { ...place, ...declaredTotal(document, operation) };
}

function entriesOf(
  document: ApiDocument,
  { method, path, item, operation }: Pick<OperationSource, 'method' | 'path' | 'item' | 'operation'>,
): Pick<ListLayout, 'property' | 'keyed'> | undefined {
  if (method === 'GET' && isItemPath(path))
    return isChanged(item) || !answersArray(document, operation) ? undefined : { property: null };
  if (method !== 'GET' && method !== 'POST') return undefined;
  const property = arrayProperty(document, method, operation);
  if (property !== undefined) return { property };
  const keyed = method === 'GET' ? mapProperty(document, path, operation) : undefined;
  return keyed === undefined ? undefined : { property: keyed, keyed: true };
}

/** What can be changed or removed under its path is one thing, whatever a read of it answers: `/nodes/{id}`, not `/nodes/{network}`. */
const isChanged = (item: JsonObject): boolean => ['put', 'patch', 'delete'].some((method) => isObject(item[method]));

const answersArray = (document: ApiDocument, operation: JsonObject): boolean =>
  answerSchema(document, operation)?.['type'] === 'array';

function statedLayout(stated: JsonObject): ListLayout {
  const { property, shape, default: limit, parameters, first } = stated;
  const totalHeader = nameOf(stated['headers'], 'total');
  const total = nameOf(stated['meanings'], 'total');
  const next = nameOf(stated['meanings'], 'next');
  return {
    property: typeof property === 'string' ? property : null,
    ...(shape === 'map' ? { keyed: true } : {}),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(isObject(parameters) ? { parameters } : {}),
    ...(typeof first === 'number' ? { first } : {}),
    ...(totalHeader === undefined ? {} : { totalHeader }),
    ...(total === undefined ? {} : { total }),
    ...(next === undefined ? {} : { next }),
  };
}

/** Documents state name → meaning; here the name is looked for. */
function nameOf(meanings: unknown, meaning: string): string | undefined {
  return isObject(meanings) ? Object.entries(meanings).find(([, value]) => value === meaning)?.[0] : undefined;
}

/**
 * Null = the answer is the array; undefined = there is none. Of several forms of an answer the first list of objects counts, else the
 * first list; an answer of another form is not cut.
 */
function arrayProperty(document: ApiDocument, method: string, operation: JsonObject): string | null | undefined {
  const schema = answerSchema(document, operation);
  if (schema === undefined) return undefined;
  if (schema['type'] === 'array') return null;
  if (method === 'POST') return undefined;
  const forms = formsOf(document, schema);
  const lists = forms.flatMap((form) => {
    const place = form['type'] === 'array' ? null : (entriesIn(document, form) ?? entriesInHolder(document, form));
    // Beside other forms, that of a failure is no list.
    if (forms.length > 1 && ABOUT_ANSWER.test(plainName(place ?? ''))) return [];
    return place === undefined ? [] : [{ place, isPlain: holdsPlainValues(document, arrayAt(document, form, place)) }];
  });
  return (lists.find(({ isPlain }) => !isPlain) ?? lists[0])?.place;
}

function arrayAt(document: ApiDocument, form: JsonObject, place: string | null): JsonObject {
  const inside = (at: JsonObject, name: string) =>
    resolveRef(document, fieldsOf(document, at).find(([own]) => own === name)?.[1]);
  return place === null ? form : place.split('.').reduce(inside, form);
}

/** Numbers, texts and the like, so that an entry has no fields. */
const holdsPlainValues = (document: ApiDocument, array: JsonObject): boolean =>
  [resolveRef(document, array['items'])['type']]
    .flat()
    .every((type) => type !== undefined && type !== 'object' && type !== 'array');

/** The forms that an answer may have, such as the rows, their numbers alone, or a count; each with what all of them share. */
function formsOf(document: ApiDocument, schema: JsonObject): JsonObject[] {
  const { oneOf, anyOf, ...shared } = schema;
  const forms = oneOf ?? anyOf;
  if (!Array.isArray(forms) || forms.length === 0) return [schema];
  const parts = Array.isArray(shared['allOf']) ? shared['allOf'] : [];
  return forms
    .map((form) => resolveRef(document, form))
    .map((form) => (form['type'] === 'array' ? form : { ...shared, allOf: [...parts, form] }));
}

/** Name of the array that is the list in an object; undefined where none is, or several may be. */
function entriesIn(document: ApiDocument, schema: JsonObject): string | undefined {
  const fields = fieldsOf(document, schema);
  const arrays = listsAmong(document, fields);
  const customary = LIST_NAMES.find((name) => arrays.some(([own]) => own === name));
  const [only, ...others] = arrays;
  if (customary !== undefined)
    return PART_NAMES.has(customary) && hasIdentity(fields) && !hasPaging(fields.filter(isNoLink))
      ? undefined
      : customary;
  if (only === undefined || others.length > 0) return undefined;
  return isObjectWithList(document, fields, only) ? undefined : only[0];
}

/** What an answer says about itself beside its content is no list of entries. */
const ABOUT_ANSWER = /^(?:errors?|warnings?|messages?)$/;
const listsAmong = (document: ApiDocument, fields: readonly Field[]): Field[] =>
  fields.filter(
    ([name, part]) =>
      resolveRef(document, part)['type'] === 'array' && (fields.length === 1 || !ABOUT_ANSWER.test(plainName(name))),
  );

/** What many platforms wrap every answer in, with a code and a message beside it: `{ code, msg, result: { total, rows: [] } }`. */
const HOLDER = /^(?:data|result|response|payload|body|(?:search|query|list|page)(?:data|result|response))$/;

function entriesInHolder(document: ApiDocument, schema: JsonObject): string | undefined {
  const fields = fieldsOf(document, schema);
  const [holder, ...others] = fields.filter(([name]) => HOLDER.test(plainName(name)));
  if (holder === undefined || others.length > 0 || listsAmong(document, fields).length > 0) return undefined;
  const [name, part] = holder;
  const held = resolveRef(document, part);
  const inner = entriesIn(document, held);
  if (inner === undefined) return undefined;
  const besides = fieldsOf(document, held).filter(([own]) => own !== inner);
  const isPage = !hasIdentity(besides) && (besides.length === 0 || hasPaging(besides));
  return isPage ? `${name}.${inner}` : undefined;
}

type Field = [name: string, part: unknown];

/** Through `allOf`, as documents write an envelope that all answers share. */
function fieldsOf(document: ApiDocument, schema: JsonObject, depth = 0): Field[] {
  const { properties, allOf } = schema;
  const own = Object.entries(isObject(properties) ? properties : {});
  if (!Array.isArray(allOf) || depth > DEEPEST) return own;
  return [...own, ...allOf.flatMap((part) => fieldsOf(document, resolveRef(document, part), depth + 1))];
}

const DEEPEST = 4;
const IDENTITY = new Set(['id', 'uuid', 'guid']);
const hasIdentity = (fields: readonly Field[]): boolean => fields.some(([name]) => IDENTITY.has(plainName(name)));

/** An object that has an identity, or much beside plain values, holds a list and is none: `tags` of a site, `events` of an app. */
function isObjectWithList(document: ApiDocument, fields: readonly Field[], [, only]: Field): boolean {
  if (hasIdentity(fields)) return true;
  const isPlain = holdsPlainValues(document, resolveRef(document, only));
  return isPlain && !hasPaging(fields) && fields.length > MOST_AROUND_VALUES;
}

/** A field that counts entries, says which of them these are, or leads on to more. */
const PAGING =
  /^(?:total\w*|counts?|(?:next|prev|previous)\w*|(?:has)?more|hasnext\w*|(?:first|last)(?:page|url|link)?|page\w*|paging|pagination\w*|offset|limit|cursors?|links?|meta(?:data)?|size|perpage)$/;
const hasPaging = (fields: readonly Field[]): boolean => fields.some(([name]) => PAGING.test(plainName(name)));
/** Beside an identity they are those of the object. */
const isNoLink = ([name]: Field): boolean => !/^links?$/.test(plainName(name));
/** Plain values and one field beside them. */
const MOST_AROUND_VALUES = 2;

/** Null = the answer is an object of entries, each under its key; undefined = there is none. */
function mapProperty(document: ApiDocument, path: string, operation: JsonObject): string | null | undefined {
  const schema = answerSchema(document, operation);
  if (schema === undefined) return undefined;
  if (isMapOfObjects(document, schema)) return null;
  const noun = plainName(path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '');
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
    .filter(([name]) => LIST_NAMES.includes(name) || plainName(name) === noun)
    .find(([, part]) => isMapOfObjects(document, resolveRef(document, part)))?.[0];
}

/** Any names, and under each an object that has fields. */
function isMapOfObjects(document: ApiDocument, { properties, additionalProperties }: JsonObject): boolean {
  if (isObject(properties) && Object.keys(properties).length > 0) return false;
  if (!isObject(additionalProperties)) return false;
  const entry = resolveRef(document, additionalProperties);
  return isObject(entry['properties']) || Array.isArray(entry['allOf']);
}

/** The header in which platforms say how many entries there are, where the answer declares it. Another name than that of a header is no answer's. */
const TOTAL_HEADER = /^(?:x[-_.]?)?(?:pagination[-_.]?)?total(?:[-_.]?count)?$/i;

function declaredTotal(document: ApiDocument, operation: JsonObject): Pick<ListLayout, 'totalHeader'> {
  const { headers } = firstSuccess(document, operation);
  const totalHeader = Object.keys(isObject(headers) ? headers : {}).find((name) => TOTAL_HEADER.test(name));
  return totalHeader === undefined ? {} : { totalHeader };
}

function firstSuccess(document: ApiDocument, operation: JsonObject): JsonObject {
  const responses = isObject(operation['responses']) ? operation['responses'] : {};
  const status = Object.keys(responses).find((code) => /^2(\d\d|XX)$/.test(code));
  return status === undefined ? {} : resolveRef(document, responses[status]);
}

/** Of the first success that answers JSON. */
export function answerSchema(document: ApiDocument, operation: JsonObject): JsonObject | undefined {
  const { content } = firstSuccess(document, operation);
  const media = isObject(content) ? Object.entries(content).find(([type]) => /json/i.test(type))?.[1] : undefined;
  return isObject(media) ? resolveRef(document, media['schema']) : undefined;
}
