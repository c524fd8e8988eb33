/** A SHARED write is trusted only after its assignment was read back, and every tuple is inspected here (specification 3.3). */
import { describe, expect, test } from 'vitest';
import { planFor } from '../test/migration/exports.ts';
import { memoryTarget } from '../test/migration/memory-target.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { assignment } from './adapters/new/shared.ts';
import { applyRun } from './apply.ts';
import { newRun } from './migration-run.ts';
import { comparedFields, look, mismatchedFields, type ReadAnswer, type TargetPort } from './target-port.ts';

const CONTEXT: TargetContext = { target: 'new', scope_id: 'site', persona: 'MOBILITY_GW' };
const STEP = assignment('roles', 'staff', CONTEXT);
const TUPLE = STEP.expect;
const OTHER = { ...TUPLE, 'profile-instance': 'guests' };
const port = (answer: ReadAnswer): TargetPort => ({ read: async () => answer, write: async () => ({ kind: 'done' }) });
const found = (value: unknown) => look(STEP, port({ kind: 'found', value }));

describe('returned assignment tuples are inspected client-side', () => {
  test.each([
    ['among others', { items: [OTHER, TUPLE] }, { kind: 'same' }],
    ['with more fields than were asked for', { items: [{ ...TUPLE, created: 'today' }] }, { kind: 'same' }],
    ['not there, whatever filter the platform promised', { items: [OTHER] }, { kind: 'absent' }],
    ['of another scope', { items: [{ ...TUPLE, 'scope-id': 'elsewhere' }] }, { kind: 'absent' }],
    ['of another device function', { items: [{ ...TUPLE, 'device-function': 'CAMPUS_AP' }] }, { kind: 'absent' }],
    ['a tuple that lacks a field is none', { items: [{ 'profile-instance': 'staff' }] }, { kind: 'absent' }],
    [
      'a list that was cut never means absent',
      { items: [OTHER], _pagination: { truncated: true } },
      { kind: 'unknown' },
    ],
    ['an answer that is no list', { rows: [TUPLE] }, { kind: 'unknown' }],
    ['nothing at all', null, { kind: 'unknown' }],
  ])('%s', async (_, value, seen) => expect(await found(value)).toMatchObject(seen));

  test('an assignment that was accepted and is not listed: the object is failed, never applied', async () => {
    const target = memoryTarget();
    const silent: TargetPort = {
      read: target.read,
      write: async (call) => (call.tool.includes('config_assignment') ? { kind: 'done' } : target.write(call)),
    };
    const parts = { roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }] };
    const now = () => '2026-01-01T00:00:00.000Z';
    const run = newRun({
      target: CONTEXT,
      policy: 'fail',
      candidates: planFor(parts).candidates.new,
      secretsOf: (candidate) => adapterOf(candidate, 'new').secretsOf(candidate),
      now: now(),
    });
    const options = {
      run,
      port: silent,
      secrets: {},
      save: async () => {},
      retryFailed: false,
      limit: 1,
      offset: 0,
      now,
    };
    for (const dryRun of [true, false]) await applyRun({ ...options, dryRun });
    expect(run.candidates[0]).toMatchObject({
      status: 'failed',
      last_error: 'roles staff assigned to site for MOBILITY_GW: the write was accepted, and the read-back says absent',
    });
  });
});

describe('a field of the read-back is a match, a mismatch, or unverifiable', () => {
  test.each([
    [{ a: 1 }, { a: 1, b: 2 }, { a: 'match' }],
    [{ a: 1 }, { a: 2 }, { a: 'mismatch' }],
    [{ a: 1 }, { a: '1' }, { a: 'mismatch' }],
    [{ a: 1 }, {}, { a: 'unverifiable' }],
    [{ a: null }, {}, { a: 'match' }],
    [{ a: 1 }, 'text', { a: 'unverifiable' }],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, { a: 'match' }],
    [{ a: { b: 1, c: 1 } }, { a: { b: 1 } }, { a: 'unverifiable' }],
    [{ a: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: 'mismatch' }],
    [{ a: { b: 1 } }, { a: 'text' }, { a: 'mismatch' }],
    [{ a: [1, 2] }, { a: [1, 2] }, { a: 'match' }],
    [{ a: [1, 2] }, { a: [2, 1] }, { a: 'mismatch' }],
    [{ a: [1] }, { a: [1, 2] }, { a: 'mismatch' }],
  ] as [object, unknown, object][])('%j in %j: %j', (wanted, value, matches) => {
    expect(comparedFields(wanted as Record<string, unknown>, value)).toEqual(matches);
  });
  test('only what differs is named, and never its value', () => {
    expect(mismatchedFields(comparedFields({ a: 1, b: 'secret', c: 3 }, { a: 1, b: 'other' }))).toBe(
      'b (mismatch), c (unverifiable)',
    );
  });
});
