/** The one figure that is no count: a multiple of a direct call in the same run, over the whole campaign. */
import { expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { addedTime, addedTimeFindings } from './added-time.ts';

/** A run whose read with one request at the platform took `took`; all else took ten seconds. */
const runWith = (took: number, directMs?: number): Recording =>
  changedRecording((recording) => {
    const one = recording.transcript.find(({ kind, calls }) => kind === 'call' && calls?.length === 1)!;
    const read = { ...one, tool: recording.subject.dispatchers[0]!, calls: [1] };
    recording.transcript = [read, { ...read, calls: [1, 2] }, { ...read, calls: [] }, { ...read, tool: 'do_it' }];
    recording.timings.messages = [took, 10_000, 10_000, 10_000].map((tookMs) => ({ atMs: 0, tookMs }));
    if (directMs !== undefined) recording.timings.directMs = [directMs, 9_000, directMs];
  });
const campaign = (took: number, directMs?: number) => Array.from({ length: 9 }, () => runWith(took, directMs));

test('is how many direct calls a call is long, on a fast machine as on a slow one', () => {
  expect(addedTime(campaign(5, 1))).toBe(5);
  expect(addedTime(campaign(50, 10))).toBe(5);
  expect(addedTimeFindings(campaign(50, 10))).toEqual([]);
});

test('is red where each call waits 700 ms', () => {
  expect(addedTimeFindings(campaign(705, 1.5))).toMatchObject([
    { gate: 'added_time', actual: expect.stringContaining('470 times') },
  ]);
});

test('no single run decides, however long a pause it made', () => {
  expect(addedTimeFindings([runWith(9_000, 1), ...campaign(5, 1)])).toEqual([]);
});

test('is not judged in recordings without a direct call, or in too few', () => {
  expect(addedTime(campaign(705))).toBeUndefined();
  expect(addedTime([runWith(705, 1)])).toBeUndefined();
});
