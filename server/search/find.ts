/** A question → descriptors of tools the caller may use, exact matches first. Local: no platform is called. */
import type { Capability, Decision, PrincipalAccess } from '../access/access-policy.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { type Evidence, evidenceOf, isDoubtful } from './confidence.ts';
import type { SearchIndex } from './inverted-index.ts';
import { bareName } from './question-values.ts';
import { type Admit, type Ranked, Ranker, type Ranking } from './rank.ts';
import { type Question, readQuestion } from './search-question.ts';
import { Spelling } from './spelling.ts';

/** What a client sees of a tool. */
export interface Descriptor {
  name: string;
  server: string;
  description: string;
  params: string[];
  read_only: boolean;
  destructive: boolean;
  capability: Capability;
  gate?: 'closed';
  /** The scope that the caller's access token lacks. */
  missing_scope?: string;
  schema?: JsonSchema;
}

export interface FindRequest {
  query: string;
  topK: number;
  platform?: string;
  capability?: Capability;
  /** Of the caller, where there are several. */
  access?: PrincipalAccess;
}

export interface Hit extends Ranked {
  tool: Tool;
  exact: boolean;
}

export interface Found {
  hits: Hit[];
  /** One line for the reader: no fit, weak fit, or a platform that is not enabled. */
  note?: string;
  /** What speaks for the hits, where none is an exact match. */
  evidence?: Evidence;
}

/** What a note is made from. */
interface Outcome {
  hits: readonly Hit[];
  /** A tool that the query names and that may not be shown here; the best one by its words. */
  named?: number | undefined;
  barred?: number | undefined;
  doubtful: boolean;
}

export interface FinderOptions {
  catalog: Pick<Catalog, 'exactly' | 'toolAt'>;
  /** Called by the first question, or by `prepare`. */
  index: () => SearchIndex;
  /** Platforms and local toolsets that are served, and every known platform with the words people use for it. */
  enabled: readonly string[];
  words: Readonly<Record<string, readonly string[]>>;
  /** Words that speak for a platform without naming it. */
  hints?: Readonly<Record<string, readonly string[]>>;
  decide: (platform: string, capability: Capability, access?: PrincipalAccess) => Decision;
}

/** Hits of the whole question that stand before those of its parts, and how many each part brings. */
const BEFORE_PARTS = 1;
const PER_PART = 1;
/** An exact match is not rated by its words. */
const NO_TEXT = { words: 0, coverage: 1, precision: 1, group: 0 };
/** A platform's name as the caller gave it is said back, but not at any length. */
const MAX_NAME = 60;

export class Finder {
  readonly #options: FinderOptions;
  #opened: Ranker | undefined;
  #speller: Spelling | undefined;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  /** Reads the index, so that the first question does not wait for it. Throws what opening the index throws. */
  prepare(): void {
    this.#opened ??= new Ranker(this.#options.index());
  }

