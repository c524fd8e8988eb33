/**
 * The world a campaign runs in: one fake platform process, and per gate configuration and transport one subject with a
 * namespace, a credentials file and a bearer token of its own. Closing the sandbox ends and deletes all of it.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { FakeReady } from '#fake-api/ledger';
import type { Gates, Transport } from '../recording/recording.ts';
import { prepareLane, prepareSubject } from '../subject/prepare-subject.ts';
import type { Subject } from '../subject/subject.ts';
import { installSubject } from '../subject/subject-install.ts';
import { baseEnvironment, type Child, startChild } from '../subject/subject-process.ts';
import { type Bridge, openBridge } from './agent-bridge.ts';
import { ACCOUNT_SECRETS, demoAccount } from './demo-account.ts';
import { type Control, openControl } from './fake-control.ts';
import { httpProcess, type LaneProcess, stdioProcess } from './lane-process.ts';
import { openMergedPlatforms } from './merged/merged-platforms.ts';
import { connectStdio } from './upstream.ts';

export interface SandboxOptions {
  /** How long a subject may take to its first answer. */
  patienceMs?: number;
  /** Where the fake and the package live. */
  root: string;
  /** Where the subject's command runs: the root, or a patched copy of it. */
  subjectRoot?: string;
  subject: Subject;
  platforms: readonly string[];
  /** A proxy between subject and fake: takes the fake's address and returns the address for the subject. */
  between?: (fake: string) => Promise<{ url: string; close: () => Promise<void> }>;
}

/** One subject behind one gate configuration and transport. Runs in it go one after the other. */
export interface Lane extends Omit<LaneProcess, 'close'> {
  transport: Transport;
  gates: Gates;
  namespace: string;
  /** `host:port` of the fake platforms. */
  platformsAt: string;
  bridge: Bridge;
  /** The subject asks in its own words, which name no request. */
  ownWords?: boolean;
  /** Values that must never come out of the subject. */
  secrets: Record<string, string>;
}

export interface Sandbox extends AsyncDisposable {
  control: Control;
  /** A private folder that goes away with the sandbox. */
  folder: string;
  openLane: (name: string, transport: Transport, gates: Gates) => Promise<Lane>;
  close: () => Promise<void>;
}

interface SubjectReady {
  url: string;
}

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'tool-router-'));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const fake = await startFake(options.root, options.platforms, ['--port', '0', '--control-port', '0']);
    closers.push(fake.close);
    const control = openControl(fake.ready.control);
    // After the fake, which writes the documents that there are none of yet.
    const cwd = (await installSubject(options.subject, options.root)) ?? options.subjectRoot ?? options.root;
    await prepareSubject(options.subject, cwd);
    const between = await options.between?.(fake.ready.api);
    if (between !== undefined) closers.push(between.close);
    const api = between?.url ?? fake.ready.api;
    return {
      control,
      folder,
      close,
      [Symbol.asyncDispose]: close,
      openLane: (name, transport, gates) =>
        openLane({ options, folder, cwd, fake, api, control, closers }, name, transport, gates),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The fake platform process; also what `npm run router` puts behind the router. */
export function startFake(
  root: string,
  platforms: readonly string[],
  ports: string[],
  signal?: AbortSignal,
): Promise<Child<FakeReady>> {
  return startChild<FakeReady>({
    name: 'fake platform',
    command: ['node', 'fake-api/main.ts', '--platforms', platforms.join(','), ...ports, '--json'],
    cwd: root,
    env: baseEnvironment(),
    signal,
  });
}

interface World {
  options: SandboxOptions;
  folder: string;
  /** Where the subject's command runs. */
  cwd: string;
  fake: Child<FakeReady>;
  /** Where the subject finds the platforms. */
  api: string;
  control: Control;
  closers: (() => Promise<void>)[];
}

async function openLane(platforms: World, name: string, transport: Transport, gates: Gates): Promise<Lane> {
  const { options, folder, cwd, fake, api, control, closers } = platforms;
  const { subject } = options;
  const namespace = name.replaceAll(/[^a-z0-9-]/g, '-');
  await control.reset(namespace, {});
  const home = join(folder, namespace);
  await mkdir(home, { mode: 0o700 });
  const accounts = Object.fromEntries(
    options.platforms.map((platform) => [platform, demoAccount(`${api}/ns/${namespace}/${platform}`)]),
  );
  const credentials = await writeCredentials(home, accounts);
  const bearer = randomBytes(32).toString('hex');
  const env = {
    ...baseEnvironment(),
    HOME: home,
    CREDS_PATH: credentials,
    TOKEN_CACHE_DIR: join(home, 'tokens'),
    ...subject.env,
    ...(options.platforms.length === 1 ? subject.one_platform_env?.[options.platforms[0] ?? ''] : {}),
    ...subject.transport_env[transport],
    ...subject.gate_env[gates],
    ...(transport === 'http' ? { MCP_HTTP_BEARER_TOKEN: bearer } : {}),
  };
  const bridge = await openBridge();
  closers.push(bridge.close);
  const command = await commandFor(platforms, namespace, home);
  const patienceMs = options.patienceMs;
  const label = `${subject.name} (${transport}, gates ${gates})`;
  const platformsAt = new URL(fake.ready.api).host;
  const secrets = { bearer, ...ACCOUNT_SECRETS };
  const common = { transport, gates, namespace, platformsAt, bridge, secrets };
  const [file = '', ...args] = command;
  const served =
    transport === 'http'
      ? await httpProcess(() => startChild<SubjectReady>({ name: label, command, cwd, env }), bearer)
      : await stdioProcess(() =>
          connectStdio({
            name: label,
            file: file === 'node' ? process.execPath : file,
            args,
            cwd,
            env,
            patienceMs,
          }),
        );
  closers.push(served.close);
  return {
    ...common,
    connect: served.connect,
    disconnect: served.disconnect,
    assertAlive: () => {
      fake.assertAlive();
      served.assertAlive();
    },
  };
}

/** With the merged world behind it, where the subject asks for that. */
async function commandFor({ options, api, closers, cwd }: World, namespace: string, folder: string): Promise<string[]> {
  const { root, platforms, subject } = options;
  if (subject.world === undefined) return subject.command;
  const target = `${api}/ns/${namespace}`;
  const world = await openMergedPlatforms({ root, platforms, target, account: demoAccount(target), folder });
  closers.push(world.close);
  const lane = await prepareLane(subject, cwd, world.fill);
  closers.push(lane.close);
  return lane.command;
}

/** Identity and secret of each account, for the owner's eyes only. */
export async function writeCredentials(folder: string, accounts: Record<string, object>): Promise<string> {
  const file = join(folder, 'credentials.yaml');
  await writeFile(file, stringify(accounts), { mode: 0o600 });
  return file;
}
