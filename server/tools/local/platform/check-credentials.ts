/** check_credentials: is every account complete and well formed? Nothing is sent, and no value of it is shown. */
import { statSync } from 'node:fs';
import { type Account, CredentialsStore } from '../../../config/credentials.ts';
import type { PlatformDefinition } from '../../../config/platform-file.ts';
import { type Static, Type } from '../../../config/schema.ts';
import { withoutLocalPaths } from '../../../dispatch/local-paths.ts';
import { RouterError } from '../../../errors.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    platform: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'Only this one; default all that are loaded' }),
    ),
  },
  { additionalProperties: false },
);

interface Check {
  platform: string;
  section: string;
  ready: boolean;
  /** Faults that make every call fail. */
  problem?: { code: string; message: string };
  warnings: string[];
}

export default {
  name: 'check_credentials',
  backend: 'workspace-core',
  toolset: 'workspace-core',
  capability: 'read',
  line: 'Check the credentials configuration of the workspace and every other loaded platform, without calling any.',
  more: 'Names the missing or malformed setting and the variable that sets it; whether a platform accepts the account only a call can tell.',
  input: Input,
  search: {
    aliases: ['credential preflight', 'are the credentials set up', 'validate API client configuration'],
    questions: [],
  },
  open: ({ config }) => {
    const store = new CredentialsStore(config.credentialsPath, config.credentialOverrides);
    return ({ platform }: Static<typeof Input>) => {
      const asked = config.platforms.filter(({ id }) => platform === undefined || id === platform);
      if (asked.length === 0 && platform !== undefined)
        throw new RouterError('PLATFORM_NOT_CONFIGURED', `${platform} is not loaded here`);
      const state = store.state();
      const checks = asked.map((known) => checkAccount(store, known));
      return {
        ready: checks.every(({ ready }) => ready),
        file: { named_by: 'CREDS_PATH', exists: state.exists, loadable: state.loadable, ...fileWarning(state.path) },
        accounts: checks,
        api_calls_made: 0,
      };
    };
  },
} satisfies LocalTool<Static<typeof Input>>;

function checkAccount(store: CredentialsStore, platform: PlatformDefinition): Check {
  const { id, auth } = platform;
  try {
    const warnings = warningsOf(store.account(platform));
    return { platform: id, section: auth.section, ready: true, warnings };
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    const problem = { code: error.code, message: withoutLocalPaths(error.message) };
    return { platform: id, section: auth.section, ready: false, problem, warnings: [] };
  }
}

const PLACEHOLDER = /^(<.*>|\{.*\}|x{3,}|\*{3,}|change[-_ ]?me|your[-_ ].*|todo|example|placeholder)$/i;

/** Values that are well-formed and probably unintended. It names fields, never values. */
function warningsOf(account: Account): string[] {
  const { section, baseUrl, tokenUrl, clientId, clientSecret } = account;
  const fields = ['clientId', 'clientSecret', 'apiToken', 'username', 'password', 'workspaceId'] as const;
  const placeholders = fields.filter((field) => PLACEHOLDER.test(account[field] ?? ''));
  const open = [baseUrl, tokenUrl].filter((url) => url?.startsWith('http:') && !isLoopback(url));
  return [
    ...placeholders.map((field) => `${section}: ${field} looks like a placeholder`),
    ...(open.length > 0 ? [`${section}: an address without TLS carries secrets in the clear`] : []),
    ...(clientSecret !== '' && clientId === clientSecret ? [`${section}: clientId and clientSecret are the same`] : []),
  ];
}

const isLoopback = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

function fileWarning(path: string): { warning?: string } {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const shared = mode !== undefined && (mode & 0o077) !== 0;
  return shared ? { warning: `others may read it: its mode is ${(mode & 0o777).toString(8)}, and should be 600` } : {};
}
