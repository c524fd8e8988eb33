/**
 * `npm run call`: one call of a tool of any MCP server over HTTP, from a terminal. Where the server asks a person, whoever
 * sits at the terminal reads the question and answers it; where nobody does, the answer is no.
 */
import { createInterface } from 'node:readline/promises';
import { setTimeout as later } from 'node:timers/promises';
import { Command } from 'commander';
import { EXIT, type ExitCode, exitCodeHelp } from '../exit-codes.ts';
import { didYouMean, got, HarnessError, type HarnessErrorCode } from '../harness-errors.ts';
import type { AskedForm } from '../sandbox/approver-form.ts';
import type { CallResult } from '../sandbox/protocol-client.ts';
import type { ApproverAnswer } from '../sandbox/scenario-approver.ts';
import { connectServer, type ServerConnection } from '../try/server-connection.ts';
import { serverFault } from '../try/server-faults.ts';
import { DEFAULT_LIMITS } from '../try/tried-server.ts';
import { surviveClosedOutput } from './closed-output.ts';
import { addressOf, headersOf, repeated } from './commands/server-options.ts';
import { DEMO_URL } from './demo-router.ts';
import { runProgram } from './run-program.ts';

interface CallOptions {
  url: string;
  header: string[];
  apply?: boolean;
}

type Arguments = Record<string, unknown>;

const EXIT_MEANING: Partial<Record<ExitCode, string>> = {
  0: 'the tool answered',
  1: 'its answer is an error, or the change was declined',
  2: 'usage: a bad option, a tool or a server that is not there',
  3: 'the server failed before it answered',
  130: 'interrupted',
};

/** A person reads the whole request before the answer. */
const CALL_MS = 600_000;
/** Of the tools of a server, so many are named. */
const NAMED = 5;
/** Between two looks whether the server is there. */
const LOOK_MS = 2_000;

function argumentsOf(text: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  throw new HarnessError('USAGE', `the arguments should be one JSON object, got ${got(text)}`, {
    remedy: `put the object in single quotes and its names and texts in double ones: '{"query":"list sites"}'`,
  });
}

/** What a server wrote must not steer the terminal: control characters, line breaks and tabs aside, are shown as one sign. */
const forTerminal = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (one) => (/[\n\t]/.test(one) ? one : '\ufffd'));

/** As a person reads it: JSON by lines, and any other text as it is. */
function shown({ content }: CallResult): string {
  const texts = content.map((part) => {
    const { type, text } = part as { type?: string; text?: string };
    return text ?? `(${type ?? 'content'} of another kind)`;
  });
  return forTerminal(texts.map(byLines).join('\n'));
}

function byLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The arguments of the call that applies what was previewed; undefined where the answer is no preview. */
function applying(tool: string, args: Arguments, { content }: CallResult): Arguments | undefined {
  const [first] = content as { text?: string }[];
  let token: unknown;
  try {
    token = (JSON.parse(first?.text ?? '') as { plan_token?: unknown }).plan_token;
  } catch {
    return undefined;
  }
  if (typeof token !== 'string') return undefined;
  const controls = { dry_run: false, confirm: true, plan_token: token };
  // A dispatcher carries the arguments of the operation inside its own.
  const isDispatcher = tool === 'invoke_tool' && typeof args['name'] === 'string';
  return isDispatcher
    ? { ...args, arguments: { ...(args['arguments'] as Arguments), ...controls } }
    : { ...args, ...controls };
}

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Each field of the form is asked for by itself; the first no ends the question, and so does Ctrl-C, which aborts `interrupt`. */
export async function askAtTerminal(
  message: string,
  { properties = {} }: AskedForm,
  interrupt: AbortController,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<ApproverAnswer> {
  if (!input.isTTY) {
    process.stderr.write('The server asks a person, and nobody is at a terminal: declined.\n');
    return { action: 'decline' };
  }
  output.write(`\n${forTerminal(message)}\n\n`);
  const lines = createInterface({ input, output });
  lines.on('SIGINT', () => interrupt.abort());
  try {
    const content: Record<string, string | boolean> = {};
    for (const [name, { type, title, description }] of Object.entries(properties)) {
      const label = forTerminal(title ?? description ?? name);
      const asked = type === 'boolean' ? `${label} (yes or no): ` : `${label}: `;
      const typed = (await lines.question(asked, { signal: interrupt.signal })).trim();
      if (type === 'boolean' && !/^y(es)?$/i.test(typed)) return { action: 'decline' };
      content[name] = type === 'boolean' ? true : typed;
    }
    return { action: 'accept', content };
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    return { action: 'decline' };
  } finally {
    lines.close();
  }
}

/** The codes that a client gives to a closed connection and to an answer that did not come; every other one is an answer of the server. */
const isOfConnection = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code !== 'number' || code === -32_000 || code === -32_001;
};

