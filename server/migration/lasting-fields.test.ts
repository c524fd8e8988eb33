/** What the target changes by itself does not keep a rollback from an object; what somebody can set does. */
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { type Fields, planFor } from '../test/migration/exports.ts';
import { memoryTarget } from '../test/migration/memory-target.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { applyRun } from './apply.ts';
import { lastingBy } from './lasting-fields.ts';
import { newRun, RUN_LIMITS } from './migration-run.ts';
import { rollbackRun } from './rollback.ts';
import type { LastingOf, TargetPort } from './target-port.ts';

const folder = shippedCatalog();
const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: folder, CREDS_PATH: `${folder}/none` };
const { catalog } = openCatalog(loadConfig({ env, cwd: folder }));
afterAll(() => catalog.close());

const now = () => 'now';
const TARGET: TargetContext = { target: 'new', scope_id: 'site', persona: 'MOBILITY_GW' };
/** A role as the target shows it: beside what was sent a setting that was not, and what nobody can set. */
const BEFORE: Fields = {
  'max-sessions': 100,
  'library-owner': 'main',
  'session-count': 3,
  'last-used': null,
  usage: { clients: 3, since: '2026-03-01T08:00:00Z', busiest: 'hall' },
};

/** What a rollback says of the role when the target shows it with these changes since the run made it. */
async function rolledBack(changes: Fields, lastingOf: LastingOf = lastingBy(catalog)) {
  const memory = memoryTarget();
  let beside = BEFORE;
  const port: TargetPort = {
    ...memory,
    lastingOf,
    read: async (call) => {
      const answer = await memory.read(call);
      return answer.kind === 'found' && call.tool === 'mgmt_get_role'
        ? { kind: 'found', value: { ...beside, ...(answer.value as Fields) } }
        : answer;
    },
  };
  const { candidates } = planFor({ roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }] });
  const run = newRun({ target: TARGET, policy: 'fail', candidates: candidates.new, secretsOf: () => [], now: 'now' });
  const save = async () => {};
  const given = { run, port, secrets: {}, retryFailed: false, limit: RUN_LIMITS.candidates, offset: 0, now, save };
  for (const dryRun of [true, false]) await applyRun({ ...given, dryRun });
  beside = { ...BEFORE, ...changes };
  const undone = await rollbackRun({ run, port, save, policy: 'continue', now });
  const { status, message = '' } = undone.find(({ what }) => what === 'roles staff') ?? {};
  return { status, message: message.replace('it was changed since the run made it: ', ''), left: memory.objects.size };
}

const DELETED = { status: 'applied', message: '', left: 0 };

test.each<[string, Fields]>([
  ['a counter', { 'session-count': 900 }],
  ['a clock that had no time yet', { 'last-used': '2026-03-02T10:00:00Z' }],
  ['a counter and a clock inside of a field', { usage: { clients: 0, since: '2026-03-02', busiest: 'hall' } }],
])('%s that nobody can set keeps no rollback from the object', async (_, changes) => {
  expect(await rolledBack(changes)).toEqual(DELETED);
});

test.each<[string, Fields, string]>([
  ['a number that can be written', { 'max-sessions': 101 }, 'max-sessions'],
  ['a number that can be written and was not there', { 'idle-timeout': 30 }, 'idle-timeout'],
  ['a text that cannot be written', { 'library-owner': 'night shift' }, 'library-owner'],
  ['a text beside counters', { usage: { clients: 3, busiest: 'roof' } }, 'usage'],
  ['a text that was nothing', { 'last-used': 'by hand' }, 'last-used'],
])('%s does', async (_, changes, message) => {
  expect(await rolledBack(changes)).toMatchObject({ status: 'refused', message });
});

test('without documents of the target everything counts', async () => {
  expect(await rolledBack({ 'session-count': 900 }, (_, value) => value)).toMatchObject({
    status: 'refused',
    message: 'session-count',
  });
});
