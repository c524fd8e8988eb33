/**
 * Look-ups in the API documents: exact names first, then the values of an enum for whoever asks for values, then the operations
 * that find_tool would find, then ranked text. The generated v1alpha1 takes precedence over other forms (specification,
 * section 9).
 */
import type { Tool } from '../../catalog/tool.ts';
import { generationOf } from '../../spec-index/entry.ts';
import { type Hit, type LookUpQuery, SpecIndex } from '../../spec-index/look-up.ts';
import { searchWords } from '../../spec-index/search-terms.ts';
import { specIndexOnDemand } from './lazy-spec-index.ts';
import type { LocalContext } from './registry.ts';

export type ApiLookUp = (
  asked: LookUpQuery,
) => readonly Hit[] | Exclude<ReturnType<ReturnType<typeof specIndexOnDemand>>, SpecIndex>;

/** Words around the name of a field when somebody asks which values it takes. */
const VALUES_ASKED =
  /\b(?:(?:which|what|allowed|possible|permitted|valid|legal|list of) (?:\w+ )?(?:values?|options?|choices|settings|enum)|values? (?:of|for|does|can|are|may|is)|enum|allowed for|what can .+ be(?: set to)?)\b/i;
const CUES =
  /\b(?:which|what|allowed|possible|permitted|valid|legal|values?|options?|choices|settings|enum|take|takes|accept|accepts|have|has|be|set|to|can|may|does|field|parameter)\b/gi;
/** The frame of a question around what is to be done. */
const FRAME =
  /^\s*(?:please\s+)?(?:how\s+(?:do|can|would|should|could)\s+(?:i|we|you|one)|how\s+to|what\s+is\s+the\s+(?:way|call|endpoint|operation|request)\s+(?:to|for)|(?:which|what)\s+(?:call|endpoint|operation|request|api|tool)s?\s+(?:do\s+i\s+(?:use|need)\s+to|can|will|would|is\s+used\s+to|is\s+there\s+to|is\s+there\s+for)?|i\s+(?:want|need)\s+to)\s+/i;
/** Operations that are looked at, so that a platform or version filter leaves some. */
const OPERATIONS_READ = 20;

export function apiLookUp(context: LocalContext): ApiLookUp {
  const specIndex = specIndexOnDemand(context);
  return (asked) => {
    const index = specIndex();
    if (!(index instanceof SpecIndex)) return index;
    const found = index.lookUp(asked);
    if (found[0] !== undefined && found[0].match !== 'text') return found;
    const values = valuesAsked(index, asked);
    const operations = operationsFor(context, index, asked);
    const seen = new Set<string>();
    return [...values, ...operations, ...found]
      .filter((hit) => !seen.has(keyOf(hit)) && seen.add(keyOf(hit)))
      .slice(0, asked.limit);
  };
}

const keyOf = ({ platform, document, ref }: Hit): string => `${platform}/${document}${ref}`;

/** Enums and fields with values, those first that are named in the question by its rarest words. */
function valuesAsked(index: SpecIndex, asked: LookUpQuery): readonly Hit[] {
  if (!VALUES_ASKED.test(asked.query)) return [];
  const query = asked.query.replaceAll(CUES, ' ');
  const single = [...query.matchAll(/[\w-]{3,}/g)].map(([word]) => word);
  // A schema is named `CaseStatus` where a person says "case status".
  const identifiers = [...single, ...single.slice(1).map((word, at) => `${single[at]}${word}`)];
  const named = identifiers.flatMap((word) => index.lookUp({ ...asked, query: word, limit: ENUMS_READ }));
  const types = named.flatMap((hit) => enumsOf(hit, index, asked));
  const found = [...named, ...types, ...index.lookUp({ ...asked, query, kind: 'enum', limit: ENUMS_READ })];
  const words = [...new Set(searchWords(query))].map((word) => ({ word: stemmed(word), weight: rarity(index, word) }));
  const referred = new Set(types.map(keyOf));
  const scored = [...new Map(found.map((hit) => [keyOf(hit), hit])).values()]
    .filter(({ kind }) => kind === 'enum')
    .map((hit) => ({
      hit,
      score: weightIn(hit, words) - generationOf(hit) / 10 + (referred.has(keyOf(hit)) ? weightOf(words) : 0),
    }))
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  return scored.filter(({ score }) => score >= (best?.score ?? 0) / 2).map(({ hit }) => hit);
}

/** The enum that a field refers to: `Radio.band: array of RadioBand` has the values of `RadioBand`. */
function enumsOf(hit: Hit, index: SpecIndex, asked: LookUpQuery): readonly Hit[] {
  const [, type] = (hit.kind === 'field' && /^[^:]+: (?:array of )?([A-Z]\w+)[.,]/.exec(hit.text)) || [];
  if (type === undefined) return [];
  const named = index.lookUp({
    ...asked,
    query: type,
    limit: ENUMS_READ,
    platforms: [hit.platform],
    document: hit.document,
  });
  return named.filter(({ kind, name }) => kind === 'enum' && name === type);
}

