/**
 * `svc-mcp-principal`: adds, lists, rotates and removes the principals of routers. A bearer is shown once and kept nowhere; a running
 * router takes each change with its next request. Started by `principal.mjs`.
 */
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { type Narrowed, PrincipalsEditor } from '../principals/principals-editor.ts';
import { runCommand } from './run-command.ts';

interface Place {
  directory: string;
  json?: boolean;
}
interface Added extends Place {
  profile?: NonNullable<Narrowed['profile']>;
  platforms?: string[];
  capabilities?: NonNullable<Narrowed['capabilities']>;
  gates?: string[];
  approve: boolean;
  metrics?: boolean;
  claim?: NonNullable<Narrowed['oauth']>;
  share?: number;
  maxInFlight?: number;
  maxSessions?: number;
  maxPendingApprovals?: number;
  maxWritesPerHour?: number;
}

const print = ({ json }: Place, value: object, text: string): void =>
  void process.stdout.write(json === true ? `${JSON.stringify({ ok: true, ...value })}\n` : `${text}\n`);

/** The file of the setting, or the one that the setting should name. */
function editorOf({ directory }: Place): { editor: PrincipalsEditor; note: string } {
  const config = loadConfig({ env: process.env, cwd: resolve(directory) });
  const path = config.principalsPath ?? join(config.configDir, 'principals.yaml');
  const note =
    config.principalsPath === undefined ? `\nNo router reads it yet: set SVC_MCP_PRINCIPALS_PATH=${path}` : '';
  return { editor: new PrincipalsEditor(path, config), note };
}

/** NAME=VALUE; the value may hold further signs of equality. */
function claimOf(text: string): NonNullable<Narrowed['oauth']> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It should be NAME=VALUE, such as sub=agent-7.');
  return { claim: text.slice(0, at), value: text.slice(at + 1) };
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It should be a whole number from 1 on.');
  return Number(text);
}

/** What of it was said, under the names of the file. */
function narrowedBy({ approve, metrics, claim, ...said }: Added): Narrowed {
  const narrowed = {
    oauth: claim,
    profile: said.profile,
    platforms: said.platforms,
    capabilities: said.capabilities,
    gates: said.gates,
    share: said.share,
    max_in_flight: said.maxInFlight,
    max_sessions: said.maxSessions,
    max_pending_approvals: said.maxPendingApprovals,
    max_writes_per_hour: said.maxWritesPerHour,
    may_approve: approve ? undefined : false,
    metrics,
  };
  return Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined));
}

const program = new Command('svc-mcp-principal')
  .description('Say who may call a router over HTTP, each with a bearer and a part of its settings.')
  .version(version);

const placed = (name: string, about: string): Command =>
  program
    .command(name)
    .description(about)
    .option('--directory <path>', 'the folder with the .env of the routers', '.')
    .option('--json', 'print one JSON object');

placed('add', 'add a principal and print its bearer, once')
  .argument('<name>')
  .option('--profile <profile>', 'no wider than SVC_MCP_ACCESS_PROFILE')
  .option('--platforms <id...>', 'only these platforms and toolsets')
  .option('--capabilities <capability...>', 'only these of read, diagnostic, write, destructive')
  .option('--gates <variable...>', 'only these of the gates that are open')
  .option('--no-approve', 'the person at its client approves nothing; only an operator does')
  .option('--metrics', 'may read /metrics')
  .option('--claim <name=value>', 'proven by this claim of an access token instead of a bearer (OAuth)', claimOf)
  .option('--share <n>', 'weight among the principals that wait for a rate budget, 1 to 100', wholeNumber)
  .option('--max-in-flight <n>', 'calls at a time', wholeNumber)
  .option('--max-sessions <n>', 'sessions at a time', wholeNumber)
  .option('--max-pending-approvals <n>', 'questions that wait for an operator at a time', wholeNumber)
  .option('--max-writes-per-hour <n>', 'writes to one platform in a clock hour', wholeNumber)
  .action((name: string, options: Added) => {
    const { editor, note } = editorOf(options);
    const { oauth, ...narrowed } = narrowedBy(options);
    if (oauth !== undefined) {
      editor.addProven(name, { ...narrowed, oauth });
      return print(options, { principal: name }, `${name} is whoever has the claim ${oauth.claim}${note}`);
    }
    const bearer = editor.add(name, narrowed);
    print(options, { principal: name, bearer }, `${bearer}\n${name} has this bearer; it is shown only now${note}`);
  });

placed('list', 'the principals and what each may use').action((options: Place) => {
  const principals = editorOf(options).editor.list();
  const lines = principals.map(
    ({ name, bearers, ...narrowed }) => `${name}  bearers ${bearers}  ${JSON.stringify(narrowed)}`,
  );
  print(options, { principals }, lines.join('\n') || 'there is no principal yet');
});

placed('rotate', 'give a principal another bearer and print it, once; the one before ends at once')
  .argument('<name>')
  .option('--keep', 'the one before stays valid until the next rotation')
  .action((name: string, options: Place & { keep?: boolean }) => {
    const { editor, note } = editorOf(options);
    const bearer = editor.rotate(name, options.keep === true);
    print(options, { principal: name, bearer }, `${bearer}\n${name} has this bearer; it is shown only now${note}`);
  });

placed('remove', 'remove a principal; its bearers end at once')
  .argument('<name>')
  .action((name: string, options: Place) => {
    editorOf(options).editor.remove(name);
    print(options, { principal: name }, `${name} is no principal any more`);
  });

await runCommand(program);
