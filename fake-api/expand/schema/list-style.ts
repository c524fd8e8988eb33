/** How lists of one style look: where the entries stand, what stands beside them, and how the next page is asked for. */
import type { Resource } from '../model/platform-folder-model.ts';
import type { ListMeaning, ListStyle, PagingRole } from '../model/style-model.ts';
import type { SchemaBook } from './schema-book.ts';
import type { Schema } from './schema-object.ts';

export class ListLayout {
  readonly #style: ListStyle;
  /** Dotted path of the entries in the answer; null where they are the answer. */
  readonly property: string | null;

  constructor(style: ListStyle, resource: Resource) {
    this.#style = style;
    const { singular, plural } = resource.model.like ?? resource.model;
    this.property =
      style.property
        ?.replace('{singular}', kebabOf(singular))
        .replace('{plural}', kebabOf(plural))
        .replace('{segment}', lastLiteral(resource.collectionPath)) ?? null;
  }

  /** The whole answer around entries of this schema; null where it is no object with a name of its own. */
  page(item: Schema, nouns: string, book: SchemaBook, resource: Resource): Schema | null {
    const { links } = this.#style;
    if (this.property === null && this.#style.shape === 'page') return null;
    if (this.property === null) return { ...mapOf(item), description: `All ${nouns}, each under its key` };
    const entries: Schema =
      this.#style.shape === 'map'
        ? { ...mapOf(item), description: `The ${nouns} of this page, each under its key` }
        : { type: 'array', items: item, description: `The ${nouns} of this page` };
    const [first = '', ...inner] = this.property.split('.');
    const beside = Object.fromEntries(
      [...this.#told()].map(([name, meaning]) => [name, tellingSchema(meaning, this.#style)]),
    );
    return {
      type: 'object',
      properties: {
        [first]: nested(inner, entries, nouns),
        ...beside,
        ...(links === null ? {} : { [links]: pageLinks(book, resource) }),
      },
      required: [first],
      additionalProperties: false,
    };
  }

  /** Response headers that tell what a bare array cannot. */
  get headers(): Schema {
    return Object.fromEntries(
      [...this.#style.headers].map(([name, meaning]) => {
        const { description, ...schema } = tellingSchema(meaning, this.#style);
        return [name, { description, schema }];
      }),
    );
  }

  /** What a machine reads instead of the prose: names and numbers differ from the usual ones only where stated. */
  get extension(): Schema {
    const { shape, paging, first, headers, links, sort, onRequest } = this.#style;
    const told = this.#told();
    const renamed = [...told].filter(([name, meaning]) => name !== meaning);
    const names = this.#names();
    return {
      property: this.property,
      ...(shape === 'map' ? { shape } : {}),
      paging,
      default: this.#style.default,
      max: this.#style.max,
      extras: [...this.#style.extras.keys()],
      ...(onRequest === null ? {} : { onRequest }),
      ...(renamed.length > 0 ? { meanings: Object.fromEntries(renamed) } : {}),
      ...(Object.keys(names).length > 0 ? { parameters: names } : {}),
      ...(first === (paging === 'page' ? 1 : 0) ? {} : { first }),
      ...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(links === null ? {} : { links }),
      ...(sort === 'signed' ? { sort } : {}),
    };
  }

  get query(): Schema[] {
    const { paging, first, parameters } = this.#style;
    switch (paging) {
      case 'offset': {
        const text = first === 0 ? 'Number of entries to skip' : 'Number of the first entry, counted from 1';
        return [this.#limit(), whole(parameters.offset, first, { default: first }, text)];
      }
      case 'page':
        return [
          this.#limit(),
          whole(parameters.page, first, { default: first }, `Page to return, counted from ${first}`),
        ];
      case 'cursor':
        return [
          this.#limit(),
          {
            name: parameters.cursor,
            in: 'query',
            required: false,
            description: 'Cursor from the previous answer',
            schema: { type: 'string', maxLength: 512 },
          },
        ];
      default:
        return [];
    }
  }

  #limit(): Schema {
    return limitParameter(this.#style.parameters.limit, this.#style.default, this.#style.max);
  }

  /** Paging parameters that are in use and not named as usual. */
  #names(): Partial<Record<PagingRole, string>> {
    const { paging, parameters } = this.#style;
    if (paging === 'none') return {};
    const usual: Record<PagingRole, string> = { limit: 'limit', offset: 'offset', page: 'page', cursor: 'next' };
    const roles: PagingRole[] = ['limit', paging];
    return Object.fromEntries(
      roles.filter((role) => parameters[role] !== usual[role]).map((role) => [role, parameters[role]]),
    );
  }

  /** A cursor has to come from somewhere: from the property `next` where the style names no other place. */
  #told(): Map<string, ListMeaning> {
    const { extras, headers, links, paging } = this.#style;
    const tellsNext = [...extras.values(), ...headers.values()].includes('next') || links !== null;
    return new Map([...extras, ...(paging === 'cursor' && !tellsNext ? ([['next', 'next']] as const) : [])]);
  }
}

export function limitParameter(name: string, fallback: number, max: number): Schema {
  return whole(name, 1, { maximum: max, default: fallback }, 'Largest number of entries in one answer');
}

function whole(name: string, minimum: number, more: Schema, description: string): Schema {
  return { name, in: 'query', required: false, description, schema: { type: 'integer', minimum, ...more } };
}

function mapOf(item: Schema): Schema {
  return { type: 'object', additionalProperties: item };
}

function nested(path: readonly string[], entries: Schema, nouns: string): Schema {
  const [name, ...inner] = path;
  if (name === undefined) return entries;
  return {
    type: 'object',
    properties: { [name]: nested(inner, entries, nouns) },
    required: [name],
    additionalProperties: false,
    description: `Envelope of the ${nouns}`,
  };
}

function tellingSchema(meaning: ListMeaning, style: ListStyle): Schema {
  const number = (minimum: number, description: string): Schema => ({ type: 'integer', minimum, description });
  switch (meaning) {
    case 'count':
      return number(0, 'Number of entries in this answer');
    case 'total':
      return number(0, 'Number of entries that match, over all pages');
    case 'offset':
      return number(style.paging === 'offset' ? style.first : 0, 'Position of the first entry of this answer');
    case 'limit':
      return number(0, 'Number of entries this answer could hold');
    case 'page':
      return number(style.first, 'Number of this page');
    case 'next':
      return { type: ['string', 'null'], description: 'Cursor of the next page, null on the last one' };
    case 'start':
      return { type: 'string', format: 'date-time', description: 'Begin of the time window that was searched' };
    case 'end':
      return { type: 'string', format: 'date-time', description: 'End of the time window that was searched' };
  }
}

function pageLinks(book: SchemaBook, resource: Resource): Schema {
  const { place } = resource.model.spot;
  const link = book.add(
    'PageLink',
    {
      type: 'object',
      properties: { href: { type: 'string', description: 'Path and query of the page' } },
      required: ['href'],
      additionalProperties: false,
    },
    place,
  );
  const to = (description: string): Schema => ({ ...link, description });
  return book.add(
    'PageLinks',
    {
      type: 'object',
      properties: {
        self: to('This page'),
        first: to('The first page'),
        prev: to('The page before this one, absent on the first'),
        next: to('The page after this one, absent on the last'),
      },
      required: ['self', 'first'],
      additionalProperties: false,
    },
    place,
  );
}

function lastLiteral(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
}

function kebabOf(stem: string): string {
  return stem.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}
