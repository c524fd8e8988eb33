/** The arguments of a tool one by one, from the schema of its call: parameters by name, members of the body as `body.name`. */
import { isObject } from '../../catalog/platform-document.ts';
import type { JsonSchema } from '../../catalog/tool.ts';

export interface CallField {
  /** `site-id`, `body.vlan`, `body.security.passphrase`. */
  name: string;
  required: boolean;
  /** Required where a body is sent, which the document leaves open. Many documents forget to say that a body is required. */
  withBody?: true;
  /** The schema with its reference resolved. */
  schema: JsonSchema;
  /** A member of a member of the body. */
  nested: boolean;
}

const DEEPEST = 3;
const DEEPEST_PARTS = 6;
/** A body of thousands of members is not worth reading to its end. */
const MOST_FIELDS = 600;

export function callFields(schema: JsonSchema): CallField[] {
  const definitions = isObject(schema['$defs']) ? schema['$defs'] : {};
  const fields = membersOf(schema, definitions).flatMap(({ name, required, schema: own }): CallField[] =>
    name === 'body' ? bodyFields(own, required, definitions) : [{ name, required, schema: own, nested: false }],
  );
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

function bodyFields(body: JsonSchema, required: boolean, definitions: JsonSchema): CallField[] {
  const found: CallField[] = [];
  const walk = (schema: JsonSchema, prefix: string, needed: boolean, depth: number) => {
    for (const member of membersOf(schema, definitions)) {
      if (found.length >= MOST_FIELDS) return;
      const name = `${prefix}.${member.name}`;
      found.push({
        name,
        required: needed && member.required && depth === 0,
        ...(!required && member.required && depth === 0 ? { withBody: true } : {}),
        schema: member.schema,
        nested: depth > 0,
      });
      if (depth < DEEPEST) walk(entryOf(member.schema, definitions), name, needed && member.required, depth + 1);
    }
  };
  walk(body, 'body', required, 0);
  if (found.length > 0 && (!required || found.some((field) => field.required))) return found;
  return [{ name: 'body', required, schema: body, nested: false }, ...found];
}

/** The entry schema of a list, because its members are named like those of an object. */
function entryOf(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  return isObject(schema['items']) ? resolved(schema['items'], definitions) : schema;
}

interface Member {
  name: string;
  required: boolean;
  schema: JsonSchema;
}

/** Members of an object schema, through references, `allOf` and alternatives; those of an alternative are optional. */
function membersOf(schema: JsonSchema, definitions: JsonSchema, depth = 0): Member[] {
  if (depth > DEEPEST_PARTS) return [];
  const whole = resolved(schema, definitions);
  const needed = new Set(Array.isArray(whole['required']) ? whole['required'] : []);
  const own = isObject(whole['properties']) ? Object.entries(whole['properties']) : [];
  const members = new Map<string, Member>();
  for (const [name, part] of own)
    members.set(name, { name, required: needed.has(name), schema: resolved(part, definitions) });
  for (const { part, optional } of partsOf(whole))
    for (const { name, required, schema: inner } of membersOf(part, definitions, depth + 1)) {
      const known = members.get(name);
      const isRequired = needed.has(name) || (required && !optional) || known?.required === true;
      members.set(name, { name, required: isRequired, schema: known?.schema ?? inner });
    }
  return [...members.values()];
}

function partsOf(schema: JsonSchema): { part: JsonSchema; optional: boolean }[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const parts = Array.isArray(schema[keyword]) ? schema[keyword] : [];
    return parts.filter(isObject).map((part) => ({ part, optional: keyword !== 'allOf' }));
  });
}

/** Keywords beside a reference take precedence over its target. */
function resolved(schema: unknown, definitions: JsonSchema): JsonSchema {
  let found = isObject(schema) ? schema : {};
  for (let hops = 0; hops < 8 && typeof found['$ref'] === 'string'; hops++) {
    const { $ref, ...own } = found;
    const target = definitions[($ref as string).slice('#/$defs/'.length)];
    found = { ...(isObject(target) ? target : {}), ...own };
  }
  return found;
}
