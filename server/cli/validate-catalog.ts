/** Checks a built catalog again, from what lies on disk: the release gate behind `svc-mcp-catalog validate`. */
import { join } from 'node:path';
import { NAME_LIMIT } from '../catalog/name.ts';
import type { CatalogSummary } from '../catalog/summary.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { schemaProblem } from '../catalog/tool-schema.ts';
import { RouterError } from '../errors.ts';
import { type CorpusState, inspectCorpus } from '../knowledge/inspect-corpus.ts';
import { openIndex } from '../search/index-file.ts';
import { SpecIndex } from '../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../spec-index/spec-index-file.ts';

/** Tools over operations of platforms that a release has at the least (specification, section 8). */
export const COMPATIBILITY_FLOOR = 6_713;
/** Those and the router's own (specification, section 1.1). */
export const TOOL_FLOOR = 6_732;

export interface Strictness {
  strictToolIndex: boolean;
  /** The document corpus that must be there; undefined where none is asked for. */
  corpus: string | undefined;
  /** Platforms of the operator's own documents: `add` said what of them is set aside, and the operator took it. */
  own: ReadonlySet<string>;
  /** Least number of platform tools. Undefined: the floors of a release where it is checked strictly, else one tool. */
  minTools: number | undefined;
}

export interface SpecCounts {
  endpoints: number | null;
  schemas: number | null;
  fields: number | null;
}

export function validateCatalog(catalog: Catalog, { strictToolIndex, corpus, own, minTools }: Strictness): SpecCounts {
  const { folder, summary } = catalog;
  const wrong = (what: string) => new RouterError('CATALOG_INVALID', `${folder}: ${what}`);
  const isRelease = strictToolIndex && minTools === undefined;
  checkSize(folder, isRelease ? withoutOwn(summary, own) : summary, isRelease, minTools ?? 1);
  const names = catalog.names();
  if (names.length !== summary.tools) throw wrong(`should hold ${summary.tools} tools, got ${names.length}`);
  for (const name of names)
    if (catalog.schema(name)['type'] !== 'object') throw wrong(`the schema of ${name} should be of type object`);
  const index = openIndex(catalog);
  if (index.size !== names.length) throw wrong(`the search index should know ${names.length} tools, got ${index.size}`);
  if (strictToolIndex) checkStrictly(catalog, names, own, wrong);
  if (corpus !== undefined) checkCorpus(corpus);
  return specCounts(catalog, strictToolIndex);
}

/** The tools of a release: own documents do not make up for tools that it lacks. */
function withoutOwn({ platforms, platformTools, tools }: CatalogSummary, own: ReadonlySet<string>): Sizes {
  const added = Object.entries(platforms).reduce((sum, [id, count]) => sum + (own.has(id) ? count : 0), 0);
  return { platformTools: platformTools - added, tools: tools - added };
}

type Sizes = Pick<CatalogSummary, 'platformTools' | 'tools'>;

function checkSize(folder: string, { platformTools, tools }: Sizes, isRelease: boolean, asked: number): void {
  const least = isRelease ? COMPATIBILITY_FLOOR : asked;
  const tooSmall = (expected: string, got: number) =>
    new RouterError('CATALOG_TOO_SMALL', `${folder} should have at least ${expected}, got ${got}`);
  if (platformTools < least) throw tooSmall(`${least} platform tools`, platformTools);
  if (isRelease && tools < TOOL_FLOOR) throw tooSmall(`${TOOL_FLOOR} tools`, tools);
}

/** Nothing of a shipped platform is set aside, and every tool is one that strict clients take. */
function checkStrictly(
  catalog: Catalog,
  names: readonly string[],
  own: ReadonlySet<string>,
  wrong: (what: string) => RouterError,
): void {
  const aside = catalog.summary.quarantined.filter(({ platform }) => !own.has(platform));
  const [first] = aside;
  if (first)
    throw wrong(
      `${aside.length} operations of shipped platforms are set aside, the first is ${first.platform} ${first.operation}: ${first.reason}`,
    );
  for (const name of names) {
    const problem = schemaProblem(catalog.schema(name));
    if (problem) throw wrong(`${name}: ${problem}`);
    if (name.length > NAME_LIMIT) throw wrong(`the name ${name} has more than ${NAME_LIMIT} characters`);
  }
}

/** There, readable, of the form that this version answers from, and not empty. */
function checkCorpus(file: string): void {
  const wrong = (problem: string, cause?: unknown) =>
    new RouterError('CATALOG_INVALID', `${file}: ${problem}`, {
      cause,
      remedy: 'svc-mcp-ingest PATH… takes documents in; without any, leave --strict-rag away',
    });
  let state: CorpusState | undefined;
  try {
    state = inspectCorpus(file);
  } catch (cause) {
    throw wrong('the document corpus cannot be read', cause);
  }
  if (state === undefined) throw wrong('there is no document corpus');
  if (state.form !== 'current')
    throw wrong(`the document corpus was made by ${state.form === 'earlier' ? 'an earlier' : 'a later'} version`);
  if (state.passages === 0) throw wrong('the document corpus holds no passage');
}

function specCounts(catalog: Catalog, strict: boolean): SpecCounts {
  let index: SpecIndex;
  try {
    index = new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
  } catch (cause) {
    if (!strict) return { endpoints: null, schemas: null, fields: null };
    throw new RouterError('CATALOG_INVALID', `${catalog.folder}: the spec index is missing or cannot be read`, {
      cause,
    });
  }
  using opened = index;
  const { documents, endpoints, schemas, fields } = opened.counts();
  if (strict && documents !== catalog.summary.documents)
    throw new RouterError(
      'CATALOG_INVALID',
      `${catalog.folder}: the spec index should know ${catalog.summary.documents} documents, got ${documents}`,
    );
  return { endpoints, schemas, fields };
}
