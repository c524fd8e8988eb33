/** Arguments that a schema may accept: values of the intent where they fit, else the plainest ones; corrected as told. */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import { fill } from '../retrieval/fill.ts';
import { assign, type Input, type Json, operationOf, typesOf } from '../retrieval/operation.ts';
import { readIntent } from '../retrieval/task-intent.ts';
import type { Memory } from './memory.ts';

const CORRECTIONS = 8;

interface Complaint {
  code?: unknown;
  pointer?: unknown;
}

/** Calls until the arguments are accepted, or nothing more can be learnt from the refusals. */
export async function argumentsFor(
  schema: Json,
  intent: string,
  memory: Memory,
  call: (args: Json) => Promise<ToolAnswer>,
): Promise<void> {
  const operation = operationOf({ name: '', description: '', read_only: false, destructive: false, schema });
  const read = readIntent(intent);
  const { arguments: args, missing } = fill(operation, read);
  const sample = (part: Json, attempt = 0) => sampleOf(part, schema, attempt, memory.texts());
  const seenFor = ({ name, schema: rule }: Input) => memory.valuesOf(name).filter((value) => suits(value, rule));
  for (const input of missing) assign(args, input.path, seenFor(input)[0] ?? sample(input.schema));
  const ids = operation.inputs.filter((input) => input.required && input.path[0] !== 'body');
  const named = read.mentions.map(({ value }) => value);
  const tried = new Set<string>();
  // An object that is not there is asked for by another name of the intent, then by ids that were seen, also since the refusal.
  const next = (): boolean => {
    let isOther = false;
    for (const input of ids) {
      const isNew = (value: string | number) => suits(value, input.schema) && !tried.has(`${input.path} ${value}`);
      const value = [...named, ...seenFor(input)].find(isNew);
      if (value === undefined) continue;
      tried.add(`${input.path} ${value}`);
      assign(args, input.path, value);
      isOther = true;
    }
    return isOther;
  };
  if (operation.hasBody) args['body'] ??= sample((schema['properties'] as Json)['body'] as Json);
  for (let i = 0; i <= CORRECTIONS; i++) {
    const complaint = (await call(args)).json as Complaint | undefined;
    if (isNotThere(complaint) && next()) continue;
    if (complaint?.code !== 'invalid_arguments' || typeof complaint.pointer !== 'string') return;
    const path = complaint.pointer.split('/').slice(1);
    if (path.length === 0) return;
    assignDeep(args, path, sample(schemaAt(schema, path), i));
  }
}

/** Whether a refusal says that the object of the call does not exist. */
export const isNotThere = (said: unknown): boolean =>
  /^(not_found|no_such_object)$/.test(String((said as Complaint | undefined)?.code));

/** The rule for the argument that a refusal points at, found in the schema of the tool. */
function schemaAt(root: Json, path: readonly string[]): Json {
  let part = resolved(root, root);
  for (const step of path) {
    const inner = (part['properties'] as Json | undefined)?.[step] ?? part['items'] ?? part['additionalProperties'];
    part = typeof inner === 'object' && inner !== null ? resolved(inner as Json, root) : {};
  }
  return part;
}

const suits = (value: string | number, { format, pattern, ...schema }: Json): boolean =>
  typesOf(schema).includes(typeof value === 'string' ? 'string' : 'integer') &&
  (typeof value === 'number' ||
    ((format !== 'uuid' || UUID.test(value)) && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value))));
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The plainest value a schema accepts; where none of the usual texts fits its pattern, one of those seen that does. */
export function sampleOf(schema: Json, root: Json, attempt = 0, seen: readonly string[] = []): unknown {
  const part = resolved(schema, root);
  const choices = part['enum'] as unknown[] | undefined;
  if (choices !== undefined) return choices[attempt % choices.length];
  if (part['const'] !== undefined) return part['const'];
  if (part['default'] !== undefined) return part['default'];
  const examples = part['examples'] as unknown[] | undefined;
  if (examples !== undefined) return examples[0];
  const [type = 'string'] = typesOf(part);
  if (type === 'object' || part['properties'] !== undefined) {
    return Object.fromEntries(propertiesOf(part).map(([name, inner]) => [name, sampleOf(inner, root, attempt, seen)]));
  }
  if (type === 'array') return [sampleOf((part['items'] ?? {}) as Json, root, attempt, seen)];
  if (type === 'integer' || type === 'number') return part['minimum'] ?? 1;
  if (type === 'boolean') return true;
  return textOf(part, attempt, seen);
}

/** An object with its required properties, or with one property if none is required. */
function propertiesOf(schema: Json): [name: string, schema: Json][] {
  const required = (schema['required'] ?? []) as string[];
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const chosen = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return chosen.map((name) => [name, properties[name] ?? {}]);
}

const FORMATS: Record<string, string> = {
  ipv4: '192.0.2.1',
  'date-time': '2026-03-03T00:00:00Z',
  date: '2026-03-03',
  uuid: '00000000-0000-4000-8000-000000000001',
  uri: 'https://example.net/',
  email: 'a@example.net',
};
const GUESSES = [
  'one',
  '1',
  '02:00:00:00:00:01',
  'AA00000001',
  '10.0.0.1',
  '2026-03-03',
  'a-b',
  'A1',
  '1.2.3.4',
  '1/1/1',
];

function textOf(schema: Json, attempt: number, seen: readonly string[]): string {
  const format = FORMATS[String(schema['format'])];
  if (format !== undefined) return format;
  const pattern = schema['pattern'];
  const fits = [...GUESSES, ...seen].filter(
    (guess) => typeof pattern !== 'string' || new RegExp(pattern, 'u').test(guess),
  );
  const text = fits[attempt % Math.max(1, fits.length)] ?? 'one';
  return text.padEnd(Number(schema['minLength'] ?? 0), 'x');
}

function resolved(schema: Json, root: Json): Json {
  const reference = schema['$ref'];
  const target =
    typeof reference === 'string'
      ? reference
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], root)
      : undefined;
  const [choice] = (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf'] ?? []) as Json[];
  return { ...(choice === undefined ? {} : resolved(choice, root)), ...((target ?? {}) as Json), ...schema };
}

/** Like `assign`, through lists as well. */
function assignDeep(target: Json, [head = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  if (typeof target[head] !== 'object' || target[head] === null) target[head] = {};
  assignDeep(target[head] as Json, rest, value);
}
