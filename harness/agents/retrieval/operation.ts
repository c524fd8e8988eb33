/** A discovered tool with its schema, flattened to the inputs that a filler can look at one by one. */

export type Json = Record<string, unknown>;

export interface Descriptor {
  name: string;
  description: string;
  read_only: boolean;
  destructive: boolean;
  capability?: string;
  gate?: string;
  /** Tools of the same thing, each with the arguments it requires. */
  siblings?: Record<string, string[]>;
  schema?: Json;
  /** Arguments that a hit without a schema states. */
  required?: string[];
  params?: string[];
  formats?: Record<string, string>;
  /** It stands in the hit of another tool. */
  sibling?: boolean;
}

export interface Input {
  /** Where it goes: `['ssid']` or `['body', 'security', 'passphrase']`. */
  path: string[];
  name: string;
  required: boolean;
  schema: Json;
  description: string;
}

export interface Operation extends Descriptor {
  inputs: Input[];
  /** The schema has a request body at all. */
  hasBody: boolean;
}

/** Inputs that steer the dispatcher and are not the operation's own. */
const CONTROL = new Set(['dry_run', 'confirm', 'plan_token', 'confirm_object']);
const MAX_DEPTH = 4;

export function operationOf(descriptor: Descriptor): Operation {
  const root = descriptor.schema ?? {};
  const inputs = leavesOf(root, root, [], true, 0).filter((input) => !CONTROL.has(input.path[0] ?? ''));
  const properties = (resolve(root, root)['properties'] ?? {}) as Json;
  return { ...descriptor, inputs, hasBody: 'body' in properties };
}

function leavesOf(root: Json, schema: Json, path: string[], required: boolean, depth: number): Input[] {
  const { properties, required: needed } = resolve(root, schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).flatMap(([name, raw]) => {
    const inner = resolve(root, raw);
    const isRequired = required && (needed ?? []).includes(name);
    const at = [...path, name];
    if (inner['properties'] !== undefined && depth < MAX_DEPTH) return leavesOf(root, inner, at, isRequired, depth + 1);
    return [
      {
        path: at,
        name,
        required: isRequired,
        schema: inner,
        description: String(raw['description'] ?? inner['description'] ?? ''),
      },
    ];
  });
}

/** Follows `$ref` and merges `allOf`; of alternatives the first is taken. */
export function resolve(root: Json, schema: Json, depth = 0): Json {
  if (depth > 8) return schema;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], root);
    const { $ref: _, ...rest } = schema;
    return { ...resolve(root, (target ?? {}) as Json, depth + 1), ...rest };
  }
  const parts = [
    ...((schema['allOf'] ?? []) as Json[]),
    ...((schema['oneOf'] ?? schema['anyOf'] ?? []) as Json[]).slice(0, 1),
  ];
  if (parts.length === 0) return schema;
  const whole = [schema, ...parts.map((part) => resolve(root, part, depth + 1))];
  const merged = Object.assign({}, ...whole) as Json;
  const properties = Object.assign({}, ...whole.map((part) => part['properties'] ?? {})) as Json;
  if (Object.keys(properties).length > 0) merged['properties'] = properties;
  merged['required'] = whole.flatMap((part) => (part['required'] ?? []) as string[]);
  return merged;
}

/** What a hit says of its arguments, enough to call a read; undefined where it says nothing. */
export function statedOperation(hit: Descriptor): Operation | undefined {
  if (hit.schema !== undefined) return operationOf(hit);
  if (hit.required === undefined) return undefined;
  const inputs = hit.required.map((name): Input => {
    const format = hit.formats?.[name];
    const path = name.split('.');
    return { path, name: path.at(-1) ?? name, required: true, schema: schemaOf(format), description: '' };
  });
  return { ...hit, inputs, hasBody: hit.required.some((name) => name.startsWith('body')) };
}

const STATED_FORMS: readonly [RegExp, string][] = [
  [/^MAC\b/i, '^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}$'],
  [/^serial number$/i, '^[A-Z0-9]{6,20}$'],
  [/^digits$/i, '^\\d+$'],
];

function schemaOf(format: string | undefined): Json {
  if (format === undefined) return { type: 'string' };
  const form = STATED_FORMS.find(([name]) => name.test(format));
  if (form !== undefined) return { type: 'string', pattern: form[1] };
  if (/^(integer|number|boolean)$/.test(format)) return { type: format };
  if (format.startsWith('^')) return format.includes('…') ? { type: 'string' } : { type: 'string', pattern: format };
  if (format.includes('|')) return { type: 'string', enum: format.split('|').filter((one) => !one.startsWith('…')) };
  return { type: 'string', format };
}

export const typesOf = (schema: Json): string[] => [schema['type'] ?? []].flat() as string[];

/** Puts a value at a path of nested objects. */
export function assign(target: Json, path: readonly string[], value: unknown): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  target[head] ??= {};
  assign(target[head] as Json, rest, value);
}
