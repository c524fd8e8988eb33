/** Servers that speak one revision of the protocol or both: tasks are played in each that is spoken, and the result says which. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../test/free-port.ts';
import { typedIn } from '../test/harness-command.ts';
import { PETS } from '../test/pets-document.ts';
import type { TryResult } from './try-result.ts';

const LONGEST_MS = 500_000;
const SERVER = join(import.meta.dirname, '..', 'test', 'stateless-server.mjs');
const BOTH = ['2025-11-25', '2026-07-28'];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'revisions-'));
  writeFileSync(join(folder, 'pets.json'), JSON.stringify(PETS));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typed = (...words: string[]) => typedIn(folder, ...words);

const FEW = ['--openapi', 'pets.json', '--most', '9', '--malformed', '36', '--max-unapproved', '0'];
const resultIn = (out: string) => JSON.parse(readFileSync(join(folder, out, 'try.json'), 'utf8')) as TryResult;
const solvedIn = ({ rows }: TryResult, revision: string) =>
  rows.filter((row) => row.revision === revision).map(({ scenario, agent, success }) => [scenario, agent, success]);

test('one that speaks both is played in both, and is asked before each change in both', {
  timeout: LONGEST_MS,
}, async () => {
  const { exit, said } = await typed('try', '--command', `node ${SERVER} --ask`, ...FEW, '--out', 'both');
  expect({ exit, said }).toEqual({
    exit: 0,
    said: expect.stringContaining('revisions          2025-11-25, 2026-07-28'),
  });
  const result = resultIn('both');
  expect(result.revisions).toMatchObject(
    BOTH.map((revision) => ({ revision, tools: 25, runs: 18, oracle: { solved: 9, of: 9 }, unapproved: 0 })),
  );
  expect(solvedIn(result, '2026-07-28')).toEqual(solvedIn(result, '2025-11-25'));
  expect(result).toMatchObject({ writes: { unapproved: 0, of: 36, asks: true }, reuse: { reused: 0, of: 2 } });
  const page = readFileSync(join(folder, 'both', 'try.html'), 'utf8');
  expect(page).toContain('in revision 2025-11-25 and revision 2026-07-28');
  expect(page.match(/<details id="run-/g)).toHaveLength(36);
});

test('one that speaks 2026-07-28 alone is played in it, over stdio and HTTP, and its malformed messages are of it', {
  timeout: LONGEST_MS,
}, async () => {
  const port = await freePort();
  const http = [`node ${SERVER} --ask --only-2026 --http ${port}`, '--url', `http://127.0.0.1:${port}/mcp`];
  for (const [out, command] of Object.entries({ stdio: [`node ${SERVER} --ask --only-2026`], http })) {
    const { exit, said } = await typed('try', '--command', ...command, ...FEW, '--out', out);
    expect({ exit, said }).toMatchObject({ exit: 0 });
    const result = resultIn(out);
    expect(result.revisions).toMatchObject([
      { revision: '2026-07-28', runs: 18, oracle: { solved: 9, of: 9 } },
      { revision: '2025-11-25', absent: expect.stringContaining('Unsupported protocol version') },
    ]);
    expect(result.malformed).toEqual({ sent: 36, wrong: {}, diedAfter: null });
  }
});

test('a revision that was asked for and is not spoken ends with a code', async () => {
  const plain = join(import.meta.dirname, '..', 'test', 'plain-server.mjs');
  const { exit, said } = await typed('try', '--command', `node ${plain}`, ...FEW, '--revision', '2026-07-28');
  expect({ exit, said }).toEqual({ exit: 3, said: expect.stringContaining('SERVER_PROTOCOL: ') });
});

test('the official suite judges a stdio server in the revisions that it speaks', { timeout: LONGEST_MS }, async () => {
  const { exit, said } = await typed('conformance', '--command', `node ${SERVER} --only-2026`);
  expect({ exit, said }).toMatchObject({ exit: 0 });
  expect(said).toMatch(/^passed +2026-07-28 +tools-list/m);
  expect(said).toMatch(/^not-applicable +2025-11-25 +tools-list +the server does not speak this revision$/m);
});
