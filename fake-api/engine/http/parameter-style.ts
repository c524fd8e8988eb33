/** What the texts of a parameter may mean, by its `style`, its `explode` and its schema (OpenAPI 3.1, "Style Values"). */
import { flat, propertiesOf } from '../openapi/flattened-schema.ts';
import {
  type OpenApiDocument,
  type ParameterObject,
  plain,
  type Schema,
  type Shape,
  shapeOf,
  typesOf,
} from '../openapi/openapi-document.ts';
import { byName, own } from '../state/json-value.ts';
import { fieldsOf, partsOf, withoutStyleMark } from './styled-value.ts';

export interface ParameterStyle {
  document: OpenApiDocument;
  parameter: ParameterObject;
  schema: Schema;
  /** Types of the schema and of its branches. */
  types: ReadonlySet<string>;
  itemTypes: ReadonlySet<string>;
  style: string;
  exploded: boolean;
  separator: string;
  /** Set where each field of an object is a query parameter of its own. */
  fields: Shape | null;
}

const SEPARATORS = new Map([
  ['pipeDelimited', '|'],
  ['spaceDelimited', ' '],
]);

export function parameterStyleOf(document: OpenApiDocument, parameter: ParameterObject): ParameterStyle {
  const schema = schemaOf(parameter);
  const at = plain(document, schema);
  const branches = [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])].map((branch) => plain(document, branch));
  const types = new Set(branches.flatMap(typesOf));
  const items = branches.find((branch) => branch.items !== undefined)?.items ?? {};
  const style = parameter.style ?? (parameter.in === 'path' || parameter.in === 'header' ? 'simple' : 'form');
  const isSpread = typesOf(at).includes('object') && style !== 'deepObject' && parameter.explode !== false;
  return {
    document,
    parameter,
    schema,
    types,
    itemTypes: new Set(typesOf(flat(document, items))),
    style,
    exploded: parameter.explode ?? (style === 'form' || style === 'simple'),
    separator: SEPARATORS.get(style) ?? ',',
    fields: isSpread && parameter.in === 'query' ? shapeOf(document, schema) : null,
  };
}

export function schemaOf(parameter: ParameterObject): Schema {
  return parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema ?? {};
}

/** Every value that the texts can stand for, the most likely first. */
export function valuesOf(style: ParameterStyle, texts: readonly string[]): unknown[] {
  const { types, parameter } = style;
  const [text = ''] = texts;
  const isSingle = texts.length === 1;
  const isJson = parameter.content !== undefined || (types.has('object') && isSingle);
  return [
    ...(isJson ? parsedJson(text) : []),
    ...(types.has('object') && isSingle ? objectsOf(style, text) : []),
    ...(types.has('array') ? listsOf(style, texts) : []),
    ...(isSingle ? scalarsOf(types, withoutStyleMark(text, style.style, parameter.name)) : [texts]),
  ];
}

/** An object whose fields came in one text; nothing where the text is none. */
function objectsOf(style: ParameterStyle, text: string): unknown[] {
  const { parameter, separator } = style;
  const isSpread = parameter.explode ?? false;
  const fields = fieldsOf(text, style.style, isSpread, parameter.name, separator);
  return fields === null ? [] : [objectOf(style, fields)];
}

/** What was sent below a name: texts of its own, and what stands below further names, as in `name[field][0]`. */
interface Node {
  texts: string[];
  below: Map<string, Node>;
}

/** An object whose fields were sent one by one. */
export function objectOf(style: ParameterStyle, fields: ReadonlyMap<string, string[]>): Record<string, unknown> {
  const root: Node = { texts: [], below: new Map() };
  for (const [name, texts] of fields) {
    let at = root;
    for (const step of name.split(/\]\[|\]/)) {
      const next = at.below.get(step) ?? { texts: [], below: new Map() };
      at.below.set(step, next);
      at = next;
    }
    at.texts.push(...texts);
  }
  return fieldsBelow(style, root);
}

function fieldsBelow(style: ParameterStyle, { below }: Node): Record<string, unknown> {
  const properties = propertiesOf(style.document, style.schema);
  const value: Record<string, unknown> = byName();
  for (const [name, node] of below) value[name] = typed(style, own(properties, name) ?? {}, node);
  return Object.fromEntries(Object.entries(value));
}

/** A list comes as several texts of one name, or with `[]` or the place of each entry behind the name. */
function typed(above: ParameterStyle, schema: Schema, node: Node): unknown {
  const { content: _, ...rest } = above.parameter;
  const isDeep = above.style === 'deepObject';
  const style = {
    ...parameterStyleOf(above.document, { ...rest, style: 'form', schema }),
    ...(isDeep ? { style: above.style } : {}),
  };
  const isList = style.types.has('array') && [...node.below.keys()].every((name) => /^\d*$/.test(name));
  if (!isList || (node.below.size === 0 && !isDeep))
    return node.below.size > 0 ? fieldsBelow(style, node) : valuesOf(style, node.texts)[0];
  const items = plain(above.document, schema).items ?? {};
  const entries = [...node.below].sort(([one], [other]) => Number(one) - Number(other)).map(([, entry]) => entry);
  const alone = [...node.texts, ...entries.flatMap(({ texts }) => texts)].map(
    (text) => scalarsOf(style.itemTypes, text)[0],
  );
  const structured = entries.filter(({ below }) => below.size > 0).map((entry) => typed(above, items, entry));
  return [...alone, ...structured];
}

/** Nothing where the text is no JSON: then it stands for itself. */
function parsedJson(text: string): [unknown] | [] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** A single text of an exploded list may also be one entry that has a comma in it. */
function listsOf(
  { itemTypes, exploded, separator, style, parameter }: ParameterStyle,
  texts: readonly string[],
): unknown[][] {
  const parts =
    exploded && texts.length > 1
      ? texts
      : texts.flatMap((text) => partsOf(text, style, parameter.explode ?? false, parameter.name, separator));
  const readings = exploded && texts.length === 1 ? [parts, texts] : [parts];
  return readings.map((reading) => reading.map((part) => scalarsOf(itemTypes, part)[0]));
}

function scalarsOf(types: ReadonlySet<string>, text: string): unknown[] {
  const found: unknown[] = [];
  if (types.has('object')) found.push(...parsedJson(text));
  if (types.has('integer') || types.has('number')) found.push(numberOr(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) found.push(text === 'true');
  if (types.has('null') && (text === 'null' || text === '')) found.push(null);
  found.push(text);
  if (types.size === 0) found.push(numberOr(text));
  return found;
}

function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}
