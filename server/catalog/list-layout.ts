/** Where a list answer keeps its entries and how it pages: as the document states it, else as its schema suggests. */
import { statedOrShown } from './example-schema.ts';
import { isItemPath, withoutEnding } from './item-path.ts';
import type { OperationSource } from './operation-source.ts';
import { plainName } from './plain-name.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';
import { successesOf } from './success-responses.ts';
import { formsOf, isArraySchema, wholeSchema } from './whole-schema.ts';

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

const LIST_NAMES =
  'items data results result entries records value values content resources objects list rows elements hits collection'.split(
    ' ',
  );
/** By all others objects call their parts as well. */
const NO_PARTS: ReadonlySet<string> = new Set(['data', 'results', 'result']);

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
  source: Pick<OperationSource, 'method' | 'path' | 'item' | 'operation'>,
): Pick<ListLayout, 'property' | 'keyed'> | undefined {
  const { method, path, item, operation } = source;
  const answered = method === 'GET' || method === 'POST' ? answerSchema(document, operation) : undefined;
  if (answered === undefined) return undefined;
  const schema = wholeSchema(document, answered);
  const isItem = method === 'GET' && isItemPath(path);
  if (isItem && isChanged(item)) return undefined;
  if (isArraySchema(schema)) return { property: null };
  if (method === 'POST') return undefined;
  const property = arrayProperty(document, schema, placeOf(document, path, item));
  if (isItem) return property === undefined || !hasReadBelow(document, path) ? undefined : { property };
  if (property !== undefined) return { property };
  const keyed = mapProperty(document, path, schema);
  return keyed === undefined ? undefined : { property: keyed, keyed: true };
}

const isChanged = (item: JsonObject): boolean => ['put', 'patch', 'delete'].some((method) => isObject(item[method]));

/** Whether a single one of what stands there can be read: `/flags/{project}/{flag}` below `/flags/{project}`. */
function hasReadBelow(document: ApiDocument, path: string): boolean {
  const start = `${withoutEnding(path)}/`;
  const { paths: stated } = document.content;
  const paths = isObject(stated) ? stated : {};
  return Object.keys(paths).some(
    (below) =>
      below.startsWith(start) &&
      ONE_PARAMETER.test(below.slice(start.length)) &&
      isObject(resolveRef(document, paths[below])['get']),
  );
}

const ONE_PARAMETER = /^\{[^{}/]+\}(?:\/|\.json)?$/;

const nounOf = (path: string): string =>
  plainName(path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '');

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

interface Place {
  /** Last word of the path. */
  noun: string;
  /** Other operations make or read a single one of what stands there. */
  holdsMany: () => boolean;
  /** What is answered is put there as a whole, or changed. */
  isReplaced: boolean;
}

function placeOf(document: ApiDocument, path: string, item: JsonObject): Place {
  const isReplaced = isObject(item['put']) || isObject(item['patch']);
  const isMade = () => (!isReplaced && isObject(item['post'])) || hasReadBelow(document, path);
  return { noun: nounOf(path), holdsMany: () => !isItemPath(path) && isMade(), isReplaced };
}

/**
 * Null = the answer is the array; undefined = there is none. Of several forms of an answer the first list of objects counts, else the
 * first list; an answer of another form is not cut.
 */
function arrayProperty(document: ApiDocument, schema: JsonObject, place: Place): string | null | undefined {
  const forms = answerForms(document, schema);
  const lists = forms.flatMap((form) => {
    const at = isArraySchema(form)
      ? null
      : (entriesIn(document, form, place) ?? entriesInHolder(document, form, place));
    // Beside other forms, that of a failure is no list.
    if (forms.length > 1 && ABOUT_ANSWER.test(plainName(at ?? ''))) return [];
    return at === undefined ? [] : [{ at, isPlain: holdsPlainValues(document, arrayAt(document, form, at)) }];
  });
  return (lists.find(({ isPlain }) => !isPlain) ?? lists[0])?.at;
}

function arrayAt(document: ApiDocument, form: JsonObject, place: string | null): JsonObject {
  const inside = (at: JsonObject, name: string) =>
    wholeSchema(document, fieldsOf(at).find(([own]) => own === name)?.[1]);
  return place === null ? form : place.split('.').reduce(inside, form);
}

/** Numbers, texts and the like, so that an entry has no fields. */
const holdsPlainValues = (document: ApiDocument, array: JsonObject): boolean =>
  [wholeSchema(document, array['items'])['type']]
    .flat()
    .every((type) => type !== undefined && type !== 'object' && type !== 'array');

/** The forms that an answer may have, such as the rows, their numbers alone, or a count; each with what all of them share. */
function answerForms(document: ApiDocument, schema: JsonObject): JsonObject[] {
  const forms = formsOf(document, schema).map((form) => wholeSchema(document, form));
  if (forms.length === 0) return [schema];
  const { oneOf: _oneOf, anyOf: _anyOf, ...shared } = schema;
  return forms.map((form) => (isArraySchema(form) ? form : wholeSchema(document, { allOf: [shared, form] })));
}

/** Name of the array that is the list in an object; undefined where none is, or several may be. */
function entriesIn(document: ApiDocument, schema: JsonObject, place: Place): string | undefined {
  const fields = fieldsOf(schema);
  const arrays = listsAmong(document, fields, place);
  const customary = LIST_NAMES.find((name) => arrays.some(([own]) => own === name));
  if (customary !== undefined && (NO_PARTS.has(customary) || !isOneThing(fields, place))) return customary;
  // Beside what is called like the path there may be what its entries name: `{ tickets: [], users: [] }`.
  const named = arrays.find(
    ([name, part]) => isNamedList(fields, name, place) && !holdsPlainValues(document, wholeSchema(document, part)),
  );
  if (named !== undefined) return named[0];
  const [only, ...others] = arrays;
  if (only === undefined || others.length > 0 || customary !== undefined) return undefined;
  return isObjectWithList(document, fields, only, place) ? undefined : only[0];
}

