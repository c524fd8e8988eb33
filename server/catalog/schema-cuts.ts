/**
 * Cuts a schema of arguments that is too long for clients. The body itself goes last: a caller cannot guess its fields and required
 * names, while what lies deeper is mostly optional detail.
 */
import { isObject } from './platform-document.ts';
import { subSchemas } from './sub-schemas.ts';
import type { JsonSchema } from './tool.ts';

/** Shorter parts are not worth cutting. */
const SHORT = 120;
const DEFINITIONS = '#/$defs/';

/** Cuts in place until the schema has at most `most` bytes, where that can be reached. Returns the names of what is no longer checked. */
export function cutParts(schema: JsonSchema, most: number): string[] {
  const isTooLong = () => bytesOf(schema) > most;
  const outer = outerDefinitions(schema);
  const cuts = cutDefinitions(schema, most, (name) => !outer.has(name));
  if (isTooLong()) cuts.push(...cutFields(schema, outer, most));
  if (isTooLong()) cuts.push(...cutDefinitions(schema, most, () => true));
  if (cuts.length > 0) joinUnions(schema);
  return [...new Set(cuts)];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const definitionsOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['$defs'] ?? {}) as Record<string, JsonSchema>;

/** Definitions that say what an argument is, by reference or as a part of it. */
function outerDefinitions(schema: JsonSchema): Set<string> {
  const definitions = definitionsOf(schema);
  const found = new Set<string>();
  const open: unknown[] = Object.values((schema['properties'] ?? {}) as object);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isObject(part)) continue;
    if (Array.isArray(part['allOf'])) open.push(...part['allOf']);
    const name = typeof part['$ref'] === 'string' ? part['$ref'].slice(DEFINITIONS.length) : undefined;
    if (name === undefined || found.has(name)) continue;
    found.add(name);
    open.push(definitions[name]);
  }
  return found;
}

/** What is left of a part that is cut. */
const outline = ({ type }: JsonSchema): JsonSchema => (type === undefined ? {} : { type });

/** A branch that is cut takes values of the others, which `oneOf` would refuse. */
function joinUnions(schema: JsonSchema): void {
  for (const part of subSchemas(schema)) {
    if (!Array.isArray(part['oneOf']) || part['anyOf'] !== undefined) continue;
    part['anyOf'] = part['oneOf'];
    delete part['oneOf'];
  }
}

/** A field inside of an argument; `owner` is the schema that names it. */
interface Field {
  owner: JsonSchema;
  name: string;
  size: number;
}

/** Cuts the longest fields of the arguments. */
function cutFields(schema: JsonSchema, outer: ReadonlySet<string>, most: number): string[] {
  let bytes = bytesOf(schema);
  const gone = new Set<unknown>();
  const cuts: string[] = [];
  for (const { owner, name, size } of longFields(schema, outer)) {
    if (bytes <= most) break;
    if (gone.has(owner)) continue;
    const fields = owner['properties'] as Record<string, JsonSchema>;
    const field = fields[name] as JsonSchema;
    for (const part of subSchemas(field)) gone.add(part);
    fields[name] = outline(field);
    bytes -= size - bytesOf(fields[name]);
    cuts.push(name);
  }
  dropUnused(schema);
  return cuts;
}

function longFields(schema: JsonSchema, outer: ReadonlySet<string>): Field[] {
  const definitions = definitionsOf(schema);
  const insides = [
    ...Object.values((schema['properties'] ?? {}) as object),
    ...[...outer].map((name) => definitions[name]),
  ];
  return insides
    .flatMap((inside) => [...subSchemas(inside)])
    .flatMap((owner) =>
      Object.entries(isObject(owner['properties']) ? owner['properties'] : {})
        .filter(([, field]) => isObject(field))
        .map(([name, field]) => ({ owner, name, size: bytesOf(field) })),
    )
    .filter(({ size }) => size > SHORT)
    .toSorted((a, b) => b.size - a.size);
}

function dropUnused(schema: JsonSchema): void {
  const definitions = definitionsOf(schema);
  const known = new Map(Object.entries(definitions).map(([name, each]) => [name, definitionOf(name, each)]));
  const used = reachable(referencesIn({ ...schema, $defs: {} }), known);
  for (const name of Object.keys(definitions)) if (!used.has(name)) delete definitions[name];
}

/** Size of a definition and the names of those that it refers to: read once, because cutting asks for them again and again. */
interface Definition {
  /** UTF-8 bytes of `"name":{…},` without the braces. */
  bytes: number;
  refersTo: readonly string[];
}

/** Cuts the longest definitions until the schema fits, and removes those that nothing refers to any more. Returns which. */
function cutDefinitions(schema: JsonSchema, most: number, mayCut: (name: string) => boolean): string[] {
  const definitions = definitionsOf(schema);
  const names = Object.keys(definitions);
  const known = new Map(names.map((name) => [name, definitionOf(name, definitions[name])]));
  const sizeOf = (name: string): number => known.get(name)?.bytes ?? 0;
  const bare = { ...schema, $defs: {} };
  const root = { bytes: bytesOf(bare), names: referencesIn(bare) };
  const cuts: string[] = [];
  let used = new Set(names);
  for (const name of names.filter(mayCut).toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    // The last definition has no comma after it.
    const bytes = [...used].reduce((sum, one) => sum + sizeOf(one), root.bytes - Math.min(used.size, 1));
    if (bytes <= most) break;
    if (!used.has(name) || sizeOf(name) <= SHORT) continue;
    const cut = outline(definitions[name] as JsonSchema);
    known.set(name, definitionOf(name, cut));
    used = reachable(root.names, known);
    definitions[name] = cut;
    cuts.push(name);
  }
  if (cuts.length > 0) for (const name of names) if (!used.has(name)) delete definitions[name];
  return cuts;
}

const definitionOf = (name: string, schema: JsonSchema | undefined): Definition => ({
  bytes: Buffer.byteLength(`${JSON.stringify(name)}:${JSON.stringify(schema)},`),
  refersTo: referencesIn(schema),
});

function referencesIn(schema: unknown): string[] {
  const names = new Set<string>();
  for (const { $ref } of subSchemas(schema)) if (typeof $ref === 'string') names.add($ref.slice(DEFINITIONS.length));
  return [...names];
}

/** Also a definition that another one refers to; not those that only refer to each other. */
function reachable(from: readonly string[], known: ReadonlyMap<string, Definition>): Set<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = known.get(name);
    if (definition === undefined || found.has(name)) continue;
    found.add(name);
    open.push(...definition.refersTo);
  }
  return found;
}