/** An error of the protocol is the answer of a tool that failed. Throws `USAGE` for a tool that the server neither lists nor takes, and a `SERVER_…` code where the call itself failed. */
async function callTool({ upstream, tools }: ServerConnection, tool: string, args: Arguments): Promise<CallResult> {
  try {
    return await upstream.callTool(tool, args);
  } catch (error) {
    const names = tools.map(({ name }) => name);
    const said = (error as Error).message.replace(/^MCP error -?\d+: /, '');
    if (names.includes(tool)) {
      if (isOfConnection(error)) throw serverFault(error, `while it was asked to call ${tool}`);
      return { isError: true, content: [{ type: 'text', text: said }] };
    }
    throw new HarnessError('USAGE', `the server should have the tool, got ${got(tool)}${didYouMean(tool, names)}`, {
      cause: error,
      remedy: `call one of ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' …' : ''}; the server says: ${forTerminal(said)}`,
    });
  }
}

/** Where that of `try` names an option that this command has not. */
const REMEDIES: Partial<Record<HarnessErrorCode, string>> = {
  SERVER_UNREACHABLE: `start the server, or name its address with --url; \`npm run router\` starts one at ${DEMO_URL}`,
  SERVER_NOT_READY: 'read what the server prints, or name another address with --url',
  SERVER_AUTH: 'give a credential with --header "authorization: Bearer TOKEN"',
};

async function connect(url: string, headers: Record<string, string>): Promise<ServerConnection> {
  const limits = { ...DEFAULT_LIMITS, callMs: CALL_MS };
  try {
    return await connectServer({ name: 'the server', url, headers, env: {}, cwd: process.cwd(), limits });
  } catch (error) {
    const remedy = error instanceof HarnessError ? REMEDIES[error.code] : undefined;
    if (!(error instanceof HarnessError) || remedy === undefined) throw error;
    throw new HarnessError(error.code, error.message, { cause: error, remedy });
  }
}

async function play(
  server: ServerConnection,
  tool: string,
  args: Arguments,
  { apply, interrupt }: { apply: boolean; interrupt: AbortController },
): Promise<ExitCode> {
  server.upstream.askApprover((message, form) => askAtTerminal(message, form, interrupt));
  let result = await callTool(server, tool, args);
  if (interrupt.signal.aborted) return interrupted();
  process.stdout.write(`${shown(result)}\n`);
  if (apply && !result.isError) {
    const next = applying(tool, args, result);
    if (next === undefined) {
      process.stderr.write('--apply needs the preview of a write, and this answer has no plan_token.\n');
      return EXIT.usage;
    }
    result = await callTool(server, tool, next);
    if (interrupt.signal.aborted) return interrupted();
    process.stdout.write(`${shown(result)}\n`);
  }
  return result.isError ? EXIT.verdict : EXIT.pass;
}

interface Watched extends Disposable {
  /** Ends the question that is on the screen. */
  interrupt: AbortController;
  /** Throws `SERVER_DIED` once nobody listens at the address any more. */
  gone: Promise<never>;
}

/** The client library waits for an answer as long as a person may take, also for that of a server that has ended. */
function watch(url: string): Watched {
  const interrupt = new AbortController();
  const done = new AbortController();
  const look = async (): Promise<never> => {
    // A connection that the server closes at this very moment fails once.
    do await later(LOOK_MS, undefined, { signal: done.signal });
    while ((await isThere(url)) || (await isThere(url)));
    interrupt.abort();
    throw new HarnessError('SERVER_DIED', `the server at ${url} should answer the call, got its end`, {
      remedy: 'start the server again, and read the object before you repeat a change',
    });
  };
  const gone = look();
  gone.catch(() => undefined);
  return { interrupt, gone, [Symbol.dispose]: () => done.abort() };
}

/** Who is slow is there. */
const isThere = (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(LOOK_MS) }).then(
    () => true,
    (error: Error) => error.name === 'TimeoutError',
  );

function interrupted(): ExitCode {
  process.stderr.write('\ninterrupted: the server was answered no\n');
  return EXIT.interrupted;
}

async function main(argv: string[]): Promise<ExitCode> {
  const program = new Command('call')
    .description('Call one tool of an MCP server over HTTP.')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'its arguments, as one JSON object in quotes', argumentsOf, {})
    .option('--url <url>', 'address of the server', DEMO_URL)
    .option('--header <name: value>', 'a header of every request; may be repeated', repeated, [])
    .option('--apply', 'apply what the call previewed; you are asked before anything is sent')
    .addHelpText(
      'after',
      `
Examples:
  npm run call -- find_tool '{"query":"turn off a wlan"}'
  npm run call -- invoke_tool '{"name":"mgmt_update_wlan_ssid","arguments":{"ssid":"guest","body":{"enable":false}}}' --apply
${exitCodeHelp(EXIT_MEANING)}`,
    )
    .exitOverride();
  return runProgram(program, argv, async () => {
    const [tool, args] = program.processedArgs as [string, Arguments];
    const { url, header, apply = false } = program.opts<CallOptions>();
    await using server = await connect(addressOf(url), headersOf(header));
    using watched = watch(url);
    return await Promise.race([play(server, tool, args, { apply, interrupt: watched.interrupt }), watched.gone]);
  });
}

if (import.meta.main) {
  surviveClosedOutput();
  process.exitCode = await main(process.argv.slice(2));
}
