/**
 * `npm run bench:find-answer`: what an agent gets from find_tool, over the question sets of the platforms. It counts tokens, how
 * often a right tool is named (as a hit, or as a sibling of one), and how often a note is right. `--json` prints one object,
 * `--misses 20` prints notes that are wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { mean } from 'simple-statistics';
import { setup as expandDocuments } from '#fake-api/documents';
import { loadConfig } from '../../config/config.ts';
import { openCatalog, openFinder } from '../../open-catalog.ts';
import type { Query } from '../../test/bench/find/question-set.ts';
import { readLines, readQuestionSets } from '../../test/bench/find/question-sets.ts';
import { shippedTools } from '../../test/bench/find/tool-corpus.ts';
import { quantile } from '../../test/bench/statistics.ts';
import { SILENT_CALLER } from '../../test/support/caller.ts';
import type { FindHit } from './descriptor.ts';
import { findTool } from './find-tool.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, misses: { type: 'string', default: '0' } },
});

/** Tokens of an answer on average, and of every answer; share of right notes in both cases. */
const GOALS = { meanTokens: 320, mostTokens: 2_500, noteRight: 0.9 };

interface Asked {
  hits: FindHit[];
  note: string | undefined;
  tokens: number;
}

interface Seen {
  id: string;
  text: string;
  tokens: number;
  /** Position of the first hit that is right, and of the first that names a right tool; from 1, 0 for none. */
  hit: number;
  named: number;
  note: string | undefined;
  fits: boolean;
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
  const find = findTool(
    {
      finder: openFinder(config, catalog),
      catalog,
      schemaOf: ({ name }) => catalog.schema(name),
      visible: () => true,
      configured: () => true,
    },
    config.platforms,
  );
  const ask = async (query: string): Promise<Asked> => {
    const answer = await find.run({ query }, SILENT_CALLER);
    if (answer.kind !== 'texts') throw new Error('an answer in texts was expected');
    const [hits = '[]', note] = answer.texts;
    return { hits: JSON.parse(hits), note, tokens: answer.texts.reduce((sum, text) => sum + encode(text).length, 0) };
  };
  const seen: Seen[] = [];
  const [shipped] = readQuestionSets(await shippedTools());
  for (const query of shipped?.queries ?? []) seen.push(seenOf(query, await ask(query.text)));
  const strange = readLines<{ id: string; query: string; kind: string }>('nofit').filter(
    ({ kind }) => kind === 'nofit',
  );
  for (const { id, query } of strange) {
    const { note, tokens } = await ask(query);
    seen.push({ id, text: query, tokens, hit: 0, named: 0, note, fits: false });
  }
  report(seen);
  catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function seenOf(query: Query, { hits, note, tokens }: Asked): Seen {
  const right = new Set([...query.gold.flat(), ...(query.judged ?? [])]);
  const position = (names: (hit: FindHit) => string[]) =>
    hits.findIndex((hit) => names(hit).some((name) => right.has(name))) + 1;
  return {
    id: query.id,
    text: query.text,
    tokens,
    hit: position(({ name }) => [name]),
    named: position(({ name, siblings = {} }) => [name, ...Object.keys(siblings)]),
    note,
    fits: true,
  };
}

function report(all: readonly Seen[]): void {
  const asked = all.filter(({ fits }) => fits);
  const share = (list: readonly Seen[], is: (one: Seen) => boolean) =>
    list.filter(is).length / Math.max(1, list.length);
  const tokens = asked.map((one) => one.tokens);
  const right = asked.filter(({ named }) => named >= 1 && named <= 2);
  const wrong = all.filter(({ named }) => named === 0);
  const strange = all.filter(({ fits }) => !fits);
  const figures = {
    asked: asked.length,
    tokens: { mean: mean(tokens), p95: quantile(tokens, 0.95), most: Math.max(...tokens) },
    first: share(asked, ({ hit }) => hit === 1),
    hit_among_five: share(asked, ({ hit }) => hit > 0),
    named_first: share(asked, ({ named }) => named === 1),
    named_among_five: share(asked, ({ named }) => named > 0),
    notes: {
      none_beside_right: { of: right.length, share: share(right, ({ note }) => note === undefined) },
      given_where_nothing_is_right: { of: wrong.length, share: share(wrong, ({ note }) => note !== undefined) },
      given_where_nothing_fits: { of: strange.length, share: share(strange, ({ note }) => note !== undefined) },
    },
  };
  const missed = [
    ...(figures.tokens.mean > GOALS.meanTokens ? ['mean tokens'] : []),
    ...(figures.tokens.most > GOALS.mostTokens ? ['most tokens'] : []),
    ...(figures.notes.none_beside_right.share < GOALS.noteRight ? ['no note beside right hits'] : []),
    ...(figures.notes.given_where_nothing_is_right.share < GOALS.noteRight ? ['a note where nothing is right'] : []),
  ];
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...figures, missed })}\n`
      : `${JSON.stringify(figures, null, 1)}\nmissed: ${missed.join(', ') || 'nothing'}\n`,
  );
  const faults = [...right.filter(({ note }) => note !== undefined), ...wrong.filter(({ note }) => note === undefined)];
  for (const { id, text, named, note } of faults.slice(0, Number(values.misses)))
    process.stderr.write(`${id} [${named}] ${text}\n   ${note ?? '(no note)'}\n`);
}