/** An array called like its path is the list, but for that of one object. */
const isNamedList = (fields: readonly Field[], name: string, place: Place): boolean =>
  isCalled(name, place) && (!(isOneThing(fields, place) || place.isReplaced) || place.holdsMany());

const isOneThing = (fields: readonly Field[], place: Place): boolean =>
  hasIdentity(fields, place) && !hasPaging(fields.filter(isNoLink));

/** `rates` of `/tax-rates`. */
function isCalled(name: string, { noun }: Place): boolean {
  const own = plainName(name);
  return own.length > 2 && noun.endsWith(own);
}

/** What an answer says about itself beside its content is no list of entries, except where it is asked for: `/messages`. */
const ABOUT_ANSWER = /^(?:errors?|warnings?|messages?|links?)$/;
const listsAmong = (document: ApiDocument, fields: readonly Field[], place: Place): Field[] =>
  fields.filter(
    ([name, part]) =>
      isArraySchema(wholeSchema(document, part)) &&
      (fields.length === 1 || isCalled(name, place) || !ABOUT_ANSWER.test(plainName(name))),
  );

/** What many platforms wrap every answer in, with a code and a message beside it: `{ code, msg, result: { total, rows: [] } }`. */
const HOLDER = /^(?:data|result|response|payload|body|(?:search|query|list|page)(?:data|result|response))$/;

function entriesInHolder(document: ApiDocument, schema: JsonObject, place: Place): string | undefined {
  const fields = fieldsOf(schema);
  const [holder, ...others] = fields.filter(([name]) => HOLDER.test(plainName(name)));
  if (holder === undefined || others.length > 0 || listsAmong(document, fields, place).length > 0) return undefined;
  const [name, part] = holder;
  const held = wholeSchema(document, part);
  const inner = entriesIn(document, held, place);
  if (inner === undefined) return undefined;
  const fieldsInside = fieldsOf(held);
  const besides = fieldsInside.filter(([own]) => own !== inner);
  const isPage = !hasIdentity(besides, place) && (besides.length === 0 || hasPaging(besides));
  return isPage || isNamedList(fieldsInside, inner, place) ? `${name}.${inner}` : undefined;
}

type Field = [name: string, part: unknown];

const fieldsOf = ({ properties }: JsonObject): Field[] => Object.entries(isObject(properties) ? properties : {});

const IDENTITY = new Set(['id', 'uuid', 'guid']);
/** Also by the name of the thing: `accountId` of `/accounts`. */
const hasIdentity = (fields: readonly Field[], { noun }: Place): boolean => {
  const own = `${noun.replace(/ies$/, 'y').replace(/s$/, '')}id`;
  return fields.some(([name]) => IDENTITY.has(plainName(name)) || plainName(name) === own);
};

/** An object that has an identity, or much beside its entries, holds a list and is none: `tags` of a site, `events` of an app. */
function isObjectWithList(document: ApiDocument, fields: readonly Field[], only: Field, place: Place): boolean {
  if (hasIdentity(fields, place)) return true;
  if (HOLDER.test(plainName(only[0]))) return false;
  const most = holdsPlainValues(document, wholeSchema(document, only[1])) ? MOST_AROUND_VALUES : MOST_AROUND_OBJECTS;
  return !hasPaging(fields) && fields.length > most;
}

/** A field that counts entries, says which of them these are, or leads on to more. */
const PAGING =
  /^(?:total\w*|counts?|(?:next|prev|previous)\w*|(?:has)?more|hasnext\w*|(?:first|last)(?:page|url|link)?|page\w*|paging|pagination\w*|offset|limit|cursors?|links?|meta(?:data)?|size|perpage)$/;
const hasPaging = (fields: readonly Field[]): boolean => fields.some(([name]) => PAGING.test(plainName(name)));
/** Beside an identity they are those of the object. */
const isNoLink = ([name]: Field): boolean => !/^links?$/.test(plainName(name));
/** Plain values and one field beside them. */
const MOST_AROUND_VALUES = 2;
/** As in the fake. */
const MOST_AROUND_OBJECTS = 6;

/** Null = the answer is an object of entries, each under its key; undefined = there is none. */
function mapProperty(document: ApiDocument, path: string, schema: JsonObject): string | null | undefined {
  if (isMapOfObjects(document, schema)) return null;
  const noun = nounOf(path);
  return fieldsOf(schema)
    .filter(([name]) => LIST_NAMES.includes(name) || plainName(name) === noun)
    .find(([, part]) => isMapOfObjects(document, wholeSchema(document, part)))?.[0];
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

const firstSuccess = (document: ApiDocument, operation: JsonObject): JsonObject =>
  successesOf(document, operation)[0] ?? {};

const ANY_TYPE = /^(?:\*|application)\/\*/i;

/** Of the first success that answers JSON, or anything: generated documents often state no media type. */
export function answerSchema(document: ApiDocument, operation: JsonObject): JsonObject | undefined {
  const { content } = firstSuccess(document, operation);
  const types = isObject(content) ? Object.entries(content) : [];
  const media = (types.find(([type]) => /json/i.test(type)) ?? types.find(([type]) => ANY_TYPE.test(type)))?.[1];
  return isObject(media) ? statedOrShown(document, media) : undefined;
}
