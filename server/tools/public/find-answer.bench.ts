/**
 * `npm run bench:find-answer`: what an agent gets from find_tool, over the question sets of the platforms. It counts tokens, how
 * often a right tool is named (as a hit, or as a sibling of one), and how often a note is right, per half. `--json` prints one
 * object, `--misses 20` prints notes that are wrong. `--calibrate` fits the rule of low confidence on the development halves
 * (that of documents without word vectors also on the folders of `--sets DIR`) and prints its constants.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { mean } from 'simple-statistics';
import { setup as expandDocuments } from '#fake-api/documents';
import { loadConfig } from '../../config/config.ts';
import { openCatalog } from '../../open-catalog.ts';
import type { Evidence } from '../../search/confidence.ts';
import type { Finder } from '../../search/find.ts';
import { openFinder } from '../../search/open-finder.ts';
import { openInMemory } from '../../test/bench/find/engines/ours.ts';
import { type Case, fitConfidence } from '../../test/bench/find/fit-confidence.ts';
import { readFolderSet, setFolders } from '../../test/bench/find/folder-set.ts';
import { type Part, type Query, type QuestionSet, rightNames } from '../../test/bench/find/question-set.ts';
import { readLines, readQuestionSets } from '../../test/bench/find/question-sets.ts';
import { partOf } from '../../test/bench/find/split.ts';
import { shippedTools } from '../../test/bench/find/tool-corpus.ts';
import { quantile } from '../../test/bench/statistics.ts';
import { SILENT_CALLER } from '../../test/support/caller.ts';
import type { FindHit } from './descriptor.ts';
import { findTool } from './find-tool.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    misses: { type: 'string', default: '0' },
    calibrate: { type: 'boolean', default: false },
    sets: { type: 'string', multiple: true, default: [] },
  },
});

/** Tokens of an answer on average, and of every answer; share of right notes in each case, and of right tools named. */
const GOALS = { meanTokens: 320, mostTokens: 2_500, noteRight: 0.9, agentsNamed: 0.97 };

/** Who asks: people, language models, the same with the platform as a filter, and requests that no tool fits. */
type Asker = 'operators' | 'agents' | 'agents, one platform' | 'nothing fits';

interface Seen {
  id: string;
  asker: Asker;
  part: Part;
  text: string;
  tokens: number;
  /** Position of the first hit that is right, and of the first that names a right tool; from 1, 0 for none. */
  hit: number;
  named: number;
  note: string | undefined;
  evidence: Evidence | undefined;
}

interface Asked {
  id: string;
  asker: Asker;
  part: Part;
  query: string;
  platform?: string;
  right: ReadonlySet<string>;
}

await expandDocuments();
const folder = mkdtempSync(join(tmpdir(), 'bench-find-answer-'));
try {
  const config = loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      SVC_MCP_TOOLSETS: 'all',
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_ACCESS_PROFILE: 'full-read-write',
      SVC_MCP_CATALOG_DIR: folder,
      SVC_MCP_CONFIG_DIR: join(folder, 'none'),
    },
  });
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const finder = openFinder(config, catalog);
  let evidence: Evidence | undefined;
  const watched: Pick<Finder, 'find' | 'describe'> = {
    find: (request) => {
      const found = finder.find(request);
      evidence = found.evidence;
      return found;
    },
    describe: (...given) => finder.describe(...given),
  };
  const find = findTool(
    {
      finder: watched,
      catalog,
      schemaOf: ({ name }) => catalog.schema(name),
      visible: () => true,
      configured: () => true,
    },
    config.platforms,
  );
  const boxes = await shippedTools();
  const sets = readQuestionSets(boxes);
  const seen: Seen[] = [];
  for (const { right, query, platform, ...asked } of questionsOf(sets)) {
    const answer = await find.run({ query, ...(platform === undefined ? {} : { platform }) }, SILENT_CALLER);
    if (answer.kind !== 'texts') throw new Error('an answer in texts was expected');
    const [text = '[]', note] = answer.texts;
    const hits = JSON.parse(text) as FindHit[];
    const position = (names: (hit: FindHit) => string[]) =>
      hits.findIndex((hit) => names(hit).some((name) => right.has(name))) + 1;
    seen.push({
      ...asked,
      text: query,
      tokens: answer.texts.reduce((sum, part) => sum + encode(part).length, 0),
      hit: position(({ name }) => [name]),
      named: position(({ name, siblings = {} }) => [name, ...Object.keys(siblings)]),
      note,
      evidence,
    });
  }
  catalog.close();
  if (values.calibrate) calibrate(seen, sets);
  else report(seen);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function questionsOf(sets: readonly QuestionSet[]): Asked[] {
  const of = (id: string) => sets.find((set) => set.id === id)?.queries ?? [];
  const asked = (asker: Asker, { id, part, text, ...query }: Query): Asked => ({
    id,
    asker,
    part,
    query: text,
    right: new Set(rightNames(query)),
  });
  return [
    ...of('platforms').map((query) => asked('operators', query)),
    ...of('agent').map((query) => asked('agents', query)),
    // A filter leaves nothing right where the task's own platform has no tool for it.
    ...of('agent')
      .filter((query) => rightNames(query).some((name) => name.startsWith(`${query.platform}_`)))
      .map((query) => ({ ...asked('agents, one platform', query), platform: query.platform })),
    ...foreign().map((one): Asked => ({ ...one, asker: 'nothing fits', right: new Set() })),
  ];
}

