/** Two routers over one Redis and one run: at the same time, and one after the other was killed in the middle of its apply. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RouterTestbed, replyOf, routerTestbed, type Working } from '../test/migration/migration-testbed.ts';
import { missing, type Redis, startRedis } from '../test/support/programs.ts';
import type { Run } from './migration-run.ts';

const absent = missing('redis-server');
const SECRETS = { 'auth_server:radius:r': { shared_secret: 'Otter-Wharf-8822-Pine' } };
const CREATE = {
  target_type: 'new',
  scope_id: 'mill',
  persona: 'MOBILITY_GW',
  confirm: true,
  export: {
    vlans: [{ id: 3001 }],
    roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }], vlan: '3001' }],
    aaa: {
      radius_servers: [{ name: 'r', host: '10.0.0.1', key: 'of the source' }],
      server_groups: [{ sg_name: 'g', auth_server: [{ name: 'r' }] }],
      dot1x_auth_profiles: [{ name: 'eap' }],
      aaa_profiles: [{ name: 'login', default_user_role: 'staff', dot1x_auth_profile: 'eap', rad_acct_sg: 'g' }],
    },
  },
};
const HELD_MS = 10_000;

describe.skipIf(absent)('a run that two routers share', () => {
  let redis: Redis;
  let testbed: RouterTestbed;
  let one: Working;
  let two: Working;
  let runs = 0;
  let run_id = 'calm';
  /** What an apply that nobody disturbs writes and leaves. */
  let calm: { writes: string[]; state: unknown };

  const reset = () => testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
  const writes = async () => (await testbed.written()).map(({ what, bodyHash }) => `${what} ${bodyHash}`);
  const stateHash = () => testbed.control('GET', '/state-hash');
  const faults = (rules: object[]) => testbed.control('PUT', '/faults', { rules });
  const dryRun = async (router: Working) =>
    (await replyOf(router, 'legacy_apply_migration_run', { run_id, target_secrets: SECRETS })).value['plan_token'];
  const apply = (router: Working, plan_token: unknown) => {
    const controls = { dry_run: false, confirm: true, plan_token };
    return replyOf(router, 'legacy_apply_migration_run', { run_id, target_secrets: SECRETS, ...controls });
  };
  const kept = async (): Promise<Run> => {
    const reply = await redis.command('GET', `svc-mcp:run:${run_id}`);
    return JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1)) as Run;
  };

  beforeAll(async () => {
    redis = await startRedis();
    testbed = await routerTestbed(redis);
    [one, two] = await Promise.all([testbed.start(), testbed.start()]);
    await reset();
    await replyOf(one, 'legacy_create_migration_run', { ...CREATE, run_id });
    expect((await apply(one, await dryRun(one))).value).toMatchObject({ status: 'completed' });
    calm = { writes: await writes(), state: await stateHash() };
  });
  afterAll(async () => {
    await testbed?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    run_id = `shared-${++runs}`;
    await reset();
    expect((await replyOf(one, 'legacy_create_migration_run', { ...CREATE, run_id })).value).toMatchObject({
      created: true,
    });
  });

  test('applied by both at the same time: one does it, the other is refused, each object is written once', async () => {
    const tokens = [await dryRun(one), await dryRun(two)];
    // The first router is still at work when the second one starts.
    await faults([{ platform: 'mgmt', capability: 'read', times: 1, fault: { kind: 'delay', ms: 2_000 } }]);
    const answers = await Promise.all([apply(one, tokens[0]), apply(two, tokens[1])]);
    const ends = answers.map(({ isError, value }) => (isError ? value['code'] : value['status']));
    expect(ends.sort()).toEqual(['completed', 'run_busy']);
    expect(await writes()).toEqual(calm.writes);
    // The run is another one now: what the loser was shown is not what it would do.
    for (const [router, token] of [
      [one, tokens[0]],
      [two, tokens[1]],
    ] as const)
      expect((await apply(router, token)).value).toMatchObject({ code: 'plan_stale' });
    expect(await writes()).toEqual(calm.writes);
  });

  const POST = (path: string) => `POST /network-config/${path}`;
  test.each([
    ['a write is out and nothing of it arrived', POST('v1alpha1/roles/{name}'), 1, 'before'],
    ['a write arrived and its answer is on the way', POST('v1alpha1/server-groups/{name}'), 1, 'after'],
    ['an assignment arrived and its answer is on the way', POST('v1alpha1/config-assignments'), 3, 'after'],
  ])(
    'killed while %s: the other goes on after the lease, nothing lost, nothing twice',
    async (_, operation, from, effect) => {
      const killed = await testbed.start();
      await faults([{ operation, from, fault: { kind: 'hang', effect } }]);
      const cut = apply(killed, await dryRun(killed)).catch(() => undefined);
      await until(async () => {
        const { rules } = (await testbed.control('GET', '/faults')) as { rules: { struck: number }[] };
        return rules[0]?.struck === 1;
      });
      await killed.kill();
      await cut;
      const left = await kept();
      const acknowledged = stepsOf(left).filter(({ state }) => state === 'verified');
      expect(acknowledged.length).toBeGreaterThan(0);
      expect((await writes()).length).toBeLessThanOrEqual(stepsOf(left).length);

      expect(await replyOf(two, 'legacy_apply_migration_run', { run_id })).toMatchObject({
        isError: true,
        value: { code: 'run_busy' },
      });
      const hold = `svc-mcp:run-held:${run_id}`;
      const lease = Number((await redis.command('PTTL', hold)).replace(/\D/g, ''));
      expect(lease).toBeGreaterThan(0);
      expect(lease).toBeLessThanOrEqual(HELD_MS);
      // It would end by itself; nobody waits for that here.
      await redis.command('PEXPIRE', hold, '1');
      await until(async () => (await redis.command('EXISTS', hold)).includes(':0'));

      expect((await apply(two, await dryRun(two))).value).toMatchObject({ status: 'completed' });
      const after = new Map(stepsOf(await kept()).map(({ id, state }) => [id, state]));
      expect(acknowledged.filter(({ id }) => after.get(id) !== 'verified')).toEqual([]);
      expect((await writes()).toSorted()).toEqual(calm.writes.toSorted());
      expect(await stateHash()).toEqual(calm.state);
    },
  );
});

const stepsOf = ({ candidates }: Run) =>
  candidates.flatMap(({ key, steps }) => steps.map(({ what, state }) => ({ id: `${key} ${what}`, state })));

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 2_000) throw new Error('it should come true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
