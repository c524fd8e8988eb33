/** A JSON Schema, or any other object of an OpenAPI document that is being written. */
export interface Schema {
  [keyword: string]: unknown;
}
