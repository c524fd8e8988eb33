/** A command of ours as a person starts it, with accounts that lead to a fake installation in this process. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startFakeApi } from '#fake-api';
import { type Ended, type RunningProcess, startProcess } from './running-process.ts';

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Asked again and again; once it is true the command is ended as a power cut would. */
  killWhen?: () => Promise<boolean>;
}

export interface CommandTestbed extends AsyncDisposable {
  folder: string;
  /** Arguments and environment of a command. */
  env: Readonly<Record<string, string>>;
  run: (words: readonly string[], options?: RunOptions) => Promise<Ended>;
  control: (method: string, path: string, body?: object) => Promise<unknown>;
  rows: (platform: string, resource: string) => Promise<Record<string, unknown>[]>;
  /** Calls that changed something, or tried to, in their order. */
  writes: () => Promise<{ method: string; path: string; status: number }[]>;
}

export async function commandTestbed(
  file: string,
  platforms: readonly string[],
  fixture: string,
): Promise<CommandTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-command-'));
  const fake = await startFakeApi({ platformIds: platforms });
  const account = (base_url: string | undefined, workspace_id = 'demo-workspace') => ({
    ...(base_url === undefined ? {} : { base_url }),
    client_id: 'demo-client',
    client_secret: 'demo-secret',
    workspace_id,
  });
  mkdirSync(join(folder, 'config'));
  const sections = platforms.map((id) => [id, account(fake.platforms[id])]);
  const target = account(fake.platforms['mgmt'], '7a1d0f52-8a7e-4a57-9d2a-0c5f3f2e9b11');
  const file_ = stringify({ ...Object.fromEntries(sections), target });
  writeFileSync(join(folder, 'config', 'credentials.yaml'), file_, { mode: 0o600 });
  const control: CommandTestbed['control'] = async (method, path, body) => {
    const options = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${fake.control}/namespaces/default${path}`, options);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  await control('POST', '/reset', { fixture });
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    SVC_MCP_TOOLSETS: platforms.join(','),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    SVC_MCP_AUDIT_LOG: join(folder, 'audit.jsonl'),
    SVC_MCP_RATE_PER_SECOND: '0',
    ...Object.fromEntries(platforms.map((id) => [`SVC_MCP_${id.toUpperCase()}_WRITES`, '1'])),
  };
  return {
    folder,
    env: own,
    control,
    run: async (words, { env = {}, stdin = '', killWhen } = {}) => {
      const child = startProcess(process.execPath, [file, '--directory', folder, ...words], {
        cwd: folder,
        env: { ...own, ...env },
        stdin,
      });
      if (killWhen) await killed(child, killWhen);
      return child.ended;
    },
    rows: async (platform, resource) =>
      (
        (await control('GET', `/state?platform=${platform}&resource=${resource}`)) as {
          items: Record<string, unknown>[];
        }
      ).items,
    writes: async () => {
      const { entries } = (await control('GET', '/ledger?after=0')) as {
        entries: { method: string; path: string; status: number; capability: string }[];
      };
      return entries.filter(({ capability }) => capability === 'write' || capability === 'destructive');
    },
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function killed(child: RunningProcess, when: () => Promise<boolean>): Promise<void> {
  while (child.isRunning() && !(await when())) await new Promise((resolve) => setTimeout(resolve, 10));
  child.signal('SIGKILL');
}
