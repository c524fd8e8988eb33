/**
 * `svc-mcp-approvals`: what waits for an operator, and the answers, in a terminal. It uses the service of the console, and
 * whoever looks or answers signs in as an operator. Started by `approvals.mjs`.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { ANSWER_PROBLEMS } from '../approvals/answer-problems.ts';
import { type Approval, objectInList, stateOf, type Verdict } from '../approvals/approval.ts';
import type { ApprovalService } from '../approvals/approval-service.ts';
import { type Operator, Operators } from '../approvals/operators.ts';
import { SignIn } from '../approvals/sign-in.ts';
import type { SwitchState } from '../approvals/write-switch.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { mustBePrivateKeyFile } from '../config/private-path.ts';
import { partsText } from '../dispatch/exact-request.ts';
import { type OperatorSide, openOperatorSide } from '../dispatch/open-approvals.ts';
import { RouterError } from '../errors.ts';
import { agentBearers } from '../principals/agent-bearers.ts';
import { escapeInvisible, quoted, shownName } from '../telemetry/invisible.ts';
import { createLogger } from '../telemetry/logger.ts';
import { readPassword } from './operator-password.ts';
import { runCommand } from './run-command.ts';

interface Place {
  directory: string;
  json?: boolean;
}
interface Credential extends Place {
  operator: string;
  passwordFile?: string;
}
interface Answer extends Credential {
  digest: string;
  reason?: string;
  object?: string[];
}

const configOf = ({ directory }: Place): Config => loadConfig({ env: process.env, cwd: resolve(directory) });

const print = ({ json }: Place, value: object, text: string): void =>
  void process.stdout.write(json === true ? `${escapeInvisible(JSON.stringify(value))}\n` : `${text}\n`);

/** Runs with everything open and an operator who signed in; whatever happens, it is closed again. */
async function asOperator(
  options: Credential,
  work: (side: OperatorSide, operator: Operator) => Promise<void>,
): Promise<void> {
  const config = configOf(options);
  const side = openOperatorSide(config, createLogger(config.logLevel));
  try {
    await side.ready();
    const signIn = new SignIn({
      operators: new Operators(config.approvals.operatorsPath),
      isBearer: agentBearers(config),
      record: (line) => side.audit?.record(line),
    });
    const signedIn = await signIn.check(options.operator, await passwordOf(options), 'terminal');
    if (!signedIn.ok) throw new RouterError('OPERATOR_REFUSED', 'the name or the password of the operator is wrong');
    await work(side, signedIn.operator);
  } finally {
    await side.close();
  }
}

async function passwordOf({ operator, passwordFile }: Credential): Promise<string> {
  if (passwordFile !== undefined) mustBePrivateKeyFile(passwordFile);
  return readPassword(`Password of ${operator}`, passwordFile);
}

function serviceOf({ service }: OperatorSide): ApprovalService {
  if (service) return service;
  throw new RouterError('CONFIG_INVALID', 'SVC_MCP_APPROVALS should be operator or two-for-destructive, got client', {
    remedy: 'set SVC_MCP_APPROVALS=operator for the routers and for this command',
  });
}

const shown = (approval: Approval): object => {
  const { requests, decisions, ...rest } = approval;
  const given = decisions.map(({ stamp, ...decision }) => decision);
  return { ...rest, state: stateOf(approval, Date.now()), decisions: given, requests };
};

function lineOf(approval: Approval): string {
  const { id, tool, requests, askedAt, principal, destructive } = approval;
  // What ended keeps no requests.
  const count = requests.length > 1 ? ` ${requests.length} requests` : '';
  const mark = destructive ? ' (destructive)' : '';
  const object = objectInList(approval);
  return `${id}  ${stateOf(approval, Date.now())}  ${tool}${mark}${object && `  ${object}`}${count}  asked ${new Date(askedAt).toISOString()} by ${shownName(principal)}`;
}

function wholeOf(approval: Approval): string {
  const { about, digest, expiresAt, decisions, needed, requests } = approval;
  return [
    lineOf(approval),
    `Digest: ${digest}`,
    `Until: ${new Date(expiresAt).toISOString()}; operators needed: ${needed}`,
    // Quoted, so that no line of a reason looks like a part of the request.
    ...decisions.map(
      ({ operator, verdict, where, reason }) =>
        `${operator}: ${verdict} (${where})${reason === '' ? '' : ` ${quoted(reason)}`}`,
    ),
    ...(about === '' ? [] : [about]),
    ...(requests.length === 0 ? ['The requests are no longer kept; the audit log has their digest.'] : []),
    ...requests.map((request, i) => `\n== Request ${i + 1} of ${requests.length} ==\n${partsText(request)}`),
  ].join('\n');
}

async function answer(verdict: Verdict, id: string, options: Answer): Promise<void> {
  await asOperator(options, async (side, operator) => {
    const answered = await serviceOf(side).answer(id, {
      operator,
      verdict,
      where: 'terminal',
      reason: options.reason ?? '',
      digest: options.digest,
      objects: options.object ?? [],
    });
    if (!answered.ok) {
      const { what, todo } = ANSWER_PROBLEMS[answered.problem];
      throw new RouterError('ANSWER_REFUSED', what, { remedy: todo, details: { problem: answered.problem } });
    }
    print(options, { ok: true, approval: shown(answered.approval) }, lineOf(answered.approval));
  });
}

