/**
 * The state of a target as a plan binds it. A platform's object also holds what changes by itself, such as counters and
 * clocks; those are left out, or every plan for a device would be stale a second after its preview.
 */
import { waitingListOf } from '../catalog/preview-reads.ts';
import { bodyFields } from '../catalog/request-schema.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { digest } from './canonical-json.ts';
import { countIn } from './consequences.ts';
import { envelopedObject } from './enveloped-object.ts';
import { type TargetRead, targetToolOf } from './write-target.ts';

/** Digest of what the target is, and of what waits beside it. `sent` is the body of the write. */
export function targetDigest(tool: Tool, read: TargetRead, sent: unknown, catalog: Catalog): string {
  if (read.kind !== 'found') return digest(['nothing']);
  const { object: answer, waits } = read;
  const writable = writableFields(tool, catalog);
  // As the preview looked at it: around it stand the time and the number of the request.
  const enveloped = envelopedObject(tool, answer, sent, writable);
  const object = lasting(enveloped.kind === 'object' ? enveloped.object : answer, writable);
  // The first page of what waits does not show what comes behind it; the number does.
  const count = waitingListOf(tool) === undefined ? undefined : countIn(waits ?? answer);
  const beside = [...(waits === undefined ? [] : [lasting(waits, NONE)]), ...(count === undefined ? [] : [count])];
  return digest(['object', object, ...beside]);
}

/**
 * What of an object a later read can be compared with; all of it where the catalog knows of nothing that writes it.
 * @param reader the tool that read it
 */
export function lastingFields(reader: Tool, object: unknown, catalog: Catalog): unknown {
  const writable = writableFields(reader, catalog);
  return writable.size === 0 ? object : lasting(object, writable);
}

/** Top-level fields that some operation on the same path can write; these count whatever their type is. */
function writableFields(tool: Tool, catalog: Catalog): ReadonlySet<string> {
  const name = targetToolOf(tool);
  const reader = name ? catalog.tool(name) : undefined;
  const path = reader?.path ?? tool.path;
  const writers = ['PUT', 'PATCH', 'POST'].flatMap((method) => catalog.wrapping(`${method} ${path}`));
  return new Set(writers.filter(({ body }) => body !== null).flatMap(({ name }) => bodyFields(catalog.schema(name))));
}

/** Hours and minutes, which MAC and IPv6 addresses hold as well, or a date. */
const CLOCK = /(?<![0-9a-f:])\d+:\d\d(?::\d\d)?(?![\d:])|^\d{4}-\d\d-\d\d/i;
const MEASURE = /^[-+]?\d+(\.\d+)?\s*[a-z%/]{0,6}$/i;

/** Numbers, times and measures go, unless the field can be written; so does nothing at all, which a clock shows before its first time. */
function lasting(value: unknown, writable: ReadonlySet<string>): unknown {
  if (typeof value === 'number' || value === null || value === '') return undefined;
  if (typeof value === 'string') return CLOCK.test(value) || MEASURE.test(value) ? undefined : value;
  if (Array.isArray(value)) return value.map((entry) => lasting(entry, NONE) ?? null);
  if (typeof value !== 'object') return value;
  const kept = Object.entries(value).map(([name, inner]) => [name, writable.has(name) ? inner : lasting(inner, NONE)]);
  return Object.fromEntries(kept.filter(([, inner]) => inner !== undefined));
}

const NONE: ReadonlySet<string> = new Set();
