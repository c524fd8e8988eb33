/** resolve_identifier: which object of which platform has this name, serial number, MAC address or IP address. */
import type { Tool } from '../../../catalog/tool.ts';
import { CredentialsStore } from '../../../config/credentials.ts';
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalToolContext, Result } from '../../../dispatch/dispatch-call.ts';
import type { Refusal } from '../../../dispatch/fit-refusal.ts';
import { entryArguments, readsOf } from '../../../dispatch/sibling-tools.ts';
import { RouterError } from '../../../errors.ts';
import { nearest } from '../../../nearest.ts';
import {
  type IdentifierKind,
  kindsOf,
  type MatchingField,
  matchingFields,
  namesOf,
  normalised,
  OBJECTS,
  type Row,
  type Source,
  sentAs,
  sourcesOf,
} from '../identifier-sources.ts';
import type { LocalContext, LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    identifier: Type.String({
      minLength: 2,
      maxLength: 128,
      description: 'Name of a site, device, WLAN or client, or a serial number, MAC or IP address',
    }),
    platforms: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, description: 'Default all' })),
    max_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: 'Platform calls, default 24' })),
  },
  { additionalProperties: false },
);

interface Match {
  platform: string;
  object: Source['object'];
  exact: boolean;
  /** Fields that have the identifier, with their values. */
  matched: Record<string, unknown>;
  /** Fields that name the object. */
  identity: Record<string, unknown>;
  /** The call that reads it whole. */
  next_step?: { tool: string; arguments: Record<string, unknown> };
}

/** Rows that belong to something of this name, such as the devices of a site. */
interface Referring {
  tool: string;
  field: string;
  rows: number;
}

interface NotAsked {
  platform: string;
  why: string;
}

const CALLS = 24;
const DEADLINE_MS = 20_000;
const MATCHES_SHOWN = 20;
const IDENTITY_FIELDS = 6;
const IDENTITY = /(?:name|serial\w*|mac\w*|ip\w*|id|model|status|site\w*|ssid)$/i;
/** Rows of a list that cannot be narrowed. */
const PAGE = 100;

export default {
  name: 'resolve_identifier',
  backend: 'router',
  toolset: 'router',
  capability: 'read',
  line: 'Find out which platform has an object by its name, serial number, MAC address, IP address or site.',
  more: 'Asks the lists of every enabled platform within a budget of calls, and says which platforms were not asked and why. Use it when it is unknown where something is.',
  input: Input,
  search: {
    aliases: ['locate object', 'which platform has this serial number', 'whose MAC address is this'],
    questions: [],
  },
  open: (context) => {
    const store = new CredentialsStore(context.config.credentialsPath, context.config.credentialOverrides);
    return async (args: Static<typeof Input>, { call, invoke }: LocalToolContext) => {
      const kinds = kindsOf(args.identifier);
      const [kind] = kinds;
      if (normalised(args.identifier, kind).trim() === '') throw blank(args.identifier);
      const plan = planOf(args, kinds, { ...context, visible: (tool) => context.visible(tool, call.access) }, store);
      const deadline = AbortSignal.timeout(DEADLINE_MS);
      const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
      const { principal, approver } = call;
      const ends = await answersOf(plan, kind, (source, narrow) =>
        invoke({
          dispatcher: 'invoke_read_tool',
          name: source.tool.name,
          arguments: argumentsOf(source, narrow ? args.identifier : undefined, context),
          principal,
          approver,
          signal,
        }),
      );
      const found = ends.map(({ source, results }) => {
        const looked = results.map((result) =>
          matchesIn(rowsIn(result, source.tool), source, args.identifier, kind, context),
        );
        return looked.findLast(({ matches }) => matches.length > 0) ?? looked.at(-1) ?? NOTHING;
      });
      const calls = ends.reduce((sum, { results }) => sum + results.length, 0);
      const matches = distinct(found.flatMap((one) => one.matches));
      const referring = found.flatMap((one) => one.referring);
      const failed = ends.flatMap(({ source, result }) =>
        result.kind === 'refused' && !isAbsence(result.refusal)
          ? [{ platform: source.tool.platform, tool: source.tool.name, code: result.refusal.code }]
          : [],
      );
      // A match may be among the entries that were not read, unless a narrowed read has found it.
      const cut = ends.filter(
        ({ result, results }, at) => isCut(result) || (results.some(isCut) && found[at]?.matches.length === 0),
      );
      const truncated = distinct(cut.map(({ source: { tool } }) => ({ platform: tool.platform, tool: tool.name })));
      const sorted = [...matches].sort((a, b) => Number(b.exact) - Number(a.exact));
      return {
        identifier: args.identifier,
        kind,
        matches: sorted.slice(0, MATCHES_SHOWN),
        ...(sorted.length > MATCHES_SHOWN ? { more_matches: sorted.length - MATCHES_SHOWN } : {}),
        ...(matches.length === 0 ? nothingFound(args.identifier, kinds, ends) : {}),
        ...(referring.length > 0 ? { referring } : {}),
        asked: distinct(plan.asked.map(({ tool }) => tool.name)),
        not_asked: plan.notAsked,
        ...(failed.length > 0 ? { failed } : {}),
        ...(truncated.length > 0 ? { truncated } : {}),
        api_calls_made: calls,
      };
    };
  },
} satisfies LocalTool<Static<typeof Input>>;

