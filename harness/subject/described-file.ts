/** The YAML file of a subject or a mutant, as its schema wants it. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** `invalid` makes the error of what is wrong, with the name of the file. */
export function readDescribed<T>(
  text: string,
  isValid: ValidateFunction<T>,
  invalid: (what: string, cause?: unknown) => Error,
): T {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw invalid(`should be YAML, got ${(cause as Error).message.split('\n')[0]}`, cause);
  }
  if (isValid(value)) return value;
  const { errors } = isValid;
  // Of a union there is one error for each branch; the branch that misses no field but has one more is the one meant.
  const unknown = errors?.find(({ keyword }) => keyword === 'additionalProperties');
  if (unknown !== undefined)
    throw invalid(`\`${unknown.instancePath}/${unknown.params.additionalProperty}\` should be absent (no such field)`);
  throw invalid(`\`${errors?.[0]?.instancePath || '(file)'}\` ${errors?.[0]?.message}`);
}
