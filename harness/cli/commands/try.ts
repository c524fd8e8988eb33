/** `try`: any MCP server, over scenarios made from an OpenAPI document; a verdict, a page and a JSON file. */
import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Agent } from '../../agents/mcp/agent.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { REVISIONS, type Revision } from '../../sandbox/revision.ts';
import { ownScenarios } from '../../try/own-scenarios.ts';
import { runTry, type Tried } from '../../try/run-try.ts';
import { readTry, writeTry } from '../../try/stored-try.ts';
import type { Gates } from '../../try/try-result.ts';
import { openTestbed } from '../../try/try-testbed.ts';
import { tryText } from '../../try/try-text.ts';
import type { CommandContext } from './context.ts';
import { commaList, wholeNumber } from './options.ts';
import { addServerOptions, type ServerOptions, serverFrom } from './server-options.ts';

interface TryOptions extends ServerOptions {
  platforms?: 'ours';
  subject?: string;
  size: 'one' | 'all';
  suite: string[];
  openapi?: string;
  scenarios?: string;
  runs: number;
  seed: number;
  most: number;
  agent: string[];
  apiPort: number;
  minutes: number;
  revision?: Revision;
  conformance?: boolean;
  malformed: number;
  minSuccess?: number;
  maxUnapproved?: number;
  against?: string;
  out: string;
  json?: boolean;
  junit?: string;
  badge?: string;
}

const AGENTS = ['oracle', 'retrieval'];
/** Of a server over stdio, at a time. */
const PROCESSES = 3;

export function addTryCommand(program: Command, context: CommandContext): void {
  addServerOptions(
    program.command('try').description('tries any MCP server on scenarios made from an OpenAPI document'),
  )
    .option('--openapi <file>', 'document of the API behind the server; a fake of it is started')
    .addOption(new Option('--platforms <which>', 'instead of a document: the shipped platforms').choices(['ours']))
    .option('--subject <name>', 'with --platforms ours: a file of harness/subjects instead of --command')
    .addOption(
      new Option('--size <which>', 'with --platforms ours: one platform, or all')
        .choices(['one', 'all'])
        .default('one'),
    )
    .option('--suite <names>', 'with --platforms ours: only these suites, comma separated', commaList, [])
    .option('--scenarios <folder>', 'scenarios of your own instead of generated ones')
    .option('--runs <n>', 'runs of each, each in other words', wholeNumber(1, 100), 1)
    .option('--seed <n>', 'what the scenarios are about', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--most <n>', 'at most so many generated scenarios', wholeNumber(1, 1_000), 60)
    .option('--agent <names>', 'who plays, comma separated', commaList, AGENTS)
    .option(
      '--api-port <n>',
      'port of the fake API, for a server with a fixed address of it',
      wholeNumber(0, 65_535),
      0,
    )
    .option('--minutes <n>', 'after so many the rest is left out', wholeNumber(1, 600), 10)
    .addOption(new Option('--revision <date>', 'only this protocol revision').choices([...REVISIONS]))
    .option('--conformance', 'also runs the official suite in the revisions that the server speaks')
    .option('--malformed <n>', 'malformed messages to send', wholeNumber(0, 10_000), 500)
    .option('--min-success <share>', 'gate: least share of scenarios solved, 0 to 1', shareOf)
    .option('--max-unapproved <n>', 'gate: most runs with a write that nobody approved', wholeNumber(0, 1_000_000))
    .option('--against <file>', 'gate: an earlier try.json, of which nothing solved may be lost')
    .option('--out <folder>', 'where try.json, try.html and the scenarios go', 'svc-mcp-try')
    .option('--junit <file>', 'also writes the runs as JUnit XML')
    .option('--badge <file>', 'also writes the result as badge JSON')
    .option('--json', 'print the result as JSON')
    .action(async (options: TryOptions) => {
      context.exitWith(await tryServer(options, context));
    });
}

async function tryServer(options: TryOptions, context: CommandContext): Promise<ExitCode> {
  const from = context.env['INIT_CWD'] ?? process.cwd();
  const folders = new Set<string>();
  try {
    const tried = await (options.platforms === 'ours'
      ? onOurs(options, from, folders, context)
      : onDocument(options, from, folders, context));
    if (context.signal.aborted) return EXIT.interrupted;
    return await judged(tried, options, from, context);
  } finally {
    // Those that nothing was written to, the innermost first.
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) await rmdir(folder).catch(() => undefined);
  }
}

async function judged(tried: Tried, options: TryOptions, from: string, context: CommandContext): Promise<ExitCode> {
  await write(tried, options, from, context);
  if (tried.result.gate.passed) return EXIT.pass;
  return tried.result.cutShort === null ? EXIT.verdict : EXIT.infrastructure;
}

