/** Answers that a document shows by an example alone, without saying their shape: they get the shape of the example. */
import type { Schema } from '../engine/openapi/openapi-document.ts';
import { isObject, own } from '../engine/state/json-value.ts';

/** 3 % of 900 public documents have such answers. What they list or read could be neither told apart nor remembered. */
export function addSchemasOfExamples(document: Record<string, unknown>): void {
  for (const media of answersOf(document)) {
    const { schema } = media;
    const isFree = schema === undefined || (isObject(schema) && Object.keys(schema).every((name) => FREE.has(name)));
    const example = isFree ? exampleOf(media) : undefined;
    if (typeof example === 'object' && example !== null)
      media['schema'] = { ...(isObject(schema) ? schema : {}), ...schemaOf(example) };
    else if (!isFree) addItemsOfExample(schema, exampleOf(media));
  }
}

/** Entries of a list of which nothing is said get the shape that the example has in the same place. */
function addItemsOfExample(schema: unknown, example: unknown): void {
  if (!isObject(schema)) return;
  const { items, properties } = schema;
  if (Array.isArray(example) && schema['type'] === 'array') {
    const isFree = items === undefined || (isObject(items) && Object.keys(items).length === 0);
    if (isFree && example.length > 0) schema['items'] = schemaOf(example).items;
  } else if (isObject(example) && isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) addItemsOfExample(property, own(example, name));
  }
}

/** Keywords that say nothing of what is inside. */
const FREE: ReadonlySet<string> = new Set(['type', 'title', 'description', 'example', 'examples']);

function answersOf(document: Record<string, unknown>): Record<string, unknown>[] {
  const shared = below(below(document, 'components'), 'responses');
  const operations = Object.values(below(document, 'paths')).flatMap((item) =>
    isObject(item) ? Object.values(item) : [],
  );
  const stated = operations.flatMap((operation) =>
    Object.entries(below(operation, 'responses')).flatMap(([status, response]) =>
      /^2/.test(status) ? [response] : [],
    ),
  );
  return [...stated, ...Object.values(shared)].flatMap((response) =>
    Object.entries(below(response, 'content')).flatMap(([media, value]) =>
      /json/i.test(media) && isObject(value) ? [value] : [],
    ),
  );
}

function below(holder: unknown, name: string): Record<string, unknown> {
  const value = isObject(holder) ? holder[name] : undefined;
  return isObject(value) ? value : {};
}

function exampleOf({ example, examples, schema }: Record<string, unknown>): unknown {
  const named = isObject(examples) ? Object.values(examples) : [];
  const [first] = named.flatMap((entry) => (isObject(entry) && entry['value'] !== undefined ? [entry['value']] : []));
  return example ?? first ?? (isObject(schema) ? schema['example'] : undefined);
}

/** Nothing is required: another answer may leave out what the example has. */
function schemaOf(value: unknown): Schema {
  if (value === null) return {};
  if (Array.isArray(value)) {
    const shapes = value.map(schemaOf);
    const properties = Object.fromEntries(shapes.flatMap((shape) => Object.entries(shape.properties ?? {})));
    const areObjects = shapes.length > 0 && shapes.every(({ type }) => type === 'object');
    return { type: 'array', items: areObjects ? { type: 'object', properties } : {} };
  }
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, schemaOf(entry)])),
    };
  // What is drawn beside it takes its form.
  const isOpaque = typeof value === 'string' && OPAQUE.test(value);
  return { type: typeof value as 'string' | 'number' | 'boolean', ...(isOpaque ? { example: value } : {}) };
}

/** An identifier that a program made. */
const OPAQUE = /^(?=.*\d)[\da-f-]{16,}$/i;
