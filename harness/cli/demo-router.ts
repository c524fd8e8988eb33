/** `npm run router`: the router with all fake platforms behind it, for any MCP client, until Ctrl-C. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { demoAccount } from '../sandbox/demo-account.ts';
import { assertPortFree } from '../sandbox/port.ts';
import { startFake, writeCredentials } from '../sandbox/sandbox.ts';
import { prepareSubject } from '../subject/prepare-subject.ts';
import { loadSubject } from '../subject/subject.ts';
import { baseEnvironment, type Child, startChild } from '../subject/subject-process.ts';
import { surviveClosedOutput } from './closed-output.ts';
import { wholeNumber } from './commands/options.ts';
import { runProgram } from './run-program.ts';

interface ServeOptions {
  port: number;
  fakePort: number;
  controlPort: number;
  writes: boolean;
  json?: boolean;
}

const root = join(import.meta.dirname, '..', '..');

async function serve(options: ServeOptions, stop: AbortSignal): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'tool-router-'));
  const started: Child<unknown>[] = [];
  try {
    for (const port of [options.fakePort, options.controlPort, options.port]) await assertPortFree(port);
    const fake = await startFake(
      root,
      ['all'],
      ['--port', String(options.fakePort), '--control-port', String(options.controlPort)],
    );
    started.push(fake);
    const subject = await loadSubject('router');
    const accounts = Object.entries(fake.ready.platforms).map(([id, url]) => [id, demoAccount(url)] as const);
    const credentials = await writeCredentials(folder, Object.fromEntries(accounts));
    const settings = {
      ...subject.env,
      ...subject.transport_env.http,
      ...subject.gate_env[options.writes ? 'open' : 'closed'],
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_PRODUCT_ACCESS: options.writes ? 'read-write' : 'read-only',
      MCP_PORT: String(options.port),
      CREDS_PATH: credentials,
      // Also for the host that starts the router by the printed lines, whatever its working folder.
      SVC_MCP_DOTENV: '0',
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
    };
    const env = { ...baseEnvironment(), HOME: folder, ...settings };
    await prepareSubject(subject, root);
    const router = await startChild<{ url: string }>({ name: 'router', command: subject.command, cwd: root, env });
    started.push(router);
    const { url } = router.ready;
    const { api, control } = fake.ready;
    const stdio = stdioEntry(subject.command, { ...settings, ...subject.transport_env.stdio });
    if (options.json === true)
      process.stdout.write(
        `${JSON.stringify({ ready: true, url, api, control, mcpServers: { 'tool-router': { type: 'http', url } } })}\n`,
      );
    else process.stdout.write(instructions(url, api, control, stdio, options.writes));
    await new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
      for (const child of started) void child.ended.then(resolve);
    });
    if (!stop.aborted) for (const child of started) child.assertAlive();
    return EXIT.pass;
  } finally {
    for (const child of started.reverse()) await child.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function stdioEntry(command: readonly string[], env: Record<string, string>) {
  const [, script = '', ...rest] = command;
  const { MCP_HOST: _host, MCP_PORT: _port, ...kept } = env;
  return {
    command: process.execPath,
    args: [join(root, script), ...rest.filter((arg) => arg !== '--json')],
    env: kept,
  };
}

/** Where `npm run call` looks by itself. */
export const DEMO_URL = 'http://127.0.0.1:8010/mcp';

function instructions(url: string, api: string, control: string, stdio: object, writes: boolean): string {
  return `Router  ${url}   (streamable HTTP, mode minimal, three tools)
Fake    ${api}   (control ${control})
Writes  ${writes ? 'gates open: each change still needs its preview, confirm and your yes' : 'gates closed; start with --writes to open them'}

Connect a client

  HTTP    ${url}
  Here    npm run call -- find_tool '{"query":"list sites"}'${url === DEMO_URL ? '' : ` --url ${url}`}
  CLI     npx -y @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list

  For an MCP host that speaks HTTP:
${block({ mcpServers: { 'tool-router': { type: 'http', url } } })}

  For one that starts its servers over stdio (while this command runs):
${block({ mcpServers: { 'tool-router': stdio } })}

Ctrl-C ends both.
`;
}

const block = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

async function main(argv: string[]): Promise<ExitCode> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const port = wholeNumber(0, 65_535);
  const program = new Command('router')
    .description('Serve the router with all fake platforms behind it.')
    .option('--port <n>', 'port of the router', port, 8010)
    .option('--fake-port <n>', 'port of the fake platform', port, 8020)
    .option('--control-port <n>', "port of the fake's control API", port, 8021)
    .option('--writes', 'open the write gates', false)
    .option('--json', 'print one JSON line when ready')
    .exitOverride();
  return runProgram(program, argv, () => serve(program.opts<ServeOptions>(), stop.signal));
}

if (import.meta.main) {
  surviveClosedOutput();
  process.exitCode = await main(process.argv.slice(2));
}
