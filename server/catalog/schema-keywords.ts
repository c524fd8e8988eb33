/** Where schemas stand inside a schema, by the keywords of JSON Schema 2020-12 (core and applicator vocabularies). */

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
];
/** Hold a list of schemas. */
export const SCHEMA_LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Hold schemas by name. */
export const SCHEMA_MAPS: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
