/**
 * `svc-mcp-migrate profile`: reads, sets or deletes one network profile of the new generation. Static routes and VRRP interfaces
 * can only be read (specification 4.3): set and delete refuse them before anything is opened.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { RouterError } from '../errors.ts';
import type { ToolCall } from '../migration/adapters/adapter.ts';
import {
  deleteNetworkProfile,
  getNetworkProfile,
  NETWORK_PROFILES,
  type NetworkProfileType,
  setNetworkProfile,
} from '../migration/network-profile.ts';
import { shownName } from '../telemetry/invisible.ts';
import type { Operator } from '../workflows/operator.ts';
import { utf8Text } from '../workflows/text-file.ts';

interface Options {
  directory: string;
  creds?: string;
}

interface WriteOptions extends Options {
  yes?: boolean;
}

export function addProfileCommands(program: Command): void {
  const profile = program
    .command('profile')
    .description(`one network profile of the new generation: ${Object.keys(NETWORK_PROFILES).join(', ')}`);
  const verb = (name: string, about: string) =>
    profile
      .command(name)
      .description(about)
      .argument('<type>', 'as assignments call it')
      .argument('<name>', 'of the profile')
      .option('--creds <file>', 'credentials file')
      .option('--directory <path>', 'the folder with .env and config', '.');
  const yes = ['--yes', 'print the request and write without asking'] as const;
  verb('get', 'print it as JSON; exit code 1 where there is none').action(get);
  verb('set', 'create it, or update it where it exists')
    .requiredOption('--input <file>', 'its fields, a JSON file')
    .option(...yes)
    .action(set);
  verb('delete', 'delete it')
    .option(...yes)
    .action(remove);
}

async function get(type: NetworkProfileType, name: string, options: Options): Promise<void> {
  const call = getNetworkProfile(type, name);
  using operator = await operatorOf(options);
  const answer = await operator.port().read(call);
  if (answer.kind === 'unknown') fail(answer.message);
  else if (answer.kind === 'absent') fail(`${type} ${JSON.stringify(name)} does not exist`);
  else process.stdout.write(`${JSON.stringify(answer.value, null, 2)}\n`);
}

async function set(
  type: NetworkProfileType,
  name: string,
  { input, ...options }: WriteOptions & { input: string },
): Promise<void> {
  const body = bodyIn(input);
  const calls = {
    create: setNetworkProfile('create', type, name, body),
    update: setNetworkProfile('update', type, name, body),
  };
  using operator = await operatorOf(options);
  const before = await operator.port().read(getNetworkProfile(type, name));
  if (before.kind === 'unknown') fail(before.message);
  else await write(operator, before.kind === 'found' ? calls.update : calls.create, `${type} ${shownName(name)}`);
}

async function remove(type: NetworkProfileType, name: string, options: WriteOptions): Promise<void> {
  const call = deleteNetworkProfile(type, name);
  using operator = await operatorOf(options);
  await write(operator, call, `${type} ${shownName(name)}`);
}

/** Loaded for these commands alone: a plan reaches no platform. */
async function operatorOf({ directory, creds, yes }: WriteOptions): Promise<Operator> {
  const { openOperator } = await import('../workflows/operator.ts');
  const credentials = creds === undefined ? undefined : resolve(creds);
  return openOperator({ env: process.env, directory: resolve(directory), credentials, yes: yes === true });
}

async function write(operator: Operator, call: ToolCall, about: string): Promise<void> {
  const port = operator.port();
  if (!(await operator.approve([{ port, call }], about))) {
    fail('nothing was sent');
    return;
  }
  const answer = await port.write(call);
  if (answer.kind !== 'done') fail(`${answer.kind.replaceAll('_', ' ')}: ${answer.message}`);
  else process.stdout.write(`${call.tool} ${about}: done\n`);
}

function bodyIn(file: string): Record<string, unknown> {
  let body: unknown;
  const text = utf8Text(file, '--input');
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new RouterError('USAGE', `--input: ${JSON.stringify(file)} should be a JSON file`, { cause });
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new RouterError('USAGE', `--input: ${JSON.stringify(file)} should hold one object`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