/** As much as if the rarest word of the question stood in the name. */
const weightOf = (words: readonly { weight: number }[]): number =>
  3 * Math.max(0, ...words.map(({ weight }) => weight));

const ENUMS_READ = 40;
/** A word that stands in every second entry says little, one that few have says most. */
const rarity = (index: SpecIndex, word: string): number => 10 / Math.log2(4 + index.entriesWith(word));

/** A word of the name counts three times one of the text, and a name counts less for every word that nobody asked for. */
function weightIn({ name, text }: Hit, words: readonly { word: string; weight: number }[]): number {
  const inName = new Set(searchWords(name).map(stemmed));
  const inText = new Set(searchWords(text).map(stemmed));
  const asked = new Set(words.map(({ word }) => word));
  const precision = [...inName].filter((word) => asked.has(word)).length / Math.max(1, inName.size);
  const weightOf = (word: string) => (inName.has(word) ? 1.5 + 1.5 * precision : inText.has(word) ? 1 : 0);
  return words.reduce((sum, { word, weight }) => sum + weight * weightOf(word), 0);
}

/** Endpoints of the tools that find_tool would find, where their texts have at least half of the words. */
function operationsFor(context: LocalContext, index: SpecIndex, asked: LookUpQuery): Hit[] {
  const hint = asked.query.replace(FRAME, '');
  const words = [...new Set(searchWords(hint))];
  const tools = context
    .choose(hint, OPERATIONS_READ)
    .map(({ name }) => context.catalog.tool(name))
    .filter((tool): tool is Tool => tool !== undefined && !tool.local)
    .filter((tool) => asked.platforms?.includes(tool.platform) !== false && coverage(tool, words) >= 0.5);
  const hits = inPrecedence(tools, hint, context).flatMap((tool) =>
    index
      .lookUp({ ...asked, query: `${tool.method} ${tool.path}`, platforms: [tool.platform], limit: 1 })
      .map((hit): Hit => ({ ...hit, match: 'text', score: 0 })),
  );
  return hits.map((hit, at) => ({ ...hit, score: Math.round((40 - at) * 100) / 100 }));
}

function coverage(tool: Tool, words: readonly string[]): number {
  const have = new Set(searchWords(`${tool.name} ${tool.line} ${tool.path}`).map(stemmed));
  return words.filter((word) => have.has(stemmed(word))).length / Math.max(1, words.length);
}

const stemmed = (word: string): string => word.replace(/(?:ies|es|ing|ed|s|e|y)$/, '');

/**
 * A generated v1alpha1 operation of the same method leads where the question names no platform; on one platform the classic
 * generation stands behind the others.
 */
function inPrecedence(tools: readonly Tool[], question: string, { config }: LocalContext): Tool[] {
  const generation = ({ path, method }: Tool) =>
    generationOf({ name: `${method} ${path}`, apiVersion: path.includes('/v1alpha1/') ? 'v1alpha1' : '' });
  const ordered = [...tools].sort((a, b) => Number(generation(a) === 2) - Number(generation(b) === 2));
  const text = ` ${question.toLowerCase()} `;
  const names = config.platforms.some(({ words }) => words.some((word) => text.includes(` ${word.toLowerCase()} `)));
  const [first] = ordered;
  const words = [...new Set(searchWords(question))];
  const covers = (tool: Tool) => coverage(tool, words);
  const [newest] = ordered
    .filter((tool) => !names && generation(tool) === 0 && tool.method === first?.method)
    .filter((tool) => first !== undefined && covers(tool) >= covers(first))
    .sort((a, b) => covers(b) - covers(a));
  return newest === undefined ? ordered : [newest, ...ordered.filter((tool) => tool !== newest)];
}

/** Which tool calls an endpoint, where find_tool would show it: what a profile hides stays hidden here. Neither changes. */
export class ToolNames {
  readonly #context: LocalContext;
  /** By platform and `METHOD /path`, both from the index, so there are no more of them than endpoints. */
  readonly #known = new Map<string, string | undefined>();

  constructor(context: LocalContext) {
    this.#context = context;
  }

  of({ kind, name, platform }: Hit): string | undefined {
    if (kind !== 'endpoint') return undefined;
    const key = `${platform} ${name}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(name, platform));
    return this.#known.get(key);
  }

  #find(name: string, platform: string): string | undefined {
    const { catalog, visible } = this.#context;
    const fits = (tool: Tool) => tool.platform === platform && `${tool.method} ${tool.path}` === name && visible(tool);
    return catalog.wrapping(name).find(fits)?.name;
  }
}
