/** Schemas as people write them → schemas a validator takes. Each repair is a finding; nothing is made stricter. */
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from '../catalog/schema-keywords.ts';
import { isPattern } from '../catalog/tool-schema.ts';
import { type Finding, pointerPart } from './import-finding.ts';

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
  const visit = (node: unknown, pointer: string, place: Place): void => {
    if (Array.isArray(node)) {
      for (const [i, entry] of node.entries()) visit(entry, `${pointer}/${i}`, place);
      return;
    }
    if (!isObject(node)) return;
    const schema = place === 'schema' || (place === 'other' && looksLikeSchema(node));
    if (schema) for (const message of repair(node)) findings.push({ document, pointer, message, remedy: IN_DOCUMENT });
    for (const [key, value] of Object.entries(node)) {
      const inner = placeOf(key, place, schema);
      if (inner !== undefined) visit(value, `${pointer}/${pointerPart(key)}`, inner);
    }
  };
  visit(content, '', 'other');
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

/** In a file of its own a schema stands at the top, without a keyword before it. */
const looksLikeSchema = (node: JsonObject) =>
  isObject(node['properties']) || ['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(node[keyword]));

function repair(schema: JsonObject): string[] {
  const done: string[] = [];
  const drop = (keyword: string, why: string) => {
    done.push(`${keyword} ${JSON.stringify(schema[keyword]).slice(0, 80)} ${why}: left out`);
    delete schema[keyword];
  };
  const types = [schema['type']].flat();
  if (schema['type'] === 'file') {
    schema['type'] = 'string';
    schema['format'] = 'binary';
  } else if (
    schema['type'] !== undefined &&
    !(types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.has(type)))
  )
    drop('type', 'is no type of JSON');
  if (schema['pattern'] !== undefined && !(typeof schema['pattern'] === 'string' && isPattern(schema['pattern'])))
    drop('pattern', 'is no regular expression here');
  for (const keyword of ['enum', 'allOf', 'anyOf', 'oneOf'])
    if (schema[keyword] !== undefined && !(Array.isArray(schema[keyword]) && schema[keyword].length > 0))
      drop(keyword, 'should be a list');
  for (const keyword of ['properties', 'patternProperties'])
    if (schema[keyword] !== undefined && !isObject(schema[keyword])) drop(keyword, 'should be a map');
  // `required: true` on a field is an old habit of its authors and means nothing in a schema.
  if (typeof schema['required'] === 'boolean') delete schema['required'];
  else if (
    schema['required'] !== undefined &&
    !(Array.isArray(schema['required']) && schema['required'].every((name) => typeof name === 'string'))
  )
    drop('required', 'should be a list of names');
  if (Array.isArray(schema['required'])) schema['required'] = [...new Set(schema['required'])];
  if (Array.isArray(schema['items'])) drop('items', 'should be one schema');
  for (const bound of BOUNDS) {
    const value = schema[bound];
    if (value === undefined || typeof value === 'number') continue;
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      schema[bound] = Number(value);
    else drop(bound, 'should be a number');
  }
  return done;
}
