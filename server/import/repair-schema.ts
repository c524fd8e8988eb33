/** Schemas as people write them → schemas a validator takes. Each repair is a finding; nothing is made stricter. */
import { documentPattern } from '../catalog/document-pattern.ts';
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { isPattern } from '../catalog/tool-schema.ts';
import { documentNodes } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';
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
const IN_DOCUMENT = 'correct the schema in the document; until then the platform alone checks it';

export function repairSchemas(content: JsonObject, document: string, findings: Finding[]): void {
  for (const { node, isSchema, pointer } of documentNodes(content)) {
    if (!isSchema && !looksLikeSchema(node)) continue;
    for (const message of repair(node)) findings.push({ document, pointer, message, remedy: IN_DOCUMENT });
  }
}

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
  return [...done, ...leaveOutUncheckedNames(schema)];
}

/** A pattern of names that cannot be run would take every name for its own. Without it nobody knows which names the schema has left. */
function leaveOutUncheckedNames(schema: JsonObject): string[] {
  const patterns = schema['patternProperties'];
  const unchecked = isObject(patterns) ? Object.keys(patterns).filter((name) => !documentPattern(name)) : [];
  if (!isObject(patterns) || unchecked.length === 0) return [];
  for (const pattern of unchecked) delete patterns[pattern];
  schema['additionalProperties'] = true;
  delete schema['unevaluatedProperties'];
  return unchecked.map(
    (pattern) =>
      `the names ${JSON.stringify(pattern.slice(0, 80))} are left to the platform: a pattern is checked without look-around, back-references and repetitions above 1,000`,
  );
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
  splitDependencies(schema);
  for (const bound of BOUNDS) {
    const value = schema[bound];
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      schema[bound] = Number(value);
  }
}

/** `dependencies` of older drafts: a list holds the names that are required then, anything else is a schema (JSON Schema 2019-09). */
function splitDependencies(schema: JsonObject): void {
  const { dependencies } = schema;
  delete schema['dependencies'];
  for (const [name, needed] of Object.entries(isObject(dependencies) ? dependencies : {})) {
    const keyword = Array.isArray(needed) ? 'dependentRequired' : 'dependentSchemas';
    const stated = schema[keyword];
    schema[keyword] = { [name]: needed, ...(isObject(stated) ? stated : {}) };
  }
}
