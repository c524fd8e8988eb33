/** Schemas as people write them → schemas a validator takes. Each repair is a finding; nothing is made stricter. */
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from '../catalog/schema-keywords.ts';
import { isPattern } from '../catalog/tool-schema.ts';
import { type Finding, pointerPart } from './import-finding.ts';
import { respellListedValues } from './listed-values.ts';
import { meantPattern } from './pattern-literal.ts';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const BOUNDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
];
/** A whole document has further places where schemas stand. */
const SCHEMA = new Set([...ONE_SCHEMA, 'schema']);
const SCHEMAS = new Set(SCHEMA_LISTS);
const NAMED_SCHEMAS = new Set([...SCHEMA_MAPS, 'definitions', 'schemas']);
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);
const IN_DOCUMENT = 'correct the schema in the document; until then the platform alone checks it';

type Place = 'other' | 'schema' | 'map of schemas' | 'map of anything';

export function repairSchemas(content: JsonObject, document: string, findings: Finding[]): void {
  repairBelow(content, '', 'other', (pointer, message) =>
    findings.push({ document, pointer, message, remedy: IN_DOCUMENT }),
  );
}

function repairBelow(
  node: unknown,
  pointer: string,
  place: Place,
  add: (pointer: string, message: string) => void,
): void {
  if (Array.isArray(node)) for (const [i, entry] of node.entries()) repairBelow(entry, `${pointer}/${i}`, place, add);
  if (!isObject(node)) return;
  const schema = isSchema(node, place);
  if (schema) for (const message of repair(node)) add(pointer, message);
  for (const [key, value] of Object.entries(node)) {
    const inner = placeOf(key, place, schema);
    if (inner !== undefined) repairBelow(value, `${pointer}/${pointerPart(key)}`, inner, add);
  }
}

function placeOf(key: string, place: Place, schema: boolean): Place | undefined {
  if (place === 'map of schemas') return 'schema';
  if (place === 'map of anything') return 'other';
  if (DATA.has(key) || (key.startsWith('x-') && key !== 'x-svc-parts')) return undefined;
  if (SCHEMA.has(key) || SCHEMAS.has(key)) return 'schema';
  if (NAMED_SCHEMAS.has(key)) return 'map of schemas';
  if (schema) return undefined;
  return key === 'paths' || key === 'responses' || key === 'callbacks' || key === 'content'
    ? 'map of anything'
    : 'other';
}

const isSchema = (node: JsonObject, place: Place) => place === 'schema' || (place === 'other' && looksLikeSchema(node));

/** In a file of its own a schema stands at the top, without a keyword before it. */
const looksLikeSchema = (node: JsonObject) =>
  isObject(node['properties']) || ['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(node[keyword]));

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isType = (value: unknown) => {
  const types = [value].flat();
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.has(type));
};

/** The valid values of a keyword, and the finding for any other value. */
const FORMS: readonly [keyword: string, fits: (value: unknown) => boolean, why: string][] = [
  ['type', isType, 'is no type of JSON'],
  ['pattern', (value) => typeof value === 'string' && isPattern(value), 'is no regular expression here'],
  ['enum', isFilledList, 'should be a list'],
  ['allOf', isFilledList, 'should be a list'],
  ['anyOf', isFilledList, 'should be a list'],
  ['oneOf', isFilledList, 'should be a list'],
  ['properties', isObject, 'should be a map'],
  ['patternProperties', isObject, 'should be a map'],
  [
    'required',
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    'should be a list of names',
  ],
  ['items', (value) => !Array.isArray(value), 'should be one schema'],
  ...BOUNDS.map((bound): (typeof FORMS)[number] => [bound, (value) => typeof value === 'number', 'should be a number']),
];

function repair(schema: JsonObject): string[] {
  respell(schema);
  const done: string[] = [];
  for (const [keyword, fits, why] of FORMS) {
    const value = schema[keyword];
    if (value === undefined || fits(value)) continue;
    done.push(`${keyword} ${JSON.stringify(value).slice(0, 80)} ${why}: left out`);
    delete schema[keyword];
  }
  if (Array.isArray(schema['required'])) schema['required'] = [...new Set(schema['required'])];
  return done;
}

/** Habits of authors whose meaning is known: nothing is lost, so nothing is said. */
function respell(schema: JsonObject): void {
  const isFile = schema['format'] === 'file' && schema['properties'] === undefined;
  if (schema['type'] === 'file' || isFile) {
    schema['type'] = 'string';
    schema['format'] = 'binary';
  }
  // `required: true` on a field is an old habit of its authors and means nothing in a schema.
  if (typeof schema['required'] === 'boolean') delete schema['required'];
  // Beside `allOf` it refuses every field of the parts, so that no value fits. The author means: no field beside those of the parts.
  if (schema['additionalProperties'] === false && isFilledList(schema['allOf'])) {
    delete schema['additionalProperties'];
    schema['unevaluatedProperties'] = false;
  }
  if (typeof schema['pattern'] === 'string') schema['pattern'] = meantPattern(schema['pattern']);
  respellListedValues(schema);
  for (const bound of BOUNDS) {
    const value = schema[bound];
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      schema[bound] = Number(value);
  }
}
