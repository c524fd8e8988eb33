/** Drafts about a list: find one by its name, narrow it by a value, count it, page through it. */
import type { ApiOperation, Json } from './api-document.ts';
import type { ApiResource, Listed } from './api-resources.ts';
import { pathOf } from './api-resources.ts';
import { askableFields, type Field, isDistinct, keyField, nounsOf, spoken, wordsOf } from './field-names.ts';
import { isItemPath } from './item-path.ts';
import { concrete, type Draft, fieldFact, scopeOf, slotsOf } from './scenario-draft.ts';

/** Which rows a page parameter gives, as tried against the fake. */
export interface Page {
  query: Json;
  rows: Json[];
  /** `the second page`, `the first`. */
  said: string;
}

export function listDrafts(
  resource: ApiResource,
  page: Page | undefined,
  operations: readonly ApiOperation[] = [],
): Draft[] {
  const { list } = resource;
  if (list === undefined) return [];
  const elsewhere = parentsIn(list.operation.path, operations);
  const isOwn = ({ path }: Field) => !elsewhere.has(wordsOf(path).join(''));
  return [
    ...findDrafts(resource, list, isOwn),
    // Of rows that are not all there are, nobody can say how many there are and which is the only one.
    ...(list.isWhole ? [...filterDrafts(resource, list, isOwn), ...countDrafts(resource, list)] : []),
    ...(page === undefined ? [] : pageDrafts(resource, list, page)),
  ];
}

/**
 * The parents by which another list of the same noun is read, as fields call them: `roomid` of `/rooms/{id}/bookings` beside
 * `/bookings`. That list answers the question for the booking of a room too, and its rows are others.
 */
function parentsIn(path: string, operations: readonly ApiOperation[]): Set<string> {
  const { noun } = nounsOf(path);
  const others = operations.filter(
    (one) => one.method === 'GET' && one.path !== path && !isItemPath(one.path) && nounsOf(one.path).noun === noun,
  );
  const named = others.flatMap(({ path: other }) =>
    [...other.matchAll(/\/([^/{}]+)\/\{([^}]+)\}/g)].flatMap(([, parent = '', parameter = '']) => [
      parameter,
      `${nounsOf(`/${parent}`).noun} ${parameter}`,
    ]),
  );
  return new Set(named.map((name) => wordsOf(name).join('')));
}

interface Base {
  path: string;
  values: Json;
  /** Arguments of the oracle's call. */
  given: Json;
  call: string;
  scope: string;
}

/** What every draft over this list shares. A required query is stated in the intent, or nobody could know it. */
function baseOf({ operation, path, query }: Listed): Base {
  const slots = slotsOf(operation.path);
  const values: Json = {};
  for (const [name, slot] of Object.entries(slots)) values[slot] = path[name];
  const asked = Object.keys(query).map((name, i) => ({ name, slot: `query${i + 1}` }));
  for (const { name, slot } of asked) values[slot] = query[name];
  return {
    path: operation.path,
    values,
    given: { ...path, ...query },
    call: concrete('GET', operation.path, slots),
    scope: `${scopeOf(operation.path)}${asked.map(({ name, slot }) => `, ${spoken(name)} {{${slot}}}`).join('')}`,
  };
}

function findDrafts(resource: ApiResource, list: Listed, isOwn: (field: Field) => boolean): Draft[] {
  const { noun, nouns } = resource;
  const base = baseOf(list);
  const key = identity(list);
  const named = textFields(list).find((field) => field.path !== key && isOwn(field));
  if (key === undefined || named === undefined) return [];
  return list.rows.slice(0, 2).map((row, i): Draft => {
    const value = row[named.path];
    const fact = { ...fieldFact(key, row[key], 'answer', `the ${noun}`) };
    const [field, asked] = [spoken(named.path), spoken(key)];
    return {
      kind: 'find',
      name: `${slug(resource)}-${i + 1}`,
      path: base.path,
      wordings: [
        `Which of the ${nouns}${base.scope} has the ${field} {{wanted}}? Tell me its ${asked}.`,
        `I need the ${asked} of the ${noun} whose ${field} is {{wanted}}${base.scope}.`,
        `Find the ${noun} with ${field} {{wanted}}${base.scope} and give me its ${asked}.`,
        `Look through the ${nouns}${base.scope}: the ${asked} of the one with ${field} {{wanted}}, please.`,
      ],
      values: { ...base.values, wanted: value, answer: row[key] },
      facts: [fact],
      apiCalls: [base.call],
      steps: [
        {
          call: `GET ${base.path}`,
          arguments: base.given,
          row: { [named.path]: '{{wanted}}' },
          facts: { [fact.name]: key },
        },
      ],
    };
  });
}

