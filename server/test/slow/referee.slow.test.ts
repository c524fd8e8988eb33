/**
 * A referee in the middle: a validator that none of our programs uses stands between router and platform, over every
 * document, and judges each request the router sends and each answer it gets.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ABSENT, GITHUB, type RefereedBed, refereedBed } from '../support/refereed-testbed.ts';

/** Writes about a kind of which the estate at rest has no object: their previews end with that, and nothing is sent. */
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

let bed: RefereedBed;

beforeAll(async () => {
  bed = await refereedBed(['mgmt'], true);
});
afterAll(() => bed.close());

test('nothing the router sends to the management cloud and nothing it is answered breaks a document', async () => {
  const unsent = await bed.play('mgmt');
  expect(bed.referees.get('mgmt')!.violations).toEqual([]);
  expect(unsent).toEqual(NOTHING_TO_CHANGE.map((id) => `${id}: ${ABSENT}`));
  expect(missed('mgmt')).toEqual(NOTHING_TO_CHANGE);
});

test('nor does it with the document of somebody else', async () => {
  // It names a server of its own in the document, and the router only speaks to the one it was told.
  const elsewhere = 'repos/upload-release-asset';
  expect(await bed.play(GITHUB)).toEqual([`${elsewhere}: no tool`]);
  expect(bed.referees.get(GITHUB)!.violations).toEqual([]);
  expect(missed(GITHUB)).toEqual([elsewhere]);
});

/** Operations that never came by the referee. */
function missed(platform: string): string[] {
  const { judged } = bed.referees.get(platform)!;
  return bed.calls.get(platform)!.calls.flatMap(({ operationId }) => (judged.has(operationId) ? [] : [operationId]));
}
