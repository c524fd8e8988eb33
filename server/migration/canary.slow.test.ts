/**
 * Every secret of an export and of an apply, sought in eight encodings in everything that a migration leaves behind: answers,
 * run files or Redis, log, audit lines, and what `svc-mcp-migrate plan` writes.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RouterTestbed, replyOf, routerTestbed, type Working } from '../test/migration/migration-testbed.ts';
import { ROOT } from '../test/support/child-process.ts';
import { missing, REDIS_PASSWORD, type Redis, startRedis } from '../test/support/programs.ts';
import { runNode } from '../test/support/running-process.ts';
import { Canaries, filesBelow, newCanary } from '../test/support/secret-canary.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

const secrets: string[] = [];
const secret = (): string => {
  const canary = newCanary();
  secrets.push(canary);
  return canary;
};

const EXPORT = {
  config_path: '/md/mill',
  vlans: [
    { id: 3001, descr: 'lab' },
    { id: 3002, descr: `passphrase: ${secret()}` },
  ],
  wlans: {
    ssid_profiles: [
      { profile_name: 'Lab', essid: 'Lab', opmode: 'wpa3-sae-aes', wpa_passphrase: secret() },
      { profile_name: 'Home', essid: 'Home', opmode: 'wpa2-psk-aes', wpa_hexkey: { value: secret() } },
      { profile_name: 'Old', essid: 'Old', opmode: 'static-wep', wep_keys: [{ index: 1, key: secret() }] },
    ],
    virtual_aps: ['Lab', 'Home', 'Old'].map((name) => ({
      profile_name: name,
      ssid_prof: name,
      vlan: '3001',
      forward_mode: 'bridge',
    })),
  },
  aaa: {
    radius_servers: [{ rad_server_name: 'canary-radius', host: '10.0.0.1', key: secret() }],
    ldap_servers: [{ ldap_server_name: 'l', host: 'h', admin_dn: 'cn=reader', admin_passwd: secret() }],
    tacacs_servers: [{ tacacs_server_name: 't', host: 'h', key: secret() }],
  },
  routing: { vrrp: [{ id: 1, ip_address: '10.0.0.9', authentication: secret() }] },
  printers: [{ name: 'p', password: secret() }],
};

const NET = { target_type: 'new', scope_id: 'mill', persona: 'CAMPUS_AP' };
const TARGETS = {
  networks: { ...NET, selected_candidates: ['vlan:3001', 'wlan:Lab', 'wlan:Home', 'wlan:Old'] },
  servers: { ...NET, persona: 'MOBILITY_GW', selected_candidates: ['auth_server:radius:canary-radius'] },
  classic: { target_type: 'classic', scope_name: 'classic-group-2' },
};
const SECRETS = {
  'wlan:Lab': { wpa_passphrase: secret() },
  'wlan:Home': { wpa_passphrase: secret() },
  'auth_server:radius:canary-radius': { shared_secret: secret() },
};
const SHARED = SECRETS['auth_server:radius:canary-radius'].shared_secret;

/** How a careless platform may say a secret back. */
const SPELLED: Record<string, string[]> = {
  'as it is, in base64 and in a piece': [
    SHARED,
    Buffer.from(SHARED).toString('base64'),
    Buffer.from(SHARED).toString('base64url'),
    SHARED.slice(5, 17),
  ],
  'in hexadecimal digits and for an address': [
    Buffer.from(SHARED).toString('hex'),
    [...Buffer.from(SHARED)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''),
  ],
  'as escaped JSON': [[...SHARED].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')],
};
const AUTH_SERVER = '/network-config/v1alpha1/auth-servers/{name}';

const absent = missing('redis-server');
/** Every command that ever reached it stands in its journal. */
const JOURNAL = [`requirepass ${REDIS_PASSWORD}`, 'appendonly yes', 'appendfsync no'];

interface Answer {
  call: string;
  text: string;
}

/** Calls as a client makes them, each answer kept. */
class Caller {
  readonly answers: Answer[] = [];
  readonly #router: Working;

  constructor(router: Working) {
    this.#router = router;
  }

  async ask(name: string, args: object, read = false) {
    const said = await replyOf(this.#router, name, args, read);
    this.answers.push({ call: name, text: said.text });
    return said;
  }

  async apply(run_id: string, more: object = {}) {
    const words = { run_id, target_secrets: SECRETS_OF(run_id), ...more };
    const dry = await this.ask('legacy_apply_migration_run', words);
    const controls = { dry_run: false, confirm: true, plan_token: dry.value['plan_token'] };
    return this.ask('legacy_apply_migration_run', { ...words, ...controls });
  }

  async rollback(run_id: string) {
    const words = { run_id, conflict_policy: 'continue' };
    const dry = await this.ask('legacy_execute_migration_rollback', words);
    const controls = { dry_run: false, confirm: true, plan_token: dry.value['plan_token'], confirm_object: run_id };
    return this.ask('legacy_execute_migration_rollback', { ...words, ...controls });
  }
}

function SECRETS_OF(run_id: string): object {
  const names = run_id.startsWith('servers') ? ['auth_server:radius:canary-radius'] : ['wlan:Lab', 'wlan:Home'];
  return Object.fromEntries(Object.entries(SECRETS).filter(([name]) => names.includes(name)));
}

/** Preview, create, apply, verify and rollback on both targets. */
async function wholeWay(caller: Caller, testbed: RouterTestbed): Promise<void> {
  for (const [run_id, target] of Object.entries(TARGETS)) {
    await caller.ask('legacy_preview_migration_run', { ...target, export: EXPORT }, true);
    await caller.ask('legacy_create_migration_run', { ...target, export: EXPORT, run_id, confirm: true });
    const { value } = await caller.apply(run_id);
    expect(value, run_id).toMatchObject({ counts: { applied: expect.any(Number) } });
    for (const tool of ['legacy_get_migration_run', 'legacy_verify_migration_run', 'legacy_plan_migration_rollback'])
      await caller.ask(tool, { run_id, ...(tool.includes('get') ? { include_details: true } : {}) }, true);
  }
  await caller.ask('legacy_list_migration_runs', {}, true);
  // The search finds the secret where it was sent, so it would find it elsewhere.
  expect(JSON.stringify(await testbed.rows('auth-servers'))).toContain('canary-radius');
}

/** The platform refuses a write and says its secret back. */
async function reflected(caller: Caller, testbed: RouterTestbed): Promise<void> {
  const create = { ...TARGETS.servers, export: EXPORT, run_id: 'servers-again', confirm: true };
  await caller.ask('legacy_create_migration_run', create);
  for (const [how, pieces] of Object.entries(SPELLED)) {
    const body = JSON.stringify({ message: `not with ${pieces.join(' or ')}` });
    await testbed.control('PUT', '/faults', {
      rules: [
        { operation: `GET ${AUTH_SERVER}`, times: 0, fault: { kind: 'status', status: 404 } },
        {
          operation: `POST ${AUTH_SERVER}`,
          times: 0,
          fault: { kind: 'content-type', value: 'application/json', body },
        },
      ],
    });
    const { text } = await caller.apply('servers-again', { retry_failed: true });
    expect(text, how).toContain('not with ******');
  }
  await testbed.control('PUT', '/faults', { rules: [] });
}

/** What clients get wrong, with a secret in it. */
async function mistaken(caller: Caller): Promise<void> {
  const run_id = 'servers';
  const name = 'auth_server:radius:canary-radius';
  for (const target_secrets of [
    { [name]: { shared_secret: SHARED.repeat(30) } },
    { [name]: { shared_secret: [SHARED] } },
    { [name]: SHARED },
    { [name]: { shared_secret: SHARED, other: SHARED } },
    SHARED,
  ])
    await caller.ask('legacy_apply_migration_run', { run_id, target_secrets });
  const text = JSON.stringify(EXPORT);
  for (const wrong of [text, [text], { vlans: text }, `{ "wpa_passphrase": "${secrets[0]}"`]) {
    await caller.ask('legacy_preview_migration_run', { ...NET, export: wrong }, true);
    await caller.ask('legacy_create_migration_run', { ...NET, export: wrong, run_id: 'wrong', confirm: true });
  }
}

async function planned(testbed: RouterTestbed): Promise<string[]> {
  const file = join(testbed.folder, 'export.json');
  writeFileSync(file, JSON.stringify(EXPORT));
  writeFileSync(`${file}.cut`, JSON.stringify(EXPORT).slice(0, -20));
  const command = join(ROOT, 'server/cli/migrate.mjs');
  const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: shippedCatalog() };
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await runNode([command, 'plan', ...words], { env });
    return stdout + stderr;
  };
  const pages = join(testbed.folder, 'pages');
  const said = [await run(file, '--html', `${pages}-new.html`, '--json')];
  said.push(await run(file, '--html', `${pages}-classic.html`, '--target', 'classic'), await run(`${file}.cut`));
  return said;
}