  get #ranker(): Ranker {
    this.prepare();
    return this.#opened as Ranker;
  }

  get #spelling(): Spelling {
    this.#speller ??= new Spelling(this.#options.index());
    return this.#speller;
  }

  /** Tools that are called exactly so, or so without quotation marks, host and query. */
  #named(text: string): readonly number[] {
    const { catalog } = this.#options;
    const found = catalog.exactly(text);
    const bare = bareName(text);
    return found.length > 0 || bare === text ? found : catalog.exactly(bare);
  }

  find(request: FindRequest): Found {
    const { catalog, enabled, words, hints, decide } = this.#options;
    const asked = readQuestion(request.query, words, hints);
    const spelled = this.#spelling.corrected(asked.text, asked.masked);
    const question = spelled === asked.text ? asked : readQuestion(spelled, words, hints);
    const admit = (platform: string, capability: Capability) =>
      enabled.includes(platform) &&
      (request.platform === undefined || platform === request.platform) &&
      (request.capability === undefined || capability === request.capability) &&
      decide(platform, capability, request.access).visible;
    const same = this.#named(asked.text)
      .map(
        (id): Hit => ({
          id,
          score: 100,
          coverage: 1,
          features: { exact: 100 },
          text: NO_TEXT,
          tool: catalog.toolAt(id),
          exact: true,
        }),
      )
      .sort(
        (a, b) =>
          Number(a.tool.deprecated || a.tool.twin !== undefined) -
          Number(b.tool.deprecated || b.tool.twin !== undefined),
      );
    const exact = same.filter(({ tool }) => admit(tool.platform, tool.capability));
    const taken = new Set(exact.map(({ id }) => id));
    const ranking = this.#rank(question, admit, request.topK + exact.length);
    const ranked = ranking.hits
      .filter(({ id }) => !taken.has(id))
      .map((hit): Hit => ({ ...hit, tool: catalog.toolAt(hit.id), exact: false }));
    const hits = [...exact, ...ranked].slice(0, request.topK);
    const evidence =
      hits[0] === undefined || hits[0].exact ? undefined : evidenceOf(question, hits, this.#options.index());
    const note = this.#noteFor(request, question, {
      hits,
      // Exact matches are there: whatever else fits is not missed.
      ...(exact.length > 0 ? {} : { named: same[0]?.id, barred: ranking.barred }),
      doubtful: evidence === undefined || isDoubtful(evidence, this.#options.index()),
    });
    return { hits, ...(note === undefined ? {} : { note }), ...(evidence === undefined ? {} : { evidence }) };
  }

  /** The whole question first; where it holds several intents, the best for each of them stand among its hits. */
  #rank(question: Question, admit: Admit, limit: number): Ranking {
    const ranking = this.#ranker.rank(question, admit, limit);
    if (question.parts.length === 0) return ranking;
    const whole = ranking.hits;
    const parts = question.parts.map((part) => this.#ranker.rank(part, admit, PER_PART).hits);
    const mixed: Ranked[] = whole.slice(0, BEFORE_PARTS);
    for (let i = 0; i < PER_PART; i++) for (const part of parts) mixed.push(...part.slice(i, i + 1));
    const seen = new Set<number>();
    const hits = [...mixed, ...whole.slice(BEFORE_PARTS)].filter(({ id }) => !seen.has(id) && seen.add(id));
    return { ...ranking, hits: hits.slice(0, limit) };
  }

  describe(tool: Tool, access?: PrincipalAccess): Descriptor {
    const { allowed, missingScope } = this.#options.decide(tool.platform, tool.capability, access);
    return {
      name: tool.name,
      server: tool.backend,
      description:
        tool.twin === undefined ? tool.line : `${tool.line} Older form, not interchangeable with ${tool.twin}.`,
      params: tool.params,
      read_only: tool.capability === 'read',
      destructive: tool.capability === 'destructive',
      capability: tool.capability,
      ...(allowed || missingScope !== undefined ? {} : { gate: 'closed' as const }),
      ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
    };
  }

  #noteFor(
    request: FindRequest,
    { platforms: mentioned }: Question,
    { hits, named, barred, doubtful }: Outcome,
  ): string | undefined {
    const { catalog, enabled, words } = this.#options;
    const off = [...mentioned, ...(request.platform ? [request.platform] : [])].find(
      (platform) => !enabled.includes(platform),
    );
    if (off !== undefined) {
      const known =
        off in words
          ? `the ${off} platform is not enabled on this router`
          : `there is no platform ${JSON.stringify(off.slice(0, MAX_NAME))}`;
      return `Note: ${known}; enabled: ${enabled.filter((id) => id in words).join(', ') || 'none'}.`;
    }
    const better = named ?? barred;
    if (better !== undefined) {
      const tool = catalog.toolAt(better);
      if (named !== undefined || doubtful || !this.#isElsewhere(request, tool)) return this.#whyBarred(request, tool);
    }
    if (hits[0] === undefined)
      return 'Note: no tool fits. Name the object and the action in English, e.g. "list access points".';
    if (doubtful && !hits[0].exact)
      return 'Note: low confidence. Reword in English, with the object and the action, before you rely on a hit.';
    return undefined;
  }

  /** Left out by a filter of the caller or on a platform that is off: no news to somebody whose hits are good. */
  #isElsewhere(request: FindRequest, { platform, capability }: Tool): boolean {
    return (
      !this.#options.enabled.includes(platform) ||
      (request.platform !== undefined && platform !== request.platform) ||
      (request.capability !== undefined && capability !== request.capability)
    );
  }

  /** Said by platform and capability only: the tool itself stays hidden. */
  #whyBarred(request: FindRequest, { platform, capability }: Tool): string {
    const { enabled } = this.#options;
    const what = `Note: what fits best is a ${capability} tool of ${platform}`;
    if (!enabled.includes(platform)) return `${what}, which is not enabled on this router.`;
    if (request.platform !== undefined && platform !== request.platform)
      return `${what}, left out by platform ${JSON.stringify(request.platform.slice(0, MAX_NAME))}.`;
    if (request.capability !== undefined && capability !== request.capability)
      return `${what}, left out by capability ${request.capability}.`;
    return `${what}; the access profile hides those.`;
  }
}
