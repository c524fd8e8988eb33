/**
 * Every answer as a flag. The program does not ask for what a flag gives. A secret comes from a file, because other
 * users can see arguments.
 */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { operatorProblem } from '../approvals/operators.ts';
import { platformList } from '../config/environment.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import { RouterError } from '../errors.ts';
import { type AccountValues, type Answers, accountsOf, fieldsOf, MODES, PROFILES, setValue } from './answers.ts';
import { APPROVERS } from './approval-answers.ts';
import { hostProblem } from './ask.ts';
import { addressOf, addressProblem } from './binding-answers.ts';
import { portProblem, urlProblem } from './prompts.ts';

export interface Flags {
  directory: string;
  docker?: boolean;
  yes?: boolean;
  force?: boolean;
  toolsets?: string;
  products?: string;
  accessProfile?: Answers['profile'];
  productAccess?: Answers['productAccess'];
  writes?: string;
  routerMode?: Answers['mode'];
  port?: string;
  host?: string;
  expose?: string[];
  ragBackend?: Answers['ragBackend'];
  ragImage?: Answers['ragImage'];
  account?: string[];
  secretFile?: string[];
  signIn?: string[];
  approvals?: Answers['approvals'];
  consolePort?: string;
  operator?: string;
  skipInstall?: boolean;
  skipCredentials?: boolean;
  skipCatalog?: boolean;
  skipDoctor?: boolean;
}

const repeated = (value: string, before: string[] = []) => [...before, value];

export function addFlags(program: Command): Command {
  return program
    .option('--directory <path>', 'the folder to set up', '.')
    .option('--docker', 'write the container form: overlay and secrets for compose')
    .option('--yes', 'ask nothing: use flags, the answers of an earlier setup, or defaults')
    .option('--force', 'replace existing secrets and the overlay')
    .option('--toolsets <list>', 'platforms to serve, all or none (SVC_MCP_TOOLSETS)')
    .option('--products <list>', 'optional products, all or none (SVC_MCP_PRODUCTS)')
    .addOption(new Option('--access-profile <profile>', 'what may be changed').choices(PROFILES))
    .addOption(
      new Option('--product-access <access>', 'write gate of the products, under custom').choices([
        'read-only',
        'read-write',
      ]),
    )
    .option('--writes <list>', 'platforms whose write gate is open, under custom')
    .addOption(new Option('--router-mode <mode>', 'how many tools a client sees').choices(MODES))
    .option('--port <n>', 'HTTP port')
    .addOption(
      new Option('--approvals <who>', 'who approves a write where the client cannot ask a person').choices(APPROVERS),
    )
    .option('--console-port <n>', 'port of the console of the operators')
    .option('--operator <name=path>', 'the first operator, with the password in the first line of a file')
    .option('--host <name>', 'name by which others call the router')
    .option('--expose <ip>', 'publish beyond this machine; must be given twice with the same address', repeated)
    .addOption(
      new Option('--rag-backend <name>', 'with --docker: where vectors are kept').choices(['embedded', 'redis']),
    )
    .addOption(new Option('--rag-image <name>', 'with --docker: which image').choices(['small', 'ingestion']))
    .option('--account <section.field=value>', 'a field of an account that is no secret; may be repeated', repeated)
    .option('--secret-file <section.field=path>', 'a secret, from the first line of a file; may be repeated', repeated)
    .option(
      '--sign-in <section[=scopes]>',
      'get the refresh token of an added platform: prints an address to open in a browser; may be repeated',
      repeated,
    )
    .option('--skip-install', 'do not look at the packages')
    .option('--skip-credentials', 'neither ask for accounts nor write them')
    .option('--skip-catalog', 'do not build the catalog')
    .option('--skip-doctor', 'do not run the doctor at the end');
}