/** Everything that was left behind, by where it stands. */
function* sinks(
  testbed: RouterTestbed,
  router: Working,
  caller: Caller,
  redis: Redis | undefined,
): Generator<[string, string]> {
  for (const { call, text } of caller.answers) yield [`answer of ${call}`, text];
  yield ['log', router.child.log.join('')];
  const folders = [testbed.folder, ...(redis ? [join(dirname(redis.passwordPath), 'appendonlydir')] : [])];
  // The export itself, and what the router logs in with.
  for (const folder of folders)
    for (const { path, text } of filesBelow(folder))
      if (!/\/tokens\/|export\.json/.test(path)) yield [path.slice(folder.length), text];
}

const PLACES = absent === undefined ? ['files', 'Redis'] : ['files'];

describe.each(PLACES)('runs in %s', (place) => {
  test('a migration from preview to rollback leaves no secret anywhere', async () => {
    await using closing = new AsyncDisposableStack();
    const redis = place === 'Redis' ? closing.use(await startRedis(JOURNAL)) : undefined;
    const testbed = closing.use(await routerTestbed(redis));
    await testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
    const router = await testbed.start();
    const caller = new Caller(router);
    await wholeWay(caller, testbed);
    await reflected(caller, testbed);
    await mistaken(caller);
    for (const run_id of Object.keys(TARGETS)) await caller.rollback(run_id);
    const said = await planned(testbed);

    const all = [
      ...sinks(testbed, router, caller, redis),
      ...said.map((text) => ['svc-mcp-migrate plan', text] as const),
    ];
    const canaries = new Canaries(secrets);
    const found = all.map(([sink, text]) => [sink, canaries.in(text)]);
    expect(found.filter(([, piece]) => piece !== undefined)).toEqual([]);
    const names = all.map(([sink]) => sink).join('\n');
    for (const sink of ['audit.jsonl', 'pages-new.html', place === 'files' ? 'migration-runs/networks.json' : '.aof'])
      expect(names).toContain(sink);
    expect(router.child.log.length).toBeGreaterThan(0);
    const text = all.map(([, each]) => each).join('\n');
    for (const word of ['"tool":"mgmt_create_auth_server"', '<h1>Migration plan</h1>', '"run_id":"networks"'])
      expect(text.replaceAll('\\"', '"')).toContain(word);
  });
});
