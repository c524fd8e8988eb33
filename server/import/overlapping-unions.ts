/**
 * `oneOf` refuses a value that fits two branches (JSON Schema 2020-12, 10.2.1.3). Authors list branches of which each value of one is
 * one of another as well: `{ id }` or `{ name }`, both optional and both open, or a short form beside a long one. The value that the
 * document means then fits two. Such a union is read as `anyOf`; which branch was meant the platform decides. So is one whose branches
 * only a format or an unchecked pattern tells apart: of those the router knows less than the platform does.
 */
import { documentPattern } from '../catalog/document-pattern.ts';
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { documentNodes } from './document-nodes.ts';

/** References and parts that are followed, and objects inside of objects that are compared. */
const HOPS = 12;
const DEPTH = 4;

/** Changes the unions of a document. */
export function joinOverlappingUnions(content: JsonObject): void {
  const of: Comparison = { content, depth: 0, texts: new Map() };
  const overlapping = [...documentNodes(content)].filter(
    ({ node }) => node['anyOf'] === undefined && overlaps(of, node['oneOf']),
  );
  for (const { node: union } of overlapping) {
    union['anyOf'] = union['oneOf'];
    delete union['oneOf'];
  }
}

interface Comparison {
  content: JsonObject;
  depth: number;
  /** Schemas as text: in a wide union each field is compared again and again. */
  texts: Map<unknown, string | undefined>;
}

function overlaps(of: Comparison, union: unknown): boolean {
  if (!Array.isArray(union)) return false;
  const branches = union.map((branch) => whole(of.content, branch, 0));
  if (branches.some(hasUncheckedPattern)) return true;
  return branches.some((branch, at) => branches.some((other, place) => at !== place && isInside(of, branch, other)));
}

const hasUncheckedPattern = ({ pattern }: JsonObject): boolean =>
  typeof pattern === 'string' && documentPattern(pattern) === undefined;

/** Limits that are compared as they are written; no `format`, because many overlap (`ipv4`, `hostname`) and many are not checked. */
const LIMITS = [
  'const', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength',
  'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties',
]; // biome-ignore format: names side by side
/** Keywords with which a branch is not compared. */
const BEYOND = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentSchemas',
  'prefixItems',
];

/** Whether every value with no other fields than those that `left` names fits `right` too. */
function isInside(of: Comparison, left: JsonObject, right: JsonObject): boolean {
  if (of.depth > DEPTH) return false;
  if (BEYOND.some((keyword) => left[keyword] !== undefined || right[keyword] !== undefined)) return false;
  if (LIMITS.some((keyword) => limitOf(right, keyword) !== undefined && right[keyword] !== left[keyword])) return false;
  return (
    areTypesInside(left, right) &&
    areValuesInside(left, right) &&
    areFieldsInside(of, left, right) &&
    areItemsInside(of, left, right)
  );
}

const limitOf = (schema: JsonObject, keyword: string): unknown =>
  keyword === 'pattern' && hasUncheckedPattern(schema) ? undefined : schema[keyword];

function typesOf({ type, properties }: JsonObject): unknown[] | undefined {
  return type === undefined ? (isObject(properties) ? ['object'] : undefined) : [type].flat();
}

function areTypesInside(left: JsonObject, right: JsonObject): boolean {
  const wide = typesOf(right);
  if (wide === undefined) return true;
  return (
    typesOf(left)?.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number'))) ?? false
  );
}

function areValuesInside({ enum: narrow, const: only }: JsonObject, { enum: wide }: JsonObject): boolean {
  if (!Array.isArray(wide)) return true;
  const values = Array.isArray(narrow) ? narrow : only === undefined ? undefined : [only];
  return values?.every((value) => wide.includes(value)) ?? false;
}

function areFieldsInside(of: Comparison, left: JsonObject, right: JsonObject): boolean {
  const required = new Set(namesOf(left));
  if (namesOf(right).some((name) => !required.has(name))) return false;
  const wide = fieldsOf(right);
  const others = right['additionalProperties'] ?? right['unevaluatedProperties'];
  return Object.entries(fieldsOf(left)).every(([name, field]) => {
    if (!Object.hasOwn(wide, name)) return others !== false && !isObject(others);
    return isPartInside(of, field, wide[name]);
  });
}

const namesOf = ({ required }: JsonObject): unknown[] => (Array.isArray(required) ? required : []);
const fieldsOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

function areItemsInside(of: Comparison, left: JsonObject, right: JsonObject): boolean {
  return right['items'] === undefined || isPartInside(of, left['items'], right['items']);
}

/** The same schema takes the same values, also one that is not compared: of its own kind, or with a choice in it. */
function isPartInside(of: Comparison, left: unknown, right: unknown): boolean {
  if (textOf(of, left) === textOf(of, right)) return true;
  return isInside({ ...of, depth: of.depth + 1 }, whole(of.content, left, 0), whole(of.content, right, 0));
}

function textOf({ texts }: Comparison, schema: unknown): string | undefined {
  if (!texts.has(schema)) texts.set(schema, JSON.stringify(schema));
  return texts.get(schema);
}

/** A schema with its reference and its parts in one, as far as branches are compared. */
function whole(content: JsonObject, schema: unknown, hops: number): JsonObject {
  if (!isObject(schema) || hops > HOPS) return {};
  const { $ref, allOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === 'string' ? [valueAt(content, $ref)] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ].map((part) => whole(content, part, hops + 1));
  const joined = Object.assign({}, ...parts, own) as JsonObject;
  const properties = Object.assign({}, ...[...parts, own].map(fieldsOf)) as JsonObject;
  if (Object.keys(properties).length > 0) joined['properties'] = properties;
  joined['required'] = [...parts, own].flatMap(namesOf);
  return joined;
}
