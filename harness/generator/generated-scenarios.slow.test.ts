/**
 * Scenarios made from four documents: enough of them, equal by seed, all solved by who knows the steps and none by who does
 * nothing. The documents are those of shipped platforms, served as a stranger's.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { makeDocuments } from '../subject/shipped-documents.ts';
import type { TryResult } from '../try/try-result.ts';
import { openTestbed } from '../try/try-testbed.ts';
import { generateScenarios } from './generated-scenarios.ts';
import { KINDS } from './scenario-draft.ts';

const root = join(import.meta.dirname, '..', '..');
const SERVER = join(root, 'harness/test/openapi-server.mjs');
const LONGEST_MS = 400_000;
const DOCUMENTS = ['cloudwlan/wlans.json', 'cloudwlan/templates.json', 'fabric/blueprints.json', 'fabric/design.json'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-'));
  await makeDocuments(root);
}, LONGEST_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const made = async (document: string, seed: number) => {
  await using testbed = await openTestbed(root, join(root, 'var/openapi', document));
  return await generateScenarios({ document: testbed.document, probe: testbed.probe, seed, most: 64 });
};

test('the same seed gives the same files, another seed others', { timeout: LONGEST_MS }, async () => {
  const [document = ''] = DOCUMENTS;
  const [first, again, other] = [await made(document, 1), await made(document, 1), await made(document, 2)];
  expect(first.files).toEqual(again.files);
  expect(other.files).not.toEqual(first.files);
  for (const { paraphrases = [], intent } of first.scenarios) expect(new Set([intent, ...paraphrases]).size).toBe(4);
});

/** The nightly run plays all of them; each check the first and the last, which are of two platforms. */
const PLAYED = process.env['NIGHTLY'] === undefined ? [DOCUMENTS[0], DOCUMENTS[3]] : DOCUMENTS;

test.each(PLAYED as string[])(
  '%s: sixty and more, the oracle solves all, noop none',
  { timeout: LONGEST_MS },
  async (document) => {
    const out = join(folder, document.replaceAll('/', '-'));
    const command = `node ${SERVER} {{document}} {{api}}`;
    const options = [
      '--openapi',
      join(root, 'var/openapi', document),
      '--agent',
      'oracle,noop',
      '--malformed',
      '0',
      '--most',
      '64',
    ];
    const said: string[] = [];
    await main(['try', '--command', command, ...options, '--out', out], {
      stdout: { write: () => undefined },
      stderr: { write: (text: string) => said.push(text), isTTY: false } as never,
      env: {},
    });
    const result = JSON.parse(await readFile(join(out, 'try.json'), 'utf8').catch(() => said.join(''))) as TryResult;
    const suites = result.scenarios?.suites ?? {};
    expect(Object.values(suites).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(60);
    expect(KINDS.filter((kind) => suites[kind] === undefined)).toEqual([]);
    const missed = result.rows.filter(
      ({ agent, success, suite }) => agent === 'oracle' && suite !== 'refusal' && success === 0,
    );
    expect(missed.map(({ scenario, reason }) => `${scenario}: ${reason}`)).toEqual([]);
    expect(result.rows.filter(({ agent, success }) => agent === 'noop' && success === 1)).toEqual([]);
  },
);
