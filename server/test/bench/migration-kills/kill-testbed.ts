/** One folder, one fake platform, and routers that follow each other in it: the next one finds what the last one left. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Run } from '../../../migration/migration-run.ts';
import { type Child, demoAccount, ROOT, startChild, startFake } from '../../support/child-process.ts';
import { type ModernClient, modernClient } from '../../support/modern-client.ts';

export const RUN_ID = 'killed';
export const SECRET = 'Otter-Wharf-8822-Pine';
const SECRETS = { 'auth_server:radius:r': { shared_secret: SECRET } };
const EXPORT = {
  vlans: [{ id: 30 }],
  roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }], vlan: '30' }],
  aaa: {
    radius_servers: [{ name: 'r', host: '10.0.0.1', key: 'of the source' }],
    server_groups: [{ sg_name: 'g', auth_server: [{ name: 'r' }] }],
    dot1x_auth_profiles: [{ name: 'eap' }],
    mac_auth_profiles: [{ name: 'mac' }],
    aaa_profiles: [{ name: 'login', default_user_role: 'staff', dot1x_auth_profile: 'eap', rad_acct_sg: 'g' }],
  },
};

export interface Written {
  method: string;
  path: string;
  bodyHash: string | null;
}

/** The fault at the n-th point: the router is killed, or no file can be written from then on, with this error. */
export interface Fault {
  at: number;
  error?: string;
}

export interface KillTestbed extends AsyncDisposable {
  folder: string;
  start: () => Promise<Working>;
  /** From now on places count, and at one of them something fails; undefined ends that. */
  arm: (fault: Fault | undefined) => void;
  /** Places that were passed while a fault was armed. */
  points: () => number;
  /** An installation as it was in the beginning, and no run. */
  rewind: () => Promise<void>;
  /** The run on disk; undefined if there is none. Throws for a file that is no JSON. */
  run: () => Run | undefined;
  /** Writes that the platform accepted since the last rewind. */
  written: () => Promise<Written[]>;
  stateHash: () => Promise<string>;
  /** Every file of a router, but for the tokens it logs in with. */
  files: () => string[];
}

export interface Working {
  child: Child;
  client: ModernClient;
}

/** `root` may be a changed copy of the package. */
export async function killTestbed(root: string = ROOT): Promise<KillTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-kills-'));
  const armed = join(folder, 'armed');
  const counted = `${armed}.count`;
  const fake = await startFake('mgmt');
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const options = { method, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${fake.ready['control']}/namespaces/default${path}`, options);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
    return answer.json();
  };
  const env = environment(folder, armed, fake.base);
  const file = join(folder, 'state', 'migration-runs', `${RUN_ID}.json`);
  return {
    folder,
    start: async () => {
      const child = await startChild(join(root, 'server/cli/router.mjs'), ['--json'], env, folder);
      const { url } = child.ready;
      if (typeof url !== 'string') throw new Error(`a router does not start: ${JSON.stringify(child.ready)}`);
      return { child, client: modernClient(url) };
    },
    arm: (fault) => {
      if (fault === undefined) return rmSync(armed, { force: true });
      // Moved into place: the router reads it at any moment.
      writeFileSync(`${armed}.next`, JSON.stringify(fault));
      renameSync(`${armed}.next`, armed);
    },
    points: () => (existsSync(counted) ? Number(readFileSync(counted, 'utf8')) : 0),
    rewind: async () => {
      rmSync(join(folder, 'state', 'migration-runs'), { recursive: true, force: true });
      rmSync(counted, { force: true });
      await control('POST', '/reset', { fixture: 'legacy-migration' });
    },
    run: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run) : undefined),
    written: async () => {
      const { entries } = (await control('GET', '/ledger?after=0')) as {
        entries: (Written & { capability: string; status: number })[];
      };
      return entries.filter(
        ({ capability, status }) => (capability === 'write' || capability === 'destructive') && status < 300,
      );
    },
    stateHash: async () => ((await control('GET', '/state-hash')) as { hash: string }).hash,
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('tokens'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    [Symbol.asyncDispose]: async () => {
      await fake[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function environment(folder: string, armed: string, baseUrl: string): Record<string, string> {
  return {
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'failpoint.mjs')).href}`,
    FAILPOINT_ARMED: armed,
    ...demoAccount(baseUrl),
    CREDS_PATH: join(folder, 'credentials.yaml'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    SVC_MCP_AUDIT_LOG: join(folder, 'audit.jsonl'),
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    SVC_MCP_CATALOG_DIR: join(ROOT, 'var', 'catalog'),
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_CONFIRMATION: 'token',
    SVC_MCP_RATE_PER_SECOND: '0',
    SVC_MCP_LOG_LEVEL: 'warn',
  };
}

const TARGET = { target_type: 'new', scope_id: 'mill', persona: 'MOBILITY_GW' };

export async function created({ client }: Working): Promise<void> {
  await answerOf(client, 'legacy_create_migration_run', { ...TARGET, export: EXPORT, run_id: RUN_ID, confirm: true });
}

export const dryRun = async ({ client }: Working): Promise<string> =>
  String(
    (await answerOf(client, 'legacy_apply_migration_run', { run_id: RUN_ID, target_secrets: SECRETS }))['plan_token'],
  );

export const applied = ({ client }: Working, plan_token: string): Promise<Record<string, unknown>> => {
  const controls = { dry_run: false, confirm: true, plan_token };
  return answerOf(client, 'legacy_apply_migration_run', { run_id: RUN_ID, target_secrets: SECRETS, ...controls });
};

async function answerOf(client: ModernClient, name: string, args: object): Promise<Record<string, unknown>> {
  const { isError, texts } = await client.call('invoke_tool', { name, arguments: args });
  if (isError) throw new Error(`${name}: ${texts.join('').slice(0, 400)}`);
  return JSON.parse(texts[0] ?? '{}') as Record<string, unknown>;
}

/** What an apply that nobody disturbs passes, takes and leaves. */
export interface Calm {
  points: number;
  ms: number;
  writes: number;
  stateHash: string;
}

export async function calmApply(testbed: KillTestbed): Promise<Calm> {
  await testbed.rewind();
  const router = await testbed.start();
  await created(router);
  const token = await dryRun(router);
  testbed.arm({ at: 0 });
  const began = performance.now();
  await applied(router, token);
  const ms = performance.now() - began;
  testbed.arm(undefined);
  await router.child.stop();
  const run = testbed.run();
  if (run?.status !== 'completed') {
    const errors = run?.candidates.flatMap(({ key, last_error }) =>
      last_error === null ? [] : [`${key}: ${last_error}`],
    );
    throw new Error(`an undisturbed apply should complete, got ${run?.status}: ${errors?.join('; ')}`);
  }
  return {
    points: testbed.points(),
    ms,
    writes: (await testbed.written()).length,
    stateHash: await testbed.stateHash(),
  };
}
