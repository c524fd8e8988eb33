/** One hit of find_tool: what the tool is, how to call it, and which tool of its resource is needed next. */
import type { JsonSchema } from '../../catalog/tool.ts';
import type { Descriptor } from '../../search/find.ts';
import { formatOf, isFilter } from './argument-format.ts';
import { type CallField, callFields } from './call-fields.ts';
import { MATCHES, matchScores } from './matching-fields.ts';

export interface FindHit extends Descriptor {
  /** Those of `params` without which the call is refused. */
  required: string[];
  /** How many parameters `params` leaves out. */
  more_params?: number;
  /** By name, what a value of a key or filter looks like. */
  formats?: Record<string, string>;
  /** Tools of the same resource, each with the arguments that it requires: the entry of a list, the read-back of a write. */
  siblings?: Record<string, string[]>;
  /** The router has no credentials for the platform, so the call fails. */
  configured?: false;
}

/** How much a hit says, by its position: the first one is called most often, the others are only compared with it. */
interface Room {
  /** Parameters, the required ones and those that the query asks for among them. */
  params: number;
  /** Whether parameters that nobody asked for fill the rest. */
  others: boolean;
  nested: number;
  formats: number;
  /** Characters of a filter's syntax. */
  filter: number;
  siblings: number;
}

/** Somebody who asked for a tool by its name knows what it is for. */
const NAMED: Room = { params: 6, others: true, nested: 2, formats: 2, filter: 0, siblings: 2 };
const ROOMS: readonly Room[] = [
  { params: 8, others: true, nested: 2, formats: 3, filter: 130, siblings: 3 },
  { params: 5, others: false, nested: 1, formats: 1, filter: 0, siblings: 2 },
  { params: 4, others: false, nested: 1, formats: 0, filter: 0, siblings: 1 },
];
/** Parameters that turn pages; whoever needs them finds them in the answer. */
const PAGING = /^(?:limit|offset|page|per_page|page_size|next|cursor|sort|order)$/i;

export interface DescriptorSource {
  /** As the ranker describes the tool. */
  base: Descriptor;
  schema: JsonSchema;
  query: string;
  /** The query is its name, or its method and path. */
  isNamed: boolean;
  /** From 0. */
  position: number;
  siblings: Record<string, string[]>;
  configured: boolean;
}

export function hitOf({ base, isNamed, schema, query, position, siblings, configured }: DescriptorSource): FindHit {
  const room = isNamed ? NAMED : (ROOMS[Math.min(position, ROOMS.length - 1)] as Room);
  const fields = callFields(schema);
  const scores = matchScores(query, fields);
  const shown = shownFields(fields, scores, room);
  const more = fields.filter(({ nested }) => !nested).length - shown.filter(({ nested }) => !nested).length;
  const beside = Object.entries(siblings).slice(0, room.siblings);
  const formats = formatsOf(shown, new Set(fields.filter((_, i) => (scores[i] as number) >= MATCHES)), room);
  const { name, server, description, read_only, destructive, capability, gate, missing_scope } = base;
  return {
    name,
    server,
    description,
    params: shown.map((field) => field.name),
    required: fields.filter(({ required }) => required).map((field) => field.name),
    ...(more > 0 ? { more_params: more } : {}),
    ...(Object.keys(formats).length > 0 ? { formats } : {}),
    ...(beside.length > 0 ? { siblings: Object.fromEntries(beside) } : {}),
    read_only,
    destructive,
    capability,
    ...(gate === undefined ? {} : { gate }),
    ...(missing_scope === undefined ? {} : { missing_scope }),
    ...(configured ? {} : { configured: false as const }),
  };
}

/** Required ones, those that a body needs, those that fit the query best, then others in their order. All required ones are shown. */
function shownFields(fields: readonly CallField[], scores: readonly number[], room: Room): CallField[] {
  const score = new Map(fields.map((field, i) => [field, scores[i] as number]));
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const withBody = optional.filter((field) => field.withBody);
  const asked = optional
    .filter((field) => !field.withBody)
    .filter((field) => (score.get(field) as number) >= MATCHES)
    .sort((a, b) => (score.get(b) as number) - (score.get(a) as number) || Number(a.nested) - Number(b.nested));
  const nested = new Set(asked.filter((field) => field.nested).slice(0, room.nested));
  const first = asked.filter((field) => !field.nested || nested.has(field));
  const rest = room.others
    ? optional.filter((field) => !field.nested && !first.includes(field) && !field.withBody)
    : [];
  const others = [...rest.filter(({ name }) => !PAGING.test(name)), ...rest.filter(({ name }) => PAGING.test(name))];
  return [...required, ...[...withBody, ...first, ...others].slice(0, Math.max(0, room.params - required.length))];
}

function formatsOf(shown: readonly CallField[], asked: ReadonlySet<CallField>, room: Room): Record<string, string> {
  const formats: Record<string, string> = {};
  for (const field of shown) {
    if (Object.keys(formats).length >= room.formats) break;
    if (!field.required && !asked.has(field) && !(room.filter > 0 && isFilter(field.name))) continue;
    const format = formatOf(field, room.filter);
    if (format !== undefined && format !== '…') formats[field.name] = format;
  }
  return formats;
}
