/**
 * A person at a terminal as a caller of the router: reads and writes go through dispatch like any other call, with gates, plan
 * tokens, audit and budget. Every request that writes is one that the person approved, in a list or by itself.
 */
import { decideFor } from '../access/access-policy.ts';
import { type Config, loadConfig, TARGET_ACCOUNT } from '../config/config.ts';
import type { Account, CredentialsStore } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import type { AskedList } from '../dispatch/list-question.ts';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import type { ToolCall } from '../migration/adapters/adapter.ts';
import { faultsBy } from '../migration/call-faults.ts';
import { dispatchPort, writeCall } from '../migration/dispatch-port.ts';
import { lastingBy } from '../migration/lasting-fields.ts';
import type { TargetPort } from '../migration/target-port.ts';
import { openServedCatalog } from '../served-catalog.ts';
import { quoted } from '../telemetry/invisible.ts';
import { createLogger } from '../telemetry/logger.ts';
import { TerminalApprover } from './terminal-approver.ts';

export interface OperatorOptions {
  env: NodeJS.ProcessEnv;
  directory: string;
  /** Credentials file in place of the configured one. */
  credentials?: string | undefined;
  logLevel?: string | undefined;
  /** The person wants no question: what is sent is printed. */
  yes: boolean;
}

/** A write that is known before it is made, and the port it goes through. */
export interface PlannedWrite {
  port: TargetPort;
  call: ToolCall;
  /** What the target has at the place of each write, if known. */
  found?: string;
  /** JSON pointers to the secrets in its body; they are masked in the question. */
  secretsAt?: readonly string[];
}

export interface Operator extends Disposable {
  /** The configured accounts. `secrets` are masked in whatever a platform answers. */
  port: (secrets?: readonly string[]) => TargetPort;
  /** The same platforms as the account that devices move to. */
  targetPort: () => TargetPort;
  /** The workspace of that account. */
  targetWorkspace: () => string;
  /** State that must survive a restart is here. */
  stateDir: string;
  /** Shows all these writes and asks for one yes; what would be refused is left to its own call. */
  approve: (writes: readonly PlannedWrite[], about: string) => Promise<boolean>;
  /** May this platform be written to at all? */
  isOpen: (platform: string) => boolean;
}

/** Nobody calls this process over HTTP: what the settings of a router say about its callers would refuse the start. */
const WITHOUT_HTTP = {
  MCP_TRANSPORT: 'stdio',
  MCP_HTTP_BEARER_TOKEN: '',
  MCP_HTTP_BEARER_TOKEN_FILE: '',
  SVC_MCP_PRINCIPALS_PATH: '',
  SVC_MCP_OAUTH_ISSUER: '',
  SVC_MCP_OAUTH_RESOURCE: '',
  SVC_MCP_OAUTH_AUDIENCE: '',
  SVC_MCP_OAUTH_JWKS_URL: '',
};

export async function openOperator(options: OperatorOptions): Promise<Operator> {
  const { env, directory, credentials, logLevel = 'warn' } = options;
  const own = { SVC_MCP_LOG_LEVEL: logLevel, ...(credentials === undefined ? {} : { CREDS_PATH: credentials }) };
  const config = loadConfig({
    env: { ...env, ...own, ...WITHOUT_HTTP },
    cwd: directory,
  });
  const logger = createLogger(config.logLevel);
  const { catalog } = await openServedCatalog(config, logger);
  const opened = openDispatch(config, catalog, logger);
  await opened.ready();
  let target: ReturnType<typeof openDispatch> | undefined;
  const approver = new TerminalApprover(options.yes);
  const faultOf = faultsBy(catalog);
  const lastingOf = lastingBy(catalog);
  const dispatches = new Map<TargetPort, Dispatches>();
  const portOf = (dispatch: Dispatches, secrets: readonly string[]): TargetPort => {
    const port = dispatchPort(
      { call: CALLER, invoke: (call) => dispatch.invoke(call) },
      { secrets, approver: approver, faultOf, lastingOf },
    );
    dispatches.set(port, dispatch);
    return port;
  };
  return {
    port: (secrets = []) => {
      logger.secrets.learn(...secrets);
      return portOf(opened.dispatch, secrets);
    },
    targetPort: () => {
      target ??= openDispatch(asTarget(config, opened.credentials), catalog, logger);
      return portOf(target.dispatch, []);
    },
    approve: async (writes, about) => {
      const requests = writes.flatMap(({ port, call, found, secretsAt = [] }) => {
        const request = dispatches.get(port)?.plannedRequestOf(writeCall({ call: CALLER }, call));
        const notes = found === undefined ? [] : [`At the target: ${quoted(found)}`];
        return request === undefined || 'kind' in request ? [] : [{ ...request, secretsAt, notes }];
      });
      if (requests.length === 0) return true;
      const isAsked = !options.yes;
      const answer: AskedList['answer'] = ({ question, single }) => approver.approve(question, single);
      return opened.dispatch.askAboutList({ requests, about, caller: CALLER, isAsked, answer });
    },
    targetWorkspace: () => targetAccount(config, opened.credentials).workspaceId ?? '',
    stateDir: config.stateDir,
    isOpen: (platform) => decideFor(config, platform, 'write').allowed,
    [Symbol.dispose]: () => {
      opened.close();
      target?.close();
      catalog.close();
    },
  };
}

type Dispatches = ReturnType<typeof openDispatch>['dispatch'];

/** The operator at a terminal: every gate of the settings, and no principal's limits. */
const CALLER = { principal: 'local', access: {} };

function targetAccount({ known }: Config, credentials: CredentialsStore): Account {
  const mgmt = known.find(({ id }) => id === 'mgmt') as PlatformDefinition;
  return credentials.account({ ...mgmt, auth: { ...mgmt.auth, ...TARGET_ACCOUNT } });
}

/** Its management cloud is its own; the workspace platform is the same one, entered by another client for another workspace. */
function asTarget(config: Config, credentials: CredentialsStore): Config {
  const account = targetAccount(config, credentials);
  const own = {
    client_id: account.clientId,
    client_secret: account.clientSecret,
    workspace_id: account.workspaceId ?? '',
  };
  const { mgmt: _, workspace, ...others } = config.credentialOverrides;
  return {
    ...config,
    credentialOverrides: {
      ...others,
      mgmt: { base_url: account.baseUrl, ...own },
      workspace: { ...workspace, ...own },
    },
  };
}
