/** The empty body of a call that leaves out a body which its tool sends and its schema does not require. */
import type { JsonSchema, Tool } from '../catalog/tool.ts';

/** The arguments with the empty body that they leave out; the same arguments where there is nothing to add. */
export function withDefaultBody(
  { body }: Pick<Tool, 'body'>,
  values: Record<string, unknown>,
  schema: JsonSchema,
): Record<string, unknown> {
  const isRequired = Array.isArray(schema['required']) && schema['required'].includes('body');
  return body?.required && !isRequired && values['body'] === undefined ? { ...values, body: {} } : values;
}