function foreign(): { id: string; query: string; part: Part }[] {
  return readLines<{ id: string; query: string; kind: string }>('nofit')
    .filter(({ kind }) => kind === 'nofit')
    .map(({ id, query }) => ({ id, query, part: partOf(id) }));
}

function share(list: readonly Seen[], is: (one: Seen) => boolean): number {
  return list.filter(is).length / Math.max(1, list.length);
}

/** Right in the first two hits, or nothing right at all; what lies between may have a note or not. */
function isRight({ named }: Pick<Seen, 'named'>): boolean {
  return named >= 1 && named <= 2;
}

function isWrong({ named }: Pick<Seen, 'named'>): boolean {
  return named === 0;
}

function figuresOf(own: readonly Seen[]) {
  const right = own.filter(isRight);
  const wrong = own.filter(isWrong);
  return {
    asked: own.length,
    tokens: { mean: mean(own.map((one) => one.tokens)), most: Math.max(...own.map((one) => one.tokens)) },
    hit_first: share(own, ({ hit }) => hit === 1),
    named_first: share(own, ({ named }) => named === 1),
    named_among_five: share(own, ({ named }) => named > 0),
    no_note_beside_right: { of: right.length, share: share(right, ({ note }) => note === undefined) },
    note_where_nothing_is_right: { of: wrong.length, share: share(wrong, ({ note }) => note !== undefined) },
  };
}

function report(all: readonly Seen[]): void {
  const groups = Map.groupBy(all, ({ asker, part }) => `${asker}, ${part}`);
  const figures = Object.fromEntries([...groups].map(([name, own]) => [name, figuresOf(own)]));
  const tokens = all.filter(({ asker }) => asker !== 'nothing fits').map((one) => one.tokens);
  const whole = { mean: mean(tokens), p95: quantile(tokens, 0.95), most: Math.max(...tokens) };
  const published = (asker: Asker) => figures[`${asker}, published`] as ReturnType<typeof figuresOf>;
  const { operators, agents, none } = {
    operators: published('operators'),
    agents: published('agents'),
    none: published('nothing fits'),
  };
  const goals: [string, boolean][] = [
    ['mean tokens', whole.mean <= GOALS.meanTokens],
    ['most tokens', whole.most <= GOALS.mostTokens],
    [
      'no note beside right hits',
      [operators, agents].every((one) => one.no_note_beside_right.share >= GOALS.noteRight),
    ],
    ['a note where no tool fits', none.note_where_nothing_is_right.share >= GOALS.noteRight],
    [
      'a note where the right tool is missing',
      [operators, agents].every((one) => one.note_where_nothing_is_right.share >= GOALS.noteRight),
    ],
    ['a right tool named to agents', agents.named_among_five >= GOALS.agentsNamed],
  ];
  const missed = goals.filter(([, reached]) => !reached).map(([name]) => name);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ tokens: whole, ...figures, missed })}\n`
      : `${JSON.stringify({ tokens: whole, ...figures }, null, 1)}\nmissed: ${missed.join(', ') || 'nothing'}\n`,
  );
  const faults = all.filter(
    (one) =>
      one.part === 'dev' && ((isRight(one) && one.note !== undefined) || (isWrong(one) && one.note === undefined)),
  );
  for (const { id, text, named, note } of faults.slice(0, Number(values.misses)))
    process.stderr.write(`${id} [${named}] ${text}\n   ${note ?? '(no note)'}\n`);
}

/** Answers of the development half, and of the folders of others, which have one half only. */
function calibrate(seen: readonly Seen[], sets: readonly QuestionSet[]): void {
  const vectors = seen
    .filter(({ part, asker }) => part === 'dev' && (asker === 'operators' || asker === 'nothing fits'))
    .flatMap(({ evidence, named, asker }) => caseOf(evidence, named, asker === 'nothing fits'));
  const documents = [
    ...sets.filter(({ id }) => id === 'github'),
    ...values.sets.flatMap(setFolders).map(readFolderSet),
  ];
  const fitted = { vectors: fitConfidence(vectors), documents: fitConfidence(documents.flatMap(casesOf)) };
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value);
  process.stdout.write(`${JSON.stringify(fitted, rounded, 1)}\n`);
}

function casesOf({ box, queries }: QuestionSet): Case[] {
  const finder = openInMemory(box);
  const asked = queries
    .filter(({ part }) => part === 'dev')
    .map((query) => ({ text: query.text, right: rightNames(query) }));
  return [
    ...asked,
    ...foreign()
      .filter(({ part }) => part === 'dev')
      .map(({ query }) => ({ text: query, right: [] as string[] })),
  ].flatMap(({ text, right }) => {
    const { hits, evidence } = finder.find({ query: text, topK: 5 });
    const position = hits.findIndex(({ tool }) => right.includes(tool.name)) + 1;
    return caseOf(evidence, position, right.length === 0);
  });
}

function caseOf(evidence: Evidence | undefined, named: number, nothing: boolean): Case[] {
  if (evidence === undefined || (!isRight({ named }) && !isWrong({ named }))) return [];
  return [{ evidence, kind: isRight({ named }) ? 'right' : nothing ? 'nothing' : 'wrong' }];
}