/** The answers that flags give, checked one by one. */
export function answersOf(flags: Flags, platforms: readonly PlatformDefinition[]): Partial<Answers> {
  const given: { -readonly [K in keyof Answers]?: Answers[K] } = {};
  if (flags.toolsets !== undefined) given.toolsets = platformList(flags.toolsets);
  if (flags.products !== undefined) given.products = platformList(flags.products);
  if (flags.accessProfile !== undefined) given.profile = flags.accessProfile;
  if (flags.productAccess !== undefined) given.productAccess = flags.productAccess;
  if (flags.writes !== undefined) given.writes = platformList(flags.writes);
  if (flags.routerMode !== undefined) given.mode = flags.routerMode;
  if (flags.port !== undefined) given.port = portOf(flags.port);
  if (flags.host !== undefined) given.hostname = hostOf(flags.host);
  if (flags.expose !== undefined) given.expose = exposureOf(flags.expose);
  if (flags.ragBackend !== undefined) given.ragBackend = flags.ragBackend;
  if (flags.ragImage !== undefined) given.ragImage = flags.ragImage;
  if (flags.account !== undefined) given.accounts = givenAccounts(flags.account, platforms);
  if (flags.secretFile !== undefined) given.secrets = secretsOf(flags.secretFile, platforms);
  return { ...given, ...approvalsIn(flags) };
}

function approvalsIn({ approvals, consolePort, operator }: Flags): Partial<Answers> {
  return {
    ...(approvals === undefined ? {} : { approvals }),
    ...(consolePort === undefined ? {} : { consolePort: portOf(consolePort, '--console-port') }),
    ...(operator === undefined ? {} : { operator: operatorIn(operator) }),
  };
}

const usage = (flag: string, expected: string, got: string) =>
  new RouterError('USAGE', `${flag} should be ${expected}, got ${JSON.stringify(got)}`);

function portOf(text: string, flag = '--port'): number {
  const problem = portProblem(text);
  if (problem !== undefined) throw usage(flag, problem, text);
  return Number(text);
}

function operatorIn(text: string): Answers['operator'] {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) throw usage('--operator', '<name>=<path of a file>', text);
  const password = firstLine(path, '--operator');
  const problem = operatorProblem({ name, password });
  if (problem !== undefined) throw new RouterError('USAGE', `--operator: ${problem}`);
  return { name, password };
}

function hostOf(text: string): string {
  const problem = hostProblem(text);
  if (problem !== undefined) throw usage('--host', problem, text);
  return text;
}

/** Beyond this machine is a decision that a slip of the hand must not make. */
function exposureOf(addresses: readonly string[]): string {
  const [first = '', second] = addresses;
  const problem = addressProblem(first);
  if (problem !== undefined) throw usage('--expose', problem, first);
  if (addresses.length !== 2 || first !== second)
    throw usage('--expose', 'given twice, with the same address', addresses.join(' '));
  return addressOf(first);
}

function givenAccounts(entries: readonly string[], platforms: readonly PlatformDefinition[]): AccountValues {
  const values: AccountValues = {};
  for (const { section, field, value } of entries.map((entry) => split('--account', entry, platforms, false))) {
    const problem = field.endsWith('_url') ? urlProblem(value) : undefined;
    if (problem !== undefined) throw usage(`--account ${section}.${field}`, problem, value);
    setValue(values, section, field, value);
  }
  return values;
}

function secretsOf(entries: readonly string[], platforms: readonly PlatformDefinition[]): AccountValues {
  const values: AccountValues = {};
  for (const { section, field, value: path } of entries.map((entry) => split('--secret-file', entry, platforms, true)))
    setValue(values, section, field, firstLine(path));
  return values;
}

function split(flag: string, entry: string, platforms: readonly PlatformDefinition[], secret: boolean) {
  const [, section = '', field = '', value = ''] = /^([a-z0-9_]+)\.([a-z_]+)=(.+)$/.exec(entry) ?? [];
  const known = platforms.flatMap(accountsOf).flatMap((platform) =>
    fieldsOf(platform)
      .filter((name) => SECRET_FIELDS.includes(name) === secret)
      .map((name) => `${platform.auth.section}.${name}`),
  );
  // Does not repeat the input, because it may contain a secret.
  if (!known.includes(`${section}.${field}`))
    throw new RouterError(
      'USAGE',
      `${flag} should be <section.field>=<${secret ? 'path' : 'value'}> with one of ${[...new Set(known)].join(', ')}, got another form`,
    );
  return { section, field, value };
}

function firstLine(path: string, flag = '--secret-file'): string {
  try {
    const line = readFileSync(path, 'utf8').split(/\r?\n/)[0] ?? '';
    if (line !== '') return line;
  } catch {
    // Refused below, like an empty one.
  }
  throw usage(flag, 'the path of a file with a secret in its first line', path);
}