interface Answers {
  source: Source;
  /** The last of them. */
  result: Result;
  results: Result[];
}

/** Asks every source once, and then, as far as calls are left, those again whose answer leaves open what the list has. */
async function answersOf(
  { asked, most }: { asked: readonly Source[]; most: number },
  kind: IdentifierKind,
  ask: (source: Source, narrow: boolean) => Promise<Result>,
): Promise<Answers[]> {
  const first = await Promise.all(
    asked.map(async (source) => ({ source, result: await ask(source, !readsWhole(source, kind)) })),
  );
  const wholly = new Set(asked.filter(({ argument }) => argument === undefined).map(({ tool }) => tool.name));
  const open = first.filter(({ source, result }) =>
    readsWhole(source, kind) ? isCut(result) : isEmpty(source, result) && !wholly.has(source.tool.name),
  );
  // A WLAN has several names, of which a search may look at one.
  const rank = ({ source }: { source: Source }) => ['site', 'wlan', 'device', 'client'].indexOf(source.object);
  const lists = new Map(open.toReversed().map((one) => [one.source.tool.name, one]));
  const again = [...lists.values()]
    .reverse()
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, most - asked.length);
  const second = new Map(
    await Promise.all(again.map(async ({ source }) => [source, await ask(source, readsWhole(source, kind))] as const)),
  );
  return first.map(({ source, result }) => {
    const last = second.get(source);
    return { source, result: last ?? result, results: last ? [result, last] : [result] };
  });
}

function argumentsOf(
  { tool, argument }: Source,
  identifier: string | undefined,
  context: LocalContext,
): Record<string, unknown> {
  if (argument === undefined || identifier === undefined) return pageOf(tool);
  return { [argument]: sentAs(identifier, argument, statedOf(tool, argument, context).pattern) };
}

/** What the document says of an argument. */
function statedOf(
  tool: Tool,
  argument: string,
  { catalog }: LocalContext,
): { description?: string; pattern?: unknown } {
  const properties = (catalog.schema(tool.name)['properties'] ?? {}) as Record<string, { description?: string }>;
  return properties[argument] ?? {};
}

/** What was looked for, and what is called almost so. */
function nothingFound(
  identifier: string,
  kinds: readonly IdentifierKind[],
  ends: readonly Answers[],
): { looked_for: string[]; nearest?: string[] } {
  const names = ends.flatMap(({ source, results }) =>
    results.flatMap((end) => rowsIn(end, source.tool).flatMap((row) => namesOf(row, source.object))),
  );
  const close = nearest(identifier, [...new Set(names)]);
  const looked_for = [...new Set(kinds.flatMap((kind) => OBJECTS[kind]))];
  return { looked_for, ...(close.length > 0 ? { nearest: close } : {}) };
}

/** A list may be asked twice, by a MAC address and by a serial number. */
const distinct = <Value>(values: readonly Value[]): Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function blank(got: string): RouterError {
  const expected = 'should be more than blanks and separators';
  return new RouterError('ARGUMENTS_INVALID', `\`/identifier\` ${expected}, got ${JSON.stringify(got)}`, {
    details: { pointer: '/identifier', expected, got },
  });
}

/** There is no such entry, or the platform's identifiers have another form. */
const isAbsence = ({ status, code }: Refusal) => status === 404 || code === 'invalid_arguments';

/** The best read of every platform first, then the second of each, until the calls are spent. */
function planOf(
  { platforms, max_calls = CALLS }: Static<typeof Input>,
  kinds: readonly IdentifierKind[],
  context: LocalContext,
  store: CredentialsStore,
): { asked: Source[]; notAsked: NotAsked[]; most: number } {
  const served = context.config.platforms;
  const wanted = served.filter(({ id }) => platforms?.includes(id) !== false);
  const unknown = (platforms ?? []).filter((id) => !served.some((known) => known.id === id));
  const found = wanted.map((platform) => ({
    platform: platform.id,
    ...(hasAccount(store, platform) ? { sources: readsFor(platform.id, kinds, context) } : {}),
  }));
  const ordered = inRounds(found.map(({ sources = [] }) => sources));
  const left = new Map(ordered.slice(max_calls).map(({ tool }) => [tool.platform, tool.name]));
  const notAsked = [
    ...unknown.map((id) => ({ platform: id.slice(0, 40), why: 'it is not enabled on this router' })),
    ...found.flatMap(({ platform, sources }) => {
      if (sources === undefined) return [{ platform, why: 'it has no credentials here' }];
      return sources.length > 0
        ? []
        : [{ platform, why: `none of its reads takes a ${kinds.join(' or ')} without further arguments` }];
    }),
    ...[...left].map(([platform, tool]) => ({
      platform,
      why: `the budget of ${max_calls} calls was spent before ${tool}`,
    })),
  ];
  return { asked: ordered.slice(0, max_calls), notAsked, most: max_calls };
}