async function turnSwitch(writes: SwitchState['writes'], options: Credential & { reason?: string }): Promise<void> {
  await asOperator(options, async (side, { name }) => {
    const state = await side.writes.change({ writes, by: name, where: 'terminal', reason: options.reason ?? '' });
    print(options, { ok: true, writes: state }, `writes are ${writes} for every router of this state`);
  });
}

function issuerOf(console: Config['approvals']['console']): string {
  if (console?.oidc) return console.oidc.issuer;
  throw new RouterError('USAGE', '--oidc-subject needs SVC_MCP_CONSOLE_OIDC_ISSUER, got none');
}

const program = new Command('svc-mcp-approvals')
  .description('Answer what agents ask of operators, and stop or resume all writes, with the settings of the routers.')
  .version(version);

const placed = (name: string, about: string): Command =>
  program
    .command(name)
    .description(about)
    .option('--directory <path>', 'the folder with the .env of the routers', '.')
    .option('--json', 'print one JSON object');

const signedIn = (name: string, about: string): Command =>
  placed(name, about)
    .requiredOption('--operator <name>', 'who you are')
    .option('--password-file <path>', 'private file with your password; default: asked, or the first line of stdin');

signedIn('list', 'what waits for an operator')
  .option('--all', 'also what was answered, used or expired within the last hour')
  .action((options: Credential & { all?: boolean }) =>
    asOperator(options, async (side) => {
      const service = serviceOf(side);
      const found = options.all === true ? await service.list() : await service.pending();
      const lines = found.length === 0 ? ['nothing waits'] : found.map(lineOf);
      print(options, { ok: true, approvals: found.map(shown) }, lines.join('\n'));
    }),
  );

signedIn('show', 'the whole requests of one approval, as they will be sent')
  .argument('<id>')
  .action((id: string, options: Credential) =>
    asOperator(options, async (side) => {
      const approval = await serviceOf(side).read(id);
      if (!approval)
        throw new RouterError('ANSWER_REFUSED', ANSWER_PROBLEMS.gone.what, { remedy: ANSWER_PROBLEMS.gone.todo });
      print(options, { ok: true, approval: shown(approval) }, wholeOf(approval));
    }),
  );

for (const verdict of ['approve', 'decline'] as const)
  signedIn(verdict, verdict === 'approve' ? 'send exactly what `show` showed' : 'send nothing of it')
    .argument('<id>')
    .requiredOption('--digest <digest>', 'the digest that `show` showed with the requests')
    .option('--reason <text>', 'kept in the audit log; the agent sees the reason of a decline')
    .option('--object <name...>', 'the name of each object that is destroyed, in the order of the requests')
    .action((id: string, options: Answer) => answer(verdict, id, options));

signedIn('stop-writes', 'stop every write of every router of this state, at once')
  .option('--reason <text>', 'kept in the audit log')
  .action((options: Credential & { reason?: string }) => turnSwitch('stopped', options));
signedIn('resume-writes', 'let writes pass their gates and approvals again')
  .option('--reason <text>', 'kept in the audit log')
  .action((options: Credential & { reason?: string }) => turnSwitch('allowed', options));

placed('operators', 'the names of the operators').action((options: Place) => {
  const names = new Operators(configOf(options).approvals.operatorsPath).names();
  print(options, { ok: true, operators: names }, names.length === 0 ? 'there is no operator yet' : names.join('\n'));
});
placed('operator-add', 'add an operator, or give one another password')
  .argument('<name>')
  .option('--password-file <path>', 'private file with the password; default: asked, or the first line of stdin')
  .option(
    '--agent <principal...>',
    'principals of this operator’s own agents, whose requests another one has to approve',
  )
  .option('--oidc-subject <sub>', 'no password: signs in to the console at SVC_MCP_CONSOLE_OIDC_ISSUER as this subject')
  .action(async (name: string, options: Place & { passwordFile?: string; agent?: string[]; oidcSubject?: string }) => {
    const { operatorsPath, console } = configOf(options).approvals;
    const operators = new Operators(operatorsPath);
    const { oidcSubject: subject, agent } = options;
    if (subject === undefined) await operators.add(name, await passwordOf({ ...options, operator: name }), agent);
    else operators.addIdentity(name, { issuer: issuerOf(console), subject }, agent);
    print(options, { ok: true, operator: name }, `${name} is an operator`);
  });
placed(
  'operator-remove',
  'remove an operator; sessions of the console end at once, and a yes that was not used counts no more',
)
  .argument('<name>')
  .action((name: string, options: Place) => {
    if (!new Operators(configOf(options).approvals.operatorsPath).remove(name))
      throw new RouterError('USAGE', `there is no operator ${name.slice(0, 64)}`);
    print(options, { ok: true, operator: name }, `${name} is no operator any more`);
  });

await runCommand(program);
