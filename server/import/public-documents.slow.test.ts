/** Documents that nobody here wrote, whole and broken: each becomes tools, or is refused with document and place. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NAME_LIMIT } from '../catalog/name.ts';
import { RouterError } from '../errors.ts';
import { trialBuild } from '../open-catalog.ts';
import { Random } from '../test/bench/robust/random.ts';
import { oddFolder } from '../test/support/malformed-documents.ts';
import { reportFigures } from '../test/support/measured-figures.ts';
import { mutated, sampledDocuments } from '../test/support/sampled-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

const SEED = 28_001;
/** In the check; `MUTATED=20000` plays them all. */
const MUTATED = Number(process.env['MUTATED'] ?? 4_000);

/** The tools of a document, and what was left out of it. */
async function built(file: string) {
  const taken = await importDocument(file);
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const leftOut = taken.documents.reduce((sum, document) => sum + document.leftOut, quarantined.length);
  return { tools: tools.map(({ tool }) => tool), leftOut };
}

test('of 80 documents nearly every operation is a tool, with a name and a line of its own', async (context) => {
  const figures = { documents: 0, tools: 0, left_out: 0, digests: 0, shared_lines: 0 };
  for (const { file, name } of sampledDocuments(80, SEED, { most: 2_000_000 })) {
    const { tools, leftOut } = await built(file);
    const lines = Map.groupBy(tools, ({ line }) => line);
    figures.documents += 1;
    figures.tools += tools.length;
    figures.left_out += leftOut;
    figures.digests += tools.filter((tool) => /_[0-9a-f]{8}$/.test(tool.name)).length;
    figures.shared_lines += tools.filter(({ line }) => (lines.get(line)?.length ?? 0) > 1).length;
    expect(new Set(tools.map((tool) => tool.name)).size, name).toBe(tools.length);
    for (const tool of tools) {
      expect(tool.name, name).toMatch(/^acme_[a-z0-9_]+$/);
      expect(tool.name.length, name).toBeLessThanOrEqual(NAME_LIMIT);
    }
  }
  reportFigures(context, figures);
  // Two thirds of them are of documents that write the action behind `#`, which no request carries.
  expect(figures.left_out / (figures.tools + figures.left_out)).toBeLessThan(0.03);
  expect(figures.digests / figures.tools).toBeLessThan(0.01);
  expect(figures.shared_lines / figures.tools).toBeLessThan(0.03);
});

/** A refusal names the file and a JSON pointer into it. */
const PLACED = /^api\.json\b.*?[#`" ](?:\/[^\s`"]+)+/;

test(`${MUTATED} broken documents crash nothing, and each refusal names its document and a place in it`, async (context) => {
  using folder = oddFolder();
  const random = new Random(SEED);
  const sound = sampledDocuments(120, SEED + 1, { least: 2_000, most: 40_000 }).map(
    ({ file }) => JSON.parse(readFileSync(file, 'utf8')) as object,
  );
  const refusals: Record<string, number> = Object.create(null);
  let tools = 0;
  for (let at = 0; at < MUTATED; at += 1) {
    const file = folder.write('api.json', mutated(sound[at % sound.length] as object, random, 6));
    try {
      tools += (await built(file)).tools.length;
    } catch (error) {
      if (!(error instanceof RouterError))
        throw new Error(`document ${at} crashed the import: ${(error as Error).stack}\n${readFileSync(file, 'utf8')}`);
      expect(error.message).toMatch(PLACED);
      refusals[error.code] = (refusals[error.code] ?? 0) + 1;
    }
  }
  reportFigures(context, { documents: MUTATED, tools, ...refusals });
  expect(tools).toBeGreaterThan(MUTATED);
});
