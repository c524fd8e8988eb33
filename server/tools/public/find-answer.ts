/**
 * The hits of the ranker as find_tool answers them: the reads of one collection collapse into the best of them, platforms
 * without credentials stand below the others, and every hit says how to call it.
 */
import type { PrincipalAccess } from '../../access/access-policy.ts';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { collectionKey, readsOf, requiredArguments } from '../../dispatch/sibling-tools.ts';
import type { Finder, FindRequest, Hit } from '../../search/find.ts';
import { type FindHit, hitOf } from './descriptor.ts';

export interface AnswerSources {
  finder: Pick<Finder, 'find' | 'describe'>;
  catalog: Pick<Catalog, 'wrapping'>;
  schemaOf: (tool: Tool) => JsonSchema;
  /** May the caller find this tool? */
  visible: (tool: Tool, access?: PrincipalAccess) => boolean;
  /** Whether the router has credentials for a platform or local toolset. */
  configured: (platform: string) => boolean;
  /** Served products whose write tools the build of the catalog left out. */
  withoutWrites?: readonly string[];
}

export interface FindAnswer {
  /** One entry per hit: the tool that leads it. */
  tools: Tool[];
  hits: FindHit[];
  note?: string;
}

/** The ranker is asked for more than is shown, because several of its hits become one. */
const READ = 3;
const MOST_READ = 30;
/** Tools that one hit names beside its own. */
const MOST_SIBLINGS = 4;

/**
 * Hits whose score is below this share of the best one are rarely right: of 670 questions with a right tool among five, it
 * was such a hit for 7. The first ones stay in any case.
 */
const FAR_BELOW = 0.45;
const ALWAYS = 2;

export interface Wanted {
  /** Also hits that are far below the best one, for callers who said how many they want. */
  all: boolean;
  /** What the arguments are wanted for, where that is not the query: the caller named the tool. */
  about?: string | undefined;
}

export function findAnswer(sources: AnswerSources, request: FindRequest, { all, about }: Wanted): FindAnswer {
  const { finder } = sources;
  const configured = remembered(sources.configured);
  const { hits: ranked, note } = finder.find({ ...request, topK: Math.min(MOST_READ, request.topK * READ) });
  const ordered = [
    ...ranked.filter(({ tool, exact }) => exact || configured(tool.platform)),
    ...ranked.filter(({ tool, exact }) => !exact && !configured(tool.platform)),
  ];
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  const groups = collapsed(ordered)
    .slice(0, request.topK)
    .filter(({ score }, at) => all || at < ALWAYS || score >= best * FAR_BELOW);
  const hits = groups.map(({ lead, folded, exact }, position) =>
    hitOf({
      base: finder.describe(lead, request.access),
      schema: sources.schemaOf(lead),
      query: about ?? request.query,
      isNamed: exact,
      position,
      siblings: siblingsOf(lead, folded, { ...sources, visible: (tool) => sources.visible(tool, request.access) }),
      configured: configured(lead.platform),
    }),
  );
  return { tools: groups.map(({ lead }) => lead), hits, ...(note === undefined ? {} : { note }) };
}

/** Asks once per platform: the answer cannot change within one call. */
function remembered(configured: AnswerSources['configured']): AnswerSources['configured'] {
  const known = new Map<string, boolean>();
  return (platform) => {
    const state = known.get(platform) ?? configured(platform);
    known.set(platform, state);
    return state;
  };
}

interface Group {
  lead: Tool;
  score: number;
  exact: boolean;
  folded: Tool[];
}

const CHANGE = /^[a-z0-9]+_(create|update|replace|delete)_/;

/** One key for an operation in several places of a platform: of an organisation and of a site, by number and by name. */
function sameElsewhere(tool: Tool): string | undefined {
  const { platform, name, resource, local } = tool;
  if (resource === undefined || local) return undefined;
  const change = CHANGE.exec(name)?.[1];
  if (change !== undefined) return `${platform} ${change} ${resource.noun}`;
  const collection = collectionKey(tool)
    ?.split('/')
    .findLast((segment) => segment !== '' && segment !== '{}');
  return collection === undefined ? undefined : `${platform} ${collection} ${resource.noun}`;
}

/**
 * Hits in their order, each with the later ones that belong to it: reads of its collection, the same at another place, and its
 * older form.
 */
function collapsed(ranked: readonly Hit[]): Group[] {
  const groups: Group[] = [];
  const byKey = new Map<string, Group>();
  for (const { tool, exact, score } of ranked) {
    const keys = [tool.name, collectionKey(tool), sameElsewhere(tool), tool.twin].filter((key) => key !== undefined);
    const known = exact ? undefined : keys.map((key) => byKey.get(key)).find((group) => group !== undefined);
    if (known !== undefined) {
      known.folded.push(tool);
      continue;
    }
    const group: Group = { lead: tool, score, exact, folded: [] };
    groups.push(group);
    for (const key of keys) byKey.set(key, group);
  }
  return groups;
}

/** What was folded into a hit, and what its caller needs before or after it. */
function siblingsOf(
  lead: Tool,
  folded: readonly Tool[],
  { catalog, visible }: AnswerSources,
): Record<string, string[]> {
  const needed = lead.local ? [] : neededBeside(lead, catalog).filter((tool) => visible(tool));
  const siblings = [...new Map([...folded, ...needed].map((tool) => [tool.name, tool])).values()]
    .filter(({ name }) => name !== lead.name)
    .slice(0, MOST_SIBLINGS);
  return Object.fromEntries(siblings.map((tool) => [tool.name, requiredArguments(tool)]));
}

/** The entry of a list, the list of an entry; for a write the read that shows its effect. */
function neededBeside(tool: Tool, catalog: AnswerSources['catalog']): Tool[] {
  const { list, entry } = readsOf(tool, catalog);
  if (tool.capability === 'read') return [entry, list].filter((found) => found !== undefined);
  const readBack = entry ?? list;
  return readBack === undefined ? [] : [readBack];
}