/** By a value that exactly one row has and that is no name: a state, a number, yes or no. */
function filterDrafts(resource: ApiResource, list: Listed, isOwn: (field: Field) => boolean): Draft[] {
  const { noun, nouns } = resource;
  const base = baseOf(list);
  const key = identity(list);
  if (key === undefined) return [];
  const fields = askableFields(list.rows[0] ?? {})
    .filter(({ path }) => path !== key && !path.includes('.'))
    .filter(isOwn);
  const drafts = fields.flatMap(({ path }): { path: string; row: Json }[] => {
    const only = list.rows.filter((row) => list.rows.filter((other) => other[path] === row[path]).length === 1);
    const row = only[0];
    const isText = typeof row?.[path] === 'string';
    return row === undefined || !isPlainValue(row[path]) || (isText && isDistinct(list.rows, path))
      ? []
      : [{ path, row }];
  });
  return drafts.slice(0, 2).map(({ path, row }, i): Draft => {
    const fact = fieldFact(key, row[key], 'answer', `the ${noun}`);
    const [field, asked] = [spoken(path), spoken(key)];
    return {
      kind: 'filter',
      name: `${slug(resource)}-${i + 1}`,
      path: base.path,
      wordings: [
        `One of the ${nouns}${base.scope} has ${field} {{wanted}}. Give me the ${asked} of that ${noun}.`,
        `Only the ${noun} whose ${field} is {{wanted}} interests me${base.scope}: its ${asked}, please.`,
        `Filter the ${nouns}${base.scope} by ${field} {{wanted}} and tell me the ${asked} of the one that is left.`,
        `Among the ${nouns}${base.scope}, what is the ${asked} of the one with {{wanted}} as its ${field}?`,
      ],
      values: { ...base.values, wanted: row[path], answer: row[key] },
      facts: [fact],
      apiCalls: [base.call],
      steps: [
        { call: `GET ${base.path}`, arguments: base.given, row: { [path]: '{{wanted}}' }, facts: { [fact.name]: key } },
      ],
    };
  });
}

function countDrafts(resource: ApiResource, list: Listed): Draft[] {
  const { nouns } = resource;
  const base = baseOf(list);
  return [
    {
      kind: 'page',
      name: `${slug(resource)}-count`,
      path: base.path,
      wordings: [
        `How many ${nouns} are there in all${base.scope}?`,
        `Count the ${nouns} for me${base.scope}, every page of them.`,
        `Give me the total number of ${nouns}${base.scope}.`,
        `I want to know how many ${nouns} exist${base.scope}.`,
      ],
      values: { ...base.values, answer: list.rows.length },
      facts: [{ name: 'count', slot: 'answer', description: `How many ${nouns} there are`, value: list.rows.length }],
      apiCalls: [base.call],
      steps: [{ call: `GET ${base.path}`, arguments: base.given, facts: { count: { count: '' } } }],
    },
  ];
}

function pageDrafts(resource: ApiResource, list: Listed, { query, rows, said }: Page): Draft[] {
  const { nouns } = resource;
  const base = baseOf(list);
  const key = identity(list);
  if (key === undefined) return [];
  const answer = rows.map((row) => row[key]);
  const asked = spoken(key);
  return [
    {
      kind: 'page',
      name: `${slug(resource)}-page`,
      path: base.path,
      wordings: [
        `List the ${nouns}${base.scope} two at a time. Which ${asked} values are on ${said}?`,
        `With a page size of two, give me the ${asked} of each of the ${nouns}${base.scope} on ${said}.`,
        `I go through the ${nouns}${base.scope} in pages of two: the ${asked} of everything on ${said}, please.`,
        `Show only ${said} of the ${nouns}${base.scope} where a page holds two, by ${asked}.`,
      ],
      values: { ...base.values, answer },
      facts: [{ name: 'listed', slot: 'answer', description: `The ${asked} of each of them`, value: answer }],
      apiCalls: [base.call],
      steps: [
        {
          call: `GET ${base.path}`,
          arguments: { ...base.given, ...query },
          facts: { listed: { each: '', fields: key } },
        },
      ],
    },
  ];
}

/** Field that tells the rows apart, and is asked for. */
function identity({ rows }: Listed): string | undefined {
  const key = keyField(rows, 'id');
  const askable = new Set(askableFields(rows[0] ?? {}).map(({ path }) => path));
  if (key !== undefined && askable.has(key)) return key;
  return [...askable].find((path) => !path.includes('.') && isDistinct(rows, path));
}

/** Texts that every row has and that differ: a name, a title. */
const textFields = ({ rows }: Listed): Field[] =>
  askableFields(rows[0] ?? {}).filter(
    ({ path, value }) => !path.includes('.') && typeof value === 'string' && isDistinct(rows, path),
  );

const isPlainValue = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && value.length <= 40);

/** The path as a part of an id. */
export const slug = (resource: ApiResource): string =>
  pathOf(resource)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(-60)
    .replace(/^-/, '');
