/** Options by which a command is told of somebody's server. */
import type { Command } from 'commander';
import { got, HarnessError } from '../../harness-errors.ts';
import { DEFAULT_LIMITS, partsOf, type TriedServer } from '../../try/tried-server.ts';
import { wholeNumber } from './options.ts';

export interface ServerOptions {
  command?: string;
  url?: string;
  header: string[];
  env: string[];
  name: string;
  startSeconds: number;
  callSeconds: number;
}

const repeated = (value: string, before: string[]): string[] => [...before, value];
const { startMs, callMs } = DEFAULT_LIMITS;

export function addServerOptions(command: Command): Command {
  return command
    .option('--command <words>', 'starts the server; `try` fills in {{api}}, {{document}} and {{token}}')
    .option('--url <address>', 'its streamable HTTP address; with --command the server that was started')
    .option('--header <name: value>', 'sent with every request; may be repeated', repeated, [])
    .option('--env <NAME=value>', 'a variable of the server, with the same placeholders; may be repeated', repeated, [])
    .option('--name <name>', 'what the server is called in the results', 'server')
    .option('--start-seconds <n>', 'how long the server may take to initialize', wholeNumber(1, 3_600), startMs / 1_000)
    .option('--call-seconds <n>', 'how long each call may take', wholeNumber(1, 600), callMs / 1_000);
}

/** Throws `USAGE` where no server is named, or one in a form that nothing can be made of. */
export function serverFrom(options: ServerOptions, cwd: string): TriedServer {
  const { command, url, name } = options;
  if (command === undefined && url === undefined)
    throw new HarnessError('USAGE', '--command or --url should name a server, got neither');
  if (url !== undefined && (!/^https?:\/\//.test(url) || !URL.canParse(url)))
    throw new HarnessError('USAGE', `--url should be an http or https address, got ${got(url)}`);
  return {
    name,
    ...(command === undefined ? {} : { command: partsOf(command) }),
    ...(url === undefined ? {} : { url }),
    headers: pairs(options.header, ':', '--header', 'name: value'),
    env: pairs(options.env, '=', '--env', 'NAME=value'),
    cwd,
    limits: { startMs: options.startSeconds * 1_000, callMs: options.callSeconds * 1_000 },
  };
}

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
