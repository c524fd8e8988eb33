/** Keywords of JSON Schema 2020-12, and where schemas stand inside a schema. */

/** Hold one schema. */
export const ONE_SCHEMA: readonly string[] = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
];
/** Hold a list of schemas. */
export const SCHEMA_LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Hold schemas by name. */
export const SCHEMA_MAPS: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** Those without a schema that say something of a value. Not those that name schemas and choose dialects: a schema of a tool is one whole. */
const OTHERS =
  '$ref type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired title description default deprecated writeOnly format contentEncoding contentMediaType';
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...ONE_SCHEMA,
  ...SCHEMA_LISTS,
  ...SCHEMA_MAPS,
  ...OTHERS.split(' '),
]);
