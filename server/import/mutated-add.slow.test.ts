/** Real documents broken by a seed go the operator's way: `catalog add` as a process, then a router with what was added. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../test/bench/robust/random.ts';
import { ROOT, startChild } from '../test/support/child-process.ts';
import { type OddFolder, oddFolder } from '../test/support/malformed-documents.ts';
import { reportFigures } from '../test/support/measured-figures.ts';
import { startProcess } from '../test/support/running-process.ts';
import { mutated, sampledDocuments } from '../test/support/sampled-documents.ts';

const SEED = 611_300;
/** In the check; `ADDED=300` plays them all. */
const ADDED = Number(process.env['ADDED'] ?? 30);
const AT_ONCE = 2;
/** What a refusal begins with, the document, and the place in it. */
const REFUSAL = /DOCUMENT_[A-Z]+.*api-\d+(?:\.json)?\b.*?[#`" ](?:\/[^\s`"]+)+/;

const cli = (name: string) => join(ROOT, 'server', 'cli', name);

/** `catalog` keeps what is shipped built. */
function envOf(folder: OddFolder, catalog: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder.path,
    SVC_MCP_DOTENV: '0',
    SVC_MCP_CONFIG_DIR: join(folder.path, 'config'),
    SVC_MCP_CATALOG_DIR: catalog,
    SVC_MCP_STATE_DIR: join(folder.path, 'state'),
    TOKEN_CACHE_DIR: join(folder.path, 'tokens'),
    CREDS_PATH: join(folder.path, 'none.yaml'),
  };
}

/** Why the document broke something; undefined where it was added and served, or refused as it should be. */
async function problemOf(
  at: number,
  document: object,
  catalog: string,
  counts: Record<'served' | 'refused', number>,
): Promise<string | undefined> {
  using folder = oddFolder();
  const file = folder.write(`api-${at}.json`, document);
  const env = envOf(folder, catalog);
  const words = [cli('catalog.mjs'), 'add', file, '--platform', 'mutated', '--accept-partial', '--json'];
  const added = await startProcess(process.execPath, words, { cwd: folder.path, env }).ended;
  const told = (what: string, text: string) =>
    `document ${at}: ${what}: ${text.slice(0, 2_000)}\n${readFileSync(file, 'utf8').slice(0, 40_000)}`;
  if (added.code !== 0) {
    if (added.code === null || !REFUSAL.test(added.stderr) || /\n\s+at /.test(added.stderr))
      return told(`add ended with ${added.code}`, added.stderr);
    counts.refused += 1;
    return undefined;
  }
  try {
    const router = await startChild(
      cli('router.mjs'),
      ['--json'],
      { ...env, MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' },
      folder.path,
    );
    const { status } = await fetch(new URL('/livez', String(router.ready['url'])));
    await router.stop();
    if (status !== 200) return told(`the router answered ${status}`, router.log.join(''));
  } catch (error) {
    return told('the router did not start', (error as Error).message);
  }
  counts.served += 1;
  return undefined;
}

test(`${ADDED} broken documents are added or refused with document and place, and every router starts`, async (context) => {
  const random = new Random(SEED);
  const sound = sampledDocuments(100, SEED, { least: 2_000, most: 60_000 }).map(
    ({ file }) => JSON.parse(readFileSync(file, 'utf8')) as object,
  );
  const documents = Array.from({ length: ADDED }, (_, at) => mutated(sound[at % sound.length] as object, random, 6));
  const counts = { served: 0, refused: 0 };
  const problems: string[] = [];
  let next = 0;
  const play = async () => {
    using own = oddFolder();
    for (let at = next++; at < documents.length; at = next++) {
      const problem = await problemOf(at, documents[at] as object, own.path, counts);
      if (problem !== undefined) problems.push(problem);
      if ((at + 1) % 25 === 0)
        process.stdout.write(`${at + 1} of ${ADDED}: ${JSON.stringify(counts)}, ${problems.length} problems\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  reportFigures(context, { documents: ADDED, ...counts, problems: problems.length });
  expect(problems).toEqual([]);
});
