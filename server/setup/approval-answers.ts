/** Who approves writes where the client of an agent cannot ask a person: the answers, the settings they become, the first operator. */
import { join } from 'node:path';
import { Operators } from '../approvals/operators.ts';
import type { ApprovalSettings } from '../config/approval-settings.ts';
import type { EnvValues } from '../config/env-template.ts';
import { Environment } from '../config/environment.ts';
import { RouterError } from '../errors.ts';

export interface ApprovalAnswers {
  /** `client`: nobody but the person at the client. */
  approvals: ApprovalSettings['mode'];
  /** Port of the console on this machine. */
  consolePort: number;
  /** To be added, where there is none of this name. */
  operator: { name: string; password: string } | undefined;
}

export const APPROVERS: readonly ApprovalSettings['mode'][] = ['client', 'operator', 'two-for-destructive'];
const DEFAULT_CONSOLE_PORT = 8030;
/** Of the console inside a container; the proxy of the profile `console` in compose.yaml knows it. */
export const CONTAINER_CONSOLE_PORT = 8030;
const CONTAINER_OPERATORS = '/app/state/operators.json';

/** What an earlier setup, or somebody by hand, put into `.env`. In a container the overlay has the published port. */
export function earlierApprovals(env: Record<string, string | undefined>, published?: string): ApprovalAnswers {
  const mode = APPROVERS.find((name) => name === env['SVC_MCP_APPROVALS']) ?? 'client';
  const port = Number(published ?? env['SVC_MCP_CONSOLE_PORT']);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return {
    approvals: mode === 'client' && isPort ? 'operator' : mode,
    consolePort: isPort ? port : DEFAULT_CONSOLE_PORT,
    operator: undefined,
  };
}

/** Lines of `.env`. Who approved what should be known later, so the audit log is on where nobody decided about it. */
export function approvalValues(
  { approvals, consolePort, docker }: ApprovalAnswers & { docker: boolean },
  known: Record<string, string | undefined>,
): EnvValues {
  const isSet = (name: string) => known[name] !== undefined && known[name] !== '';
  if (approvals === 'client') {
    const before = ['SVC_MCP_APPROVALS', 'SVC_MCP_CONSOLE_PORT'].filter(isSet);
    return Object.fromEntries(before.map((name) => [name, name === 'SVC_MCP_APPROVALS' ? 'client' : 'off']));
  }
  return {
    SVC_MCP_APPROVALS: approvals,
    ...(docker ? {} : { SVC_MCP_CONSOLE_PORT: String(consolePort) }),
    ...(isSet('SVC_MCP_AUDIT_LOG') ? {} : { SVC_MCP_AUDIT_LOG: '1' }),
  };
}

/** Variables of the router's container: the console behind the proxy of compose.yaml, which ends TLS. */
export function containerApprovals({ approvals, consolePort }: ApprovalAnswers): Record<string, string> {
  if (approvals === 'client') return {};
  const fromEnv = (name: string, otherwise: string) => `\${${name}:-${otherwise}}`;
  return {
    SVC_MCP_APPROVALS: fromEnv('SVC_MCP_APPROVALS', approvals),
    SVC_MCP_AUDIT_LOG: fromEnv('SVC_MCP_AUDIT_LOG', '1'),
    SVC_MCP_OPERATORS_PATH: CONTAINER_OPERATORS,
    SVC_MCP_CONSOLE_HOST: '0.0.0.0',
    SVC_MCP_CONSOLE_PORT: String(CONTAINER_CONSOLE_PORT),
    SVC_MCP_CONSOLE_URL: `https://localhost:${consolePort}`,
  };
}

/** Throws USAGE or CONFIG_CONTRADICTION. */
export function checkApprovals(answers: ApprovalAnswers & { docker: boolean; port: number }): void {
  const { approvals, consolePort, operator, docker, port } = answers;
  if (operator !== undefined && approvals === 'client')
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      '--operator contradicts --approvals client: operators approve nothing',
    );
  if (operator !== undefined && docker)
    throw new RouterError(
      'USAGE',
      '--operator is not for --docker: operators of a container are added in it (docs/containers.md)',
    );
  if (approvals !== 'client' && consolePort === port)
    throw new RouterError('USAGE', `--console-port should be another port than --port, got ${port} for both`);
}

/** The operators of the router that runs in this folder. */
export function operatorsOf(env: Record<string, string | undefined>, directory: string): Operators {
  const environment = new Environment(env, directory, { secretFiles: false });
  const path = join(environment.path('SVC_MCP_CONFIG_DIR'), 'operators.json');
  return new Operators(environment.path('SVC_MCP_OPERATORS_PATH', path));
}
