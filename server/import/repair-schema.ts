/** Schemas as people write them → schemas a validator takes. Each repair is a finding; nothing is made stricter. */
import { documentPattern } from '../catalog/document-pattern.ts';
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { isPattern } from '../catalog/tool-schema.ts';
import { whyUnresolved } from './bundle-references.ts';
import { documentNodes, pointerOf } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';
import { respellListedValues } from './listed-values.ts';
import { withoutOlderGrammar } from './older-pattern.ts';
import { meantPattern } from './pattern-literal.ts';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const TEXTS = ['title', 'description'];
const COUNTS = 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'.split(' ');
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', ...COUNTS];
const FLAGS = 'deprecated readOnly writeOnly nullable uniqueItems exclusiveMinimum exclusiveMaximum'.split(' ');
/** Of parameters, bodies and encodings. */
const FLAGS_OUTSIDE = 'required explode allowReserved deprecated'.split(' ');
const IN_DOCUMENT = 'correct the schema in the document; until then the platform alone checks it';

export function repairSchemas(content: JsonObject, document: string, findings: Finding[]): void {
  const before = findings.length;
  for (const place of documentNodes(content)) {
    respellFlags(place.node, place.kind === 'schema' ? FLAGS : FLAGS_OUTSIDE);
    if (place.kind !== 'schema' && !looksLikeSchema(place.node)) continue;
    for (const message of repair(place.node))
      findings.push({ document, pointer: pointerOf(place), message, remedy: IN_DOCUMENT });
  }
  if (findings.length > before) findings.push(...openLostReferences(content, document));
}

/** What is left out may have held what a reference leads to; each that is opened as well. */
function openLostReferences(content: JsonObject, document: string): Finding[] {
  const within = { id: '', file: document, content };
  const lost = [...documentNodes(content)].filter(
    ({ node }) => typeof node['$ref'] === 'string' && whyUnresolved(within, node) !== undefined,
  );
  const found = lost.map((place) => {
    const message = `$ref ${JSON.stringify(place.node['$ref'])} leads to what was left out: taken as any value`;
    for (const key of Object.keys(place.node)) delete place.node[key];
    return { document, pointer: pointerOf(place), message, remedy: IN_DOCUMENT };
  });
  return lost.length === 0 ? [] : [...found, ...openLostReferences(content, document)];
}

/** In a file of its own a schema stands at the top, without a keyword before it. */
const looksLikeSchema = (node: JsonObject) =>
  isObject(node['properties']) || ['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(node[keyword]));

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isType = (value: unknown) => {
  const types = [value].flat();
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.has(type));
};

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText);

type Form = readonly [keyword: string, fits: (value: unknown) => boolean, why: string];

const each = (keywords: readonly string[], fits: Form[1], why: string): Form[] =>
  keywords.map((keyword) => [keyword, fits, why]);

/** The valid values of a keyword, and the finding for any other value. */
const FORMS: readonly Form[] = [
  ['type', isType, 'is no type of JSON'],
  ['pattern', (value) => isText(value) && isPattern(value as string), 'is no regular expression here'],
  ...each(['enum', 'allOf', 'anyOf', 'oneOf', 'prefixItems'], isFilledList, 'should be a list'),
  ...each(['properties', 'patternProperties', 'dependentSchemas', '$defs'], isObject, 'should be a map'),
  ['required', isNames, 'should be a list of names'],
  ['dependentRequired', (value) => isObject(value) && Object.values(value).every(isNames), 'should be lists of names'],
  ['items', (value) => !Array.isArray(value), 'should be one schema'],
  ...each([...TEXTS, '$ref', 'format', 'contentMediaType', 'contentEncoding'], isText, 'should be a text'),
  ...each(['deprecated', 'writeOnly', 'uniqueItems'], isFlag, 'should be true or false'),
  ...each(['minimum', 'maximum'], (value) => typeof value === 'number', 'should be a number'),
  ...each(
    ['exclusiveMinimum', 'exclusiveMaximum'],
    (value) => typeof value === 'number' || isFlag(value),
    'should be a number',
  ),
  ...each(COUNTS, (value) => Number.isInteger(value) && Number(value) >= 0, 'should be a number of 0 or more'),
  ['multipleOf', (value) => typeof value === 'number' && value > 0, 'should be a number above 0'],
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
  for (const keyword of ['required', 'type']) if (keyword in schema) schema[keyword] = once(schema[keyword]);
  const dependent = schema['dependentRequired'];
  for (const [name, needed] of Object.entries(dependent ?? {})) (dependent as JsonObject)[name] = once(needed);
  return [...done, ...leaveOutUncheckedNames(schema)];
}

const once = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)] : value);

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
  respellAnnotations(schema);
  // `required: true` on a field is an old habit of its authors and means nothing in a schema.
  if (typeof schema['required'] === 'boolean') delete schema['required'];
  // Beside `allOf` it refuses every field of the parts, so that no value fits. The author means: no field beside those of the parts.
  if (schema['additionalProperties'] === false && isFilledList(schema['allOf'])) {
    delete schema['additionalProperties'];
    schema['unevaluatedProperties'] = false;
  }
  if (typeof schema['pattern'] === 'string') schema['pattern'] = withoutOlderGrammar(meantPattern(schema['pattern']));
  respellListedValues(schema);
  splitDependencies(schema);
  for (const bound of BOUNDS) {
    const value = schema[bound];
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      schema[bound] = Number(value);
  }
}

/** YAML makes nothing of a description that was left empty, and a number of a title such as 200. */
function respellAnnotations(schema: JsonObject): void {
  for (const keyword of [...TEXTS, ...FLAGS, 'format']) if (schema[keyword] === null) delete schema[keyword];
  for (const keyword of TEXTS) {
    const value = schema[keyword];
    if (typeof value === 'number' || typeof value === 'boolean') schema[keyword] = String(value);
  }
}

/** In quotes `true` is a text, and YAML 1.1 has more words for it, which many documents were written by. */
function respellFlags(node: JsonObject, keywords: readonly string[]): void {
  for (const keyword of keywords) {
    const value = node[keyword];
    if (typeof value === 'string' && /^(?:true|false|yes|no|on|off)$/i.test(value))
      node[keyword] = /^(?:true|yes|on)$/i.test(value);
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
