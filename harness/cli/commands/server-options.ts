/** Options by which a command is told of somebody's server. */
import type { Command } from 'commander';
import { got, HarnessError } from '../../harness-errors.ts';
import { oauthClient } from '../../try/oauth-client.ts';
import { DEFAULT_LIMITS, partsOf, type TriedServer } from '../../try/tried-server.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';

export interface ServerOptions {
  command?: string;
  url?: string;
  header: string[];
  env: string[];
  name: string;
  oauthIssuer?: string;
  oauthClient?: string;
  oauthSecretEnv?: string;
  oauthScope?: string;
  startSeconds: number;
  callSeconds: number;
}

export const repeated = (value: string, before: string[]): string[] => [...before, value];
const { startMs, callMs } = DEFAULT_LIMITS;

export function addServerOptions(command: Command): Command {
  return command
    .option('--command <words>', 'starts the server; `try` fills in {{api}}, {{document}} and {{token}}')
    .option('--url <address>', 'its streamable HTTP address; with --command the server that was started')
    .option('--header <name: value>', 'sent with each request; repeatable', repeated, [])
    .option('--env <NAME=value>', 'a variable of the server, with the same placeholders; may be repeated', repeated, [])
    .option(
      '--oauth-issuer <address>',
      'of a server behind OAuth: the authorization server, which alone gets the secret',
    )
    .option('--oauth-client <id>', 'a client of it that may use client credentials')
    .option('--oauth-secret-env <NAME>', 'the variable that holds the secret of that client')
    .option('--oauth-scope <words>', 'scopes to ask for')
    .option('--name <name>', 'its name in the results', 'server')
    .option('--start-seconds <n>', 'how long it may take to initialize', wholeNumber(1, 3_600), startMs / 1_000)
    .option('--call-seconds <n>', 'how long each call may take', wholeNumber(1, 600), callMs / 1_000);
}

/** Throws `USAGE` where no server is named, or one in a form that nothing can be made of. */
export function serverFrom(
  options: ServerOptions,
  { env, signal }: Pick<CommandContext, 'env'> & Partial<Pick<CommandContext, 'signal'>>,
): TriedServer {
  const { command, url, name } = options;
  if (command === undefined && url === undefined)
    throw new HarnessError('USAGE', '--command or --url should name a server, got neither');
  if (url !== undefined) addressOf(url);
  return {
    name,
    ...(command === undefined ? {} : { command: partsOf(command) }),
    ...(url === undefined ? {} : { url }),
    headers: headersOf(options.header),
    env: pairs(options.env, '=', '--env', 'NAME=value'),
    ...oauthFrom(options, env),
    cwd: env['INIT_CWD'] ?? process.cwd(),
    limits: { startMs: options.startSeconds * 1_000, callMs: options.callSeconds * 1_000 },
    signal,
  };
}

/** What `--url` names. Throws `USAGE` for another form than that of an http or https address. */
export function addressOf(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new HarnessError('USAGE', `--url should be an http or https address, got ${got(url)}`);
}

/** A secret on a command line could be read by every user of the machine, so the variable is named that holds it. */
function oauthFrom(options: ServerOptions, env: CommandContext['env']): Pick<TriedServer, 'oauth'> {
  const { oauthIssuer: issuer, oauthClient: client, oauthSecretEnv: variable, oauthScope: scope, url } = options;
  if (issuer === undefined && client === undefined && variable === undefined) return {};
  if (issuer === undefined || client === undefined || variable === undefined || url === undefined)
    throw new HarnessError(
      'USAGE',
      '--oauth-issuer, --oauth-client and --oauth-secret-env should come together and with --url, got only some of them',
    );
  if (!URL.canParse(issuer)) throw new HarnessError('USAGE', `--oauth-issuer should be an address, got ${got(issuer)}`);
  const secret = env[variable];
  if (secret === undefined || secret === '')
    throw new HarnessError('USAGE', `--oauth-secret-env should name a variable with a secret, got ${got(variable)}`);
  return { oauth: oauthClient({ issuer, client, secret, scope }) };
}

/** Headers of `--header`, each "name: value". Throws `USAGE`. */
export const headersOf = (given: readonly string[]): Record<string, string> =>
  pairs(given, ':', '--header', 'name: value');

/** The value never stands in the message: it may be a credential. */
function pairs(given: readonly string[], mark: string, option: string, form: string): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(mark);
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      throw new HarnessError('USAGE', `${option} should be "${form}", got a text without "${mark}"`);
    }),
  );
}