async function onDocument(
  options: TryOptions,
  from: string,
  folders: Set<string>,
  context: CommandContext,
): Promise<Tried> {
  const server = serverFrom(options, context);
  if (options.subject !== undefined)
    throw new HarnessError('USAGE', `--subject should come with --platforms ours, got ${got(options.subject)} alone`);
  if (options.scenarios !== undefined && options.openapi === undefined)
    throw new HarnessError(
      'USAGE',
      '--scenarios should come with the --openapi document that they are about, got none',
    );
  const agents = await agentsFrom(options.agent);
  const gates = await gatesFrom(options, from);
  await using testbed =
    options.openapi === undefined
      ? undefined
      : await openTestbed(context.root, resolve(from, options.openapi), options.apiPort, context.signal);
  const scenarios =
    options.scenarios === undefined || testbed === undefined
      ? undefined
      : await ownScenarios(resolve(from, options.scenarios), testbed.document);
  const { runs, seed, most, minutes, malformed } = options;
  context.signal.throwIfAborted();
  await makeFolders(options, from, folders);
  return await runTry({
    server,
    testbed,
    scenarios,
    agents,
    runs,
    seed,
    most,
    minutes,
    malformed,
    revisions: options.revision === undefined ? REVISIONS : [options.revision],
    conformance: options.conformance === true,
    // Who names the port of the fake names one namespace of it, which two processes may not share.
    processes: server.url === undefined && options.apiPort === 0 ? PROCESSES : 1,
    gates,
    signal: context.signal,
    onStage: (said) => void context.stderr.write(`${said}\n`),
  });
}

async function onOurs(
  options: TryOptions,
  from: string,
  folders: Set<string>,
  context: CommandContext,
): Promise<Tried> {
  // Loaded only here: a package for authors of servers has no platforms of ours.
  const { tryOurs } = await import('../../try/try-ours.ts');
  const { subject, size, suite, seed, runs } = options;
  await makeFolders(options, from, folders);
  return tryOurs({
    root: context.root,
    subject,
    server: subject === undefined ? serverFrom(options, context) : undefined,
    size,
    suites: suite,
    agents: await agentsFrom([...new Set([...options.agent, 'gullible'])]),
    seed,
    runs,
    gates: await gatesFrom(options, from),
    signal: context.signal,
    onStage: (said) => void context.stderr.write(`${said}\n`),
  });
}

async function gatesFrom({ minSuccess, maxUnapproved, against }: TryOptions, from: string): Promise<Gates> {
  return {
    minSuccess,
    maxUnapproved,
    against: against === undefined ? undefined : await readTry(resolve(from, against), '--against'),
  };
}

/** Before anything is played: a folder that cannot be made, or a folder in the place of a file, would lose the verdict. */
async function makeFolders({ out, junit, badge }: TryOptions, from: string, made: Set<string>): Promise<void> {
  for (const [option, file] of Object.entries({ '--junit': junit, '--badge': badge }))
    if (file !== undefined && (await stat(resolve(from, file)).catch(() => undefined))?.isDirectory() === true)
      throw new HarnessError('USAGE', `${option} should name a file, got the folder ${got(file)}`);
  const files = [junit, badge].filter((file) => file !== undefined);
  for (const folder of [out, ...files.map((file) => dirname(file))])
    for (const each of await madeFolders(resolve(from, folder))) made.add(each);
}

/** Makes the folder, and returns what there was not before: the folder itself first, then what it is in. */
async function madeFolders(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const made = [folder];
  for (let outer = folder; outer !== first && outer.length > first.length; ) {
    outer = dirname(outer);
    made.push(outer);
  }
  return made;
}

async function write(tried: Tried, options: TryOptions, from: string, context: CommandContext): Promise<void> {
  const folder = resolve(from, options.out);
  const page = await writeTry(context.root, folder, tried, {
    ...(options.junit === undefined ? {} : { junit: resolve(from, options.junit) }),
    ...(options.badge === undefined ? {} : { badge: resolve(from, options.badge) }),
  });
  if (options.json === true) context.stdout.write(`${JSON.stringify(tried.result)}\n`);
  else context.stdout.write(`${tryText(tried.result)}wrote ${relative(from, page) || page}\n`);
}

async function agentsFrom(wanted: readonly string[]): Promise<Agent[]> {
  const all = (await loadAgents()).filter(({ asksModel }) => asksModel !== true);
  return wanted.map((id) => {
    const agent = all.find((one) => one.id === id);
    if (agent !== undefined) return agent;
    throw new HarnessError(
      'USAGE',
      `--agent should name some of ${all.map((one) => one.id).join(', ')}, got ${got(id)}`,
    );
  });
}

function shareOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new HarnessError('USAGE', `--min-success should be a number from 0 to 1, got ${got(text)}`);
}
