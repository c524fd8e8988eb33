/** Arguments in the form that agents know (`body` for what goes into a request's body) and in the subject's own. */
import { compact } from '../retrieval/name-words.ts';
import { assign, type Json, resolve } from '../retrieval/operation.ts';

/** Arguments that control a preview, if the subject has previews. */
const CONTROL = ['dry_run', 'confirm', 'plan_token', 'confirm_object'];
const PLACES = ['path', 'query', 'header'];
/** What subjects call the body, where they keep it together. */
const BODY_NAMES = ['body', 'requestBody', 'request_body'];

export const withoutControl = (args: Json): Json =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !CONTROL.includes(name)));

/** The subject's schema as agents read one. */
export function toAgent(schema: Json): Json {
  const { properties, required, ...rest } = schema as { properties?: Json; required?: string[] };
  const own = bodyNameIn(properties);
  if (own === undefined || own === 'body') return schema;
  const renamed = (name: string) => (name === own ? 'body' : name);
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [renamed(name), inner])),
    required: (required ?? []).map(renamed),
  };
}

/** A body that the subject spreads over the arguments goes there field by field; one that a parameter is named like, with a prefix. */
export function toSubject(args: Json, schema: Json | undefined): Json {
  const outer = outerOf(schema);
  if (outer !== undefined && !(outer.name in args)) {
    const inside = toSubject(args, outer.schema);
    const isNeeded = ((schema?.['required'] ?? []) as string[]).includes(outer.name);
    return isNeeded || Object.keys(inside).length > 0 ? { [outer.name]: inside } : {};
  }
  const { body, ...others } = args;
  const properties = schema?.['properties'] as Json | undefined;
  const rest = renamed(others, properties);
  if (body === undefined) return rest;
  const together = bodyNameIn(properties) ?? (properties === undefined ? 'body' : undefined);
  if (together !== undefined || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ...rest, [together ?? 'body']: body };
  }
  const spread = Object.entries(body).map(([name, value]) => [fieldOf(name, properties, rest), value]);
  return { ...rest, ...Object.fromEntries(spread) };
}

/** The one argument that holds all others, `{ params: { id, name } }`, and the schema of what it holds. */
export function outerOf(schema: Json | undefined): { name: string; schema: Json } | undefined {
  const [only, ...others] = Object.entries((schema?.['properties'] ?? {}) as Json);
  if (schema === undefined || only === undefined || others.length > 0 || BODY_NAMES.includes(only[0])) return undefined;
  const inner = resolve(schema, (only[1] ?? {}) as Json);
  return inner['properties'] === undefined ? undefined : { name: only[0], schema: inner };
}

/** A field of a spread body: as it is, with a prefix, or as the subject spells all, where no parameter is spelt so. */
function fieldOf(name: string, properties: Json = {}, taken: Json): string {
  if (`body_${name}` in properties) return `body_${name}`;
  const spelt = name in properties ? undefined : speltIn(properties, name);
  return spelt === undefined || spelt in taken ? name : spelt;
}

/** Each parameter where the subject takes it; one that it does not know keeps its name. */
function renamed(args: Json, properties: Json = {}): Json {
  const placed: Json = {};
  for (const [name, value] of Object.entries(args)) assign(placed, propertyPathOf(name, properties) ?? [name], value);
  return placed;
}

/**
 * The property that takes a parameter, or the one inside an object of them. A parameter that shares its name with a field of a
 * spread body may carry where it goes, as in `id__path`; all may, as in `query_limit`; it may be spelt as the subject spells
 * all, as in `site_id`; and it may stand inside, as in `path: { id }`.
 */
export function propertyPathOf(name: string, properties: Json): string[] | undefined {
  const among = (names: string[]) => names.find((one) => one in properties);
  const own =
    among([...PLACES.map((place) => `${name}__${place}`), name, ...PLACES.map((place) => `${place}_${name}`)]) ??
    speltIn(properties, name);
  if (own !== undefined) return [own];
  for (const [outer, schema] of Object.entries(properties)) {
    const inside = BODY_NAMES.includes(outer) ? {} : ((schema as Json | null)?.['properties'] ?? {});
    const inner = speltIn(inside as Json, name);
    if (inner !== undefined) return [outer, inner];
  }
  return undefined;
}

const speltIn = (properties: Json, name: string): string | undefined =>
  name in properties ? name : Object.keys(properties).find((other) => compact(other) === compact(name));

const bodyNameIn = (properties: Json | undefined): string | undefined =>
  BODY_NAMES.find((name) => properties !== undefined && name in properties);

/** A template's placeholders filled in; a value that is one placeholder alone may be any value. */
export function filledIn(template: Readonly<Record<string, string>>, values: Json): Json {
  const entries = Object.entries(template).map(([name, text]) => {
    const alone = /^\{(\w+)\}$/.exec(text)?.[1];
    if (alone !== undefined) return [name, values[alone]];
    return [name, text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
