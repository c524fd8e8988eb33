/** The YAML file of a subject or a mutant, as its schema wants it. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LineCounter, parse, parseDocument } from 'yaml';
import { got } from '../harness-errors.ts';

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
  throw invalid(misfit(errors ?? [], value, text));
}

/** Of the errors of all branches the one that is deepest in the file; of a choice its values, and what came. */
function misfit(errors: readonly ErrorObject[], value: unknown, text: string): string {
  const [deepest] = [...errors].sort((a, b) => depthOf(b) - depthOf(a));
  if (deepest === undefined) return 'should be as its schema wants it';
  const path = deepest.instancePath.split('/').slice(1);
  const found = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);
  const choices = errors
    .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === deepest.instancePath)
    .map(({ params }) => JSON.stringify(params.allowedValue));
  const wanted = choices.length > 0 ? `should be one of ${[...new Set(choices)].join(', ')}` : deepest.message;
  const line = lineAt(text, path);
  return `\`${deepest.instancePath || '(file)'}\`${line === undefined ? '' : ` in line ${line}`} ${wanted}, got ${got(found)}`;
}

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;

function lineAt(text: string, path: readonly string[]): number | undefined {
  if (path.length === 0) return undefined;
  const lineCounter = new LineCounter();
  const node = parseDocument(text, { lineCounter }).getIn(path, true) as { range?: [number] } | undefined;
  return node?.range === undefined ? undefined : lineCounter.linePos(node.range[0]).line;
}
