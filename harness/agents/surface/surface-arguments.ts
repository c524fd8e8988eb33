/** Arguments in the form that agents know (`body` for what goes into a request's body) and in the subject's own. */
import { compact } from '../retrieval/name-words.ts';
import type { Json } from '../retrieval/operation.ts';

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
  const { body, ...others } = args;
  const properties = schema?.['properties'] as Json | undefined;
  const rest = renamed(others, properties);
  if (body === undefined) return rest;
  const together = bodyNameIn(properties) ?? (properties === undefined ? 'body' : undefined);
  if (together !== undefined || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ...rest, [together ?? 'body']: body };
  }
  const spread = Object.entries(body).map(([name, value]) => [
    properties !== undefined && `body_${name}` in properties ? `body_${name}` : name,
    value,
  ]);
  return { ...rest, ...Object.fromEntries(spread) };
}

/**
 * A parameter that shares its name with a field of a spread body may carry where it goes, as in `id__path`; another may be
 * spelt as the subject spells all, as in `site_id`.
 */
function renamed(args: Json, properties: Json = {}): Json {
  const placed = (name: string) => PLACES.map((place) => `${name}__${place}`).find((longer) => longer in properties);
  const spelt = (name: string) => Object.keys(properties).find((other) => compact(other) === compact(name));
  const own = (name: string) => placed(name) ?? (name in properties ? name : spelt(name)) ?? name;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [own(name), value]));
}

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