function inRounds(lists: readonly Source[][]): Source[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((own) => own.slice(round, round + 1))).flat();
}

/** The reads of each kind in turn; one that several kinds have is asked once. */
function readsFor(platform: string, kinds: readonly IdentifierKind[], context: LocalContext): Source[] {
  const reads = readsOfPlatform(platform, context);
  const sources = inRounds(kinds.map((kind) => readsOfKind(reads, kind, context)));
  return [...new Map(sources.map((source) => [`${source.tool.name} ${source.argument}`, source])).values()];
}

/** Reads that can be narrowed; a list that cannot only where a platform has no other of its kind. */
function readsOfKind(reads: readonly Tool[], kind: IdentifierKind, context: LocalContext): Source[] {
  const sources = sourcesOf(reads, kind, (tool, argument) => statedOf(tool, argument, context).description ?? '');
  const narrowed = new Set(sources.filter(({ argument }) => argument !== undefined).map(({ object }) => object));
  const useful = sources.filter(({ object, argument }) => argument !== undefined || !narrowed.has(object));
  // One read per kind of object before the second of any, so that devices of four kinds do not keep the WLANs out.
  return inRounds([...Map.groupBy(useful, ({ object }) => object).values()]).slice(0, MOST_READS);
}

const MOST_READS = 4;

function hasAccount(store: CredentialsStore, platform: LocalContext['config']['platforms'][number]): boolean {
  try {
    store.account(platform);
    return true;
  } catch {
    return false;
  }
}

const readsOfPlatform = (platform: string, { catalog, visible }: LocalContext): Tool[] =>
  catalog
    .names()
    .filter((name) => name.startsWith(`${platform}_list_`) || name.startsWith(`${platform}_get_`))
    .map((name) => catalog.tool(name))
    .filter((tool): tool is Tool => tool?.platform === platform && tool.capability === 'read' && visible(tool));

/** The largest page that is worth reading, where the list takes a limit. */
function pageOf({ parameters, list }: Tool): Record<string, unknown> {
  const limit = list?.parameters?.limit ?? 'limit';
  return parameters.some(({ argument }) => argument === limit) ? { [limit]: PAGE } : {};
}

interface Found {
  matches: Match[];
  referring: Referring[];
}
const NOTHING: Found = { matches: [], referring: [] };

function matchesIn(
  rows: readonly Row[],
  { tool, object }: Source,
  identifier: string,
  kind: IdentifierKind,
  { catalog }: LocalContext,
): Found {
  const { entry } = readsOf(tool, catalog);
  const matches: Match[] = [];
  const rowsBy = new Map<string, number>();
  for (const row of rows) {
    const fields = matchingFields(row, identifier, kind, object);
    const own = fields.filter(({ refers }) => !refers);
    if (own.length > 0) matches.push(matchOf(row, own, { tool, object }, entry));
    else for (const { field, exact } of fields) if (exact) rowsBy.set(field, (rowsBy.get(field) ?? 0) + 1);
  }
  return { matches, referring: [...rowsBy].map(([field, rows]) => ({ tool: tool.name, field, rows })) };
}

function matchOf(row: Row, fields: readonly MatchingField[], { tool, object }: Source, entry: Tool | undefined): Match {
  const args = entry && entryArguments(entry, {}, row);
  return {
    platform: tool.platform,
    object,
    exact: fields.some(({ exact }) => exact),
    matched: Object.fromEntries(fields.map(({ field }) => [field, row[field]])),
    identity: identityOf(row),
    ...(entry && args ? { next_step: { tool: entry.name, arguments: args } } : {}),
  };
}

/** Sites are few, and people call them by a key that no text search looks at: the list is read as it is, if it is not cut. */
const readsWhole = ({ object, tool }: Source, kind: IdentifierKind): boolean =>
  kind === 'name' && object === 'site' && tool.list !== undefined;

/** The narrowed list has no row; a field at which its search does not look may have the text all the same. */
const isEmpty = ({ tool, argument }: Source, end: Result): boolean =>
  tool.list !== undefined && argument !== undefined && end.kind === 'done' && rowsIn(end, tool).length === 0;

function rowsIn(end: Result, tool: Tool): Row[] {
  if (end.kind !== 'done') return [];
  const items = tool.list === undefined ? [end.result] : ((end.result as { items?: unknown } | null)?.items ?? []);
  return Array.isArray(items) ? items.filter(isRow) : [];
}

/** Not all entries are known to be in the answer: without a total a full page may be the last one. */
function isCut(end: Result): boolean {
  const { items, _pagination: page } = ((end.kind === 'done' ? end.result : undefined) ?? {}) as {
    items?: readonly unknown[];
    _pagination?: { truncated?: boolean; limit?: number };
  };
  return page?.truncated === true || (page?.limit !== undefined && items?.length === page.limit);
}

const isRow = (item: unknown): item is Row => typeof item === 'object' && item !== null;

const identityOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([field, value]) => IDENTITY.test(field) && (typeof value === 'string' || typeof value === 'number'))
      .slice(0, IDENTITY_FIELDS),
  );
