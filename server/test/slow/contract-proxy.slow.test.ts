/**
 * A contract-checking proxy in the middle: a validator that none of our programs uses stands between router and platform, over every
 * document, and judges each request the router sends and each answer it gets.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ABSENT, GITHUB, type ProxiedTestbed, proxiedTestbed } from '../support/proxied-testbed.ts';

/** Writes about a kind of which the installation at rest has no object: their previews end with that, and nothing is sent. */
const NOTHING_TO_CHANGE = [
  'updateMclagDomain',
  'deleteMclagDomain',
  'updateBgpProcess',
  'deleteBgpProcess',
  'updateOspfv3Process',
  'deleteOspfv3Process',
  'deleteConfigCheckpoint',
  'updateTelemetryStream',
  'deleteTelemetryStream',
];

let testbed: ProxiedTestbed;

beforeAll(async () => {
  testbed = await proxiedTestbed(['mgmt'], true);
});
afterAll(() => testbed.close());

test('nothing the router sends to the management cloud and nothing it is answered breaks a document', async () => {
  const unsent = await testbed.play('mgmt');
  expect(testbed.contractProxies.get('mgmt')!.violations).toEqual([]);
  const absent = among('mgmt', NOTHING_TO_CHANGE);
  expect(unsent).toEqual(absent.map((id) => `${id}: ${ABSENT}`));
  expect(missed('mgmt')).toEqual(absent);
});

test('nor does it with the document of somebody else', async () => {
  // The document names its own server, and the router calls only the configured one.
  const elsewhere = among(GITHUB, ['repos/upload-release-asset']);
  expect(await testbed.play(GITHUB)).toEqual(elsewhere.map((id) => `${id}: no tool`));
  expect(testbed.contractProxies.get(GITHUB)!.violations).toEqual([]);
  expect(missed(GITHUB)).toEqual(elsewhere);
});

/** Those of the operations that are asked for in this run. */
function among(platform: string, ids: readonly string[]): string[] {
  const asked = new Set(testbed.calls.get(platform)!.calls.map(({ operationId }) => operationId));
  return ids.filter((id) => asked.has(id));
}

/** Operations that never came by the contract-checking proxy. */
function missed(platform: string): string[] {
  const { judged } = testbed.contractProxies.get(platform)!;
  return testbed.calls
    .get(platform)!
    .calls.flatMap(({ operationId }) => (judged.has(operationId) ? [] : [operationId]));
}
