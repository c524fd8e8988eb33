/** Filter, sort and free-text parameters of a list, and the extensions that state them for machines. */
import type { Field } from '../model/field-line.ts';
import { camel, kebab, snake } from '../model/name-spelling.ts';
import type { Resource } from '../model/platform-folder-model.ts';
import type { ListStyle } from '../model/style-model.ts';
import type { SchemaBook } from './schema-book.ts';
import type { Schema } from './schema-object.ts';

export interface Selection {
  readonly query: Schema[];
  readonly extensions: Schema;
}

export function selectionParameters(fields: readonly Field[], resource: Resource, book: SchemaBook): Selection {
  const query: Schema[] = [];
  const extensions: Schema = {};
  const style = resource.style.list;
  const filtered = fields.filter((field) => field.filter.length > 0);
  const sortable = fields.filter((field) => field.sortable).map((field) => field.name);
  const searched = fields.filter((field) => field.freeText).map((field) => field.name);
  if (filtered.length > 0) {
    const ranges = style.filter === 'parameters' ? rangesOf(filtered, resource) : [];
    extensions['x-svc-filter'] = {
      grammar: style.filter,
      fields: Object.fromEntries(filtered.map((field) => [field.name, [...field.filter]])),
      ...(ranges.length > 0
        ? { ranges: Object.fromEntries(ranges.map(({ name, field, operator }) => [name, [field.name, operator]])) }
        : {}),
    };
    query.push(...ranges.map((range) => rangeParameter(range, book)));
    query.push(...filterParameters(filtered, style, book));
  }
  if (sortable.length > 0) {
    extensions['x-svc-sort'] = sortable;
    query.push(textParameter('sort', `${orderText(style)}. Fields: ${sortable.join(', ')}`, 256));
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

function orderText({ sort }: ListStyle): string {
  return sort === 'signed'
    ? 'Order of the entries: fields separated by commas, each with "-" before it where the highest comes first'
    : 'Order of the entries: a field followed by asc or desc, several separated by commas';
}

function filterParameters(fields: readonly Field[], style: ListStyle, book: SchemaBook): Schema[] {
  const table = fields.map((field) => `${field.name} (${field.filter.join(', ')})`).join('; ');
  const [first] = fields;
  switch (style.filter) {
    case 'odata-and':
      return [
        textParameter(
          'filter',
          `Conditions such as "${first!.name} eq 'value'", joined by "and" only. Fields and operators: ${table}`,
          512,
        ),
      ];
    case 'odata':
      return [
        textParameter(
          'filter',
          `Conditions such as "${first!.name} eq 'value'", joined by and, or and not, with parentheses; contains is written contains(${first!.name},'value'). Fields and operators: ${table}`,
          1024,
        ),
      ];
    case 'json':
      return [
        textParameter(
          'filter',
          `A JSON expression such as {"${first!.name}": {"$in": ["value"]}}, joined by $and, $or and $not. Fields and operators: ${table}`,
          2048,
        ),
      ];
    case 'parameters':
      return fields.filter(hasValues).map((field) => valueParameter(field, book));
    case 'wildcard':
      return fields.map((field) => wildcardParameter(field, book));
  }
}

/** One bound of a field: `startAfter` for `start` and gt. */
interface Range {
  readonly name: string;
  readonly field: Field;
  readonly operator: string;
}

const SPELLING = { kebab, camel, snake };

const isBound = (operator: string) => ['gt', 'ge', 'lt', 'le'].includes(operator);
const hasValues = (field: Field) => field.filter.some((operator) => !isBound(operator));
const isTime = ({ type }: Field) => type.kind === 'scalar' && (type.name === 'datetime' || type.name === 'date');

/** Bounds are parameters of their own where a query has no grammar: `startAfter`, `startBefore`, `minScore`, `maxScore`. */
function rangesOf(fields: readonly Field[], resource: Resource): Range[] {
  return fields.flatMap((field) =>
    field.filter.filter(isBound).map((operator) => {
      const lower = operator.startsWith('g');
      const words = isTime(field)
        ? `${field.name}-${lower ? 'after' : 'before'}`
        : `${lower ? 'min' : 'max'}-${field.name}`;
      return { name: SPELLING[resource.style.spelling](words), field, operator };
    }),
  );
}

function rangeParameter({ name, field, operator }: Range, book: SchemaBook): Schema {
  const { schema, description } = comparedSchema(field, book);
  const [early, late, low, high] = operator.endsWith('e')
    ? ['at this time or later', 'at this time or earlier', 'this value or more', 'this value or less']
    : ['after this time', 'before this time', 'more than this value', 'less than this value'];
  const lower = operator.startsWith('g');
  const bound = isTime(field) ? (lower ? early : late) : lower ? low : high;
  return {
    name,
    in: 'query',
    required: false,
    description: `Keep entries with ${bound}: ${description}`,
    schema,
  };
}

function textParameter(name: string, description: string, maxLength: number): Schema {
  return { name, in: 'query', required: false, description, schema: { type: 'string', maxLength } };
}

/** The plain type of a field, without what only matters when it is written. */
function comparedSchema(field: Field, book: SchemaBook): { schema: Schema; description: string } {
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
  return { schema, description: String(description) };
}

function valueParameter(field: Field, book: SchemaBook): Schema {
  const { schema, description } = comparedSchema(field, book);
  const many = field.filter.includes('in');
  return {
    name: field.name,
    in: 'query',
    required: false,
    description: `Keep entries with this value${many ? ', or one of several separated by commas' : ''}: ${description}`,
    schema: many ? { type: 'array', items: schema, maxItems: 50 } : schema,
    ...(many ? { style: 'form', explode: false } : {}),
  };
}

const wildcardText: Schema = { type: 'string', minLength: 1, maxLength: 128 };

/** A text takes a prefix as `lobby*` and a part as `*lobby*`; numbers, truths and value sets are compared as they are. */
export function wildcardParameter(field: Field, book: SchemaBook): Schema {
  const { schema, description } = comparedSchema(field, book);
  const isText = schema['type'] === 'string' && schema['enum'] === undefined && !('$ref' in schema);
  return {
    name: field.name,
    in: 'query',
    required: field.required && field.filter.length === 0,
    description: isText
      ? `Keep entries with one of these texts, separated by commas; lobby* is a prefix, *lobby* a part: ${description}`
      : `Keep entries with one of these values, separated by commas: ${description}`,
    schema: { type: 'array', items: isText ? wildcardText : schema, maxItems: 50 },
    style: 'form',
    explode: false,
  };
}
