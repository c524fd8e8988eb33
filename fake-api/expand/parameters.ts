/** Query parameters: paging by style, filters and sorting from field flags, and the groups that platform.yaml defines. */
import type { Field } from './field-line.ts';
import type { Platform, Resource } from './platform.ts';
import type { OperationKind, QueryGroup } from './platform-model.ts';
import type { Schema, SchemaBook } from './schema-book.ts';

export interface Listing {
  readonly query: Schema[];
  readonly extensions: Schema;
}

export function fieldParameter(field: Field, place: 'query' | 'path', book: SchemaBook): Schema {
  const { description, ...schema } = book.property(field, 'write');
  return {
    name: field.name,
    in: place,
    required: place === 'path' || field.required,
    description,
    schema,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
  };
}

/** Parameters that platform.yaml attaches to this kind of operation, plus those the resource declares itself. */
export function groupParameters(
  kind: OperationKind,
  resource: Resource,
  platform: Platform,
  book: SchemaBook,
): Schema[] {
  const groups = resource.style.queries.map((name): QueryGroup => {
    return (
      platform.model.queries.get(name) ??
      resource.model.spot.fail('a query group of platform.yaml', name, 'MODEL_REFERENCE')
    );
  });
  const fitting = groups.filter(
    (group) => group.on.includes(kind) && (group.scopes === null || group.scopes.includes(resource.model.scope)),
  );
  const fields = [...fitting.flatMap((group) => [...group.fields]), ...(resource.model.query.get(kind) ?? [])];
  const taken = new Set<string>();
  for (const field of fields) {
    if (taken.has(field.name) || resource.pathFields.has(field.name)) {
      resource.model.spot.fail(`a ${kind} parameter name of its own`, field.name, 'MODEL_DUPLICATE');
    }
    taken.add(field.name);
  }
  return fields.map((field) => fieldParameter(field, 'query', book));
}

export function pagingParameters(paging: string, fallback: number, max: number): Schema[] {
  const whole = (name: string, minimum: number, more: Schema, description: string): Schema => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', minimum, ...more },
  });
  const limit = whole('limit', 1, { maximum: max, default: fallback }, 'Largest number of entries in one answer');
  switch (paging) {
    case 'offset':
      return [limit, whole('offset', 0, { default: 0 }, 'Number of entries to skip')];
    case 'page':
      return [limit, whole('page', 1, { default: 1 }, 'Page to return, counted from 1')];
    case 'cursor':
      return [
        limit,
        {
          name: 'next',
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

/** Filter, sort and free-text parameters of a list, and the extensions that state them for machines. */
export function selectionParameters(fields: readonly Field[], resource: Resource, book: SchemaBook): Listing {
  const query: Schema[] = [];
  const extensions: Schema = {};
  const filtered = fields.filter((field) => field.filter.length > 0);
  const sortable = fields.filter((field) => field.sortable).map((field) => field.name);
  const searched = fields.filter((field) => field.freeText).map((field) => field.name);
  if (filtered.length > 0) {
    const grammar = resource.style.list.filter;
    extensions['x-svc-filter'] = {
      grammar,
      fields: Object.fromEntries(filtered.map((field) => [field.name, [...field.filter]])),
    };
    if (grammar === 'odata-and') query.push(odataParameter(filtered));
    else query.push(...filtered.map((field) => filterParameter(field, book)));
  }
  if (sortable.length > 0) {
    extensions['x-svc-sort'] = sortable;
    query.push({
      name: 'sort',
      in: 'query',
      required: false,
      description: `Order of the entries: a field followed by asc or desc, several separated by commas. Fields: ${sortable.join(', ')}`,
      schema: { type: 'string', maxLength: 256 },
    });
  }
  if (searched.length > 0) {
    extensions['x-svc-free-text'] = searched;
    query.push({
      name: 'search',
      in: 'query',
      required: false,
      description: `Text that must occur in ${searched.join(' or ')}, upper and lower case alike`,
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    });
  }
  return { query, extensions };
}

function odataParameter(fields: readonly Field[]): Schema {
  const table = fields.map((field) => `${field.name} (${field.filter.join(', ')})`).join('; ');
  return {
    name: 'filter',
    in: 'query',
    required: false,
    description: `Conditions such as "${fields[0]!.name} eq 'value'", joined by "and" only. Fields and operators: ${table}`,
    schema: { type: 'string', maxLength: 512 },
  };
}

function filterParameter(field: Field, book: SchemaBook): Schema {
  const plain = book.property(
    {
      ...field,
      array: null,
      nullable: false,
      readOnly: false,
      immutable: false,
      unique: false,
      onDelete: 'restrict' as const,
    },
    'patch',
  );
  const { description, 'x-svc-ref': _reference, ...schema } = plain;
  const many = field.filter.includes('in');
  return {
    name: field.name,
    in: 'query',
    required: false,
    description: `Keep entries with this value${many ? ', or one of several separated by commas' : ''}: ${String(description)}`,
    schema: many ? { type: 'array', items: schema, maxItems: 50 } : schema,
    ...(many ? { style: 'form', explode: false } : {}),
  };
}
