/**
 * The demo, in a container of the harness: fakes, a router in front of them with its console, and a benchmark that plays on fakes
 * and routers of its own. It goes on until it is stopped. Published ports differ from those in here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const { DEMO_SUITES, FAKE_PORT, MCP_PORT, CONSOLE_PORT } = process.env;
const CONSOLE_INSIDE = 8030;
const CONSOLE_PUBLISHED = 8031;
const HOME = '/home/mcp';
const OPERATORS = `${HOME}/operators.json`;
const here = import.meta.dirname;
const own = (file) => readFileSync(`${here}/${file}`, 'utf8').trim();
const { name, password } = JSON.parse(own('operator.json'));
const say = (text) => process.stdout.write(`${text}\n`);

const children = [];
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stopped = true;
    for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
    void Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit'))).then(() => process.exit(0));
  });

/** Resolves when it has printed its one line of JSON. When it ends before the demo does, the demo ends with its code. */
async function serve(what, words, { cwd, env }) {
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  child.on('exit', (code) => {
    if (stopped) return;
    say(
      `${what} ended with ${code}; the lines above say why. Start the demo again: docker compose --profile demo up demo`,
    );
    process.exit(code ?? 1);
  });
  await once(createInterface({ input: child.stdout }), 'line');
}

const base = { PATH: process.env.PATH, HOME };
await serve('The fake', ['fake-api/main.ts', '--host', '0.0.0.0', '--json'], { cwd: '/bench', env: base });

const { Operators } = await import('/app/server/approvals/operators.js');
await new Operators(OPERATORS).add(name, password);
await serve('The router', ['docker/entrypoint.mjs', 'router', '--json'], {
  cwd: '/app',
  env: {
    ...base,
    MCP_TRANSPORT: 'streamable-http',
    MCP_HOST: '0.0.0.0',
    MCP_PORT: '8010',
    MCP_ALLOWED_HOSTS: '127.0.0.1:*,localhost:*',
    MCP_ALLOWED_ORIGINS: '127.0.0.1:*,localhost:*',
    MCP_HTTP_BEARER_TOKEN_FILE: `${here}/bearer`,
    CREDS_PATH: `${here}/accounts.yaml`,
    SVC_MCP_PRODUCTS: 'all',
    SVC_MCP_ACCESS_PROFILE: 'full-read-write',
    SVC_MCP_STATE_DIR: `${HOME}/state`,
    TOKEN_CACHE_DIR: `${HOME}/tokens`,
    SVC_MCP_OPERATORS_PATH: OPERATORS,
    SVC_MCP_CONSOLE_PORT: String(CONSOLE_INSIDE),
    SVC_MCP_CONSOLE_URL: `http://127.0.0.1:${CONSOLE_PORT}`,
  },
});

// The console listens on loopback alone, as everywhere without TLS; the published port of this machine's loopback leads to it.
createServer((client) => {
  const console = connect(CONSOLE_INSIDE, '127.0.0.1');
  for (const [one, other] of [
    [client, console],
    [console, client],
  ]) {
    one.pipe(other);
    one.on('error', () => other.destroy());
  }
}).listen(CONSOLE_PUBLISHED, '0.0.0.0');

say(`Plays ${DEMO_SUITES}, for about half a minute: of three agents one knows the steps, and one does nothing.`);
const words = ['run', '--subject-root', '/app', '--transport', 'http', '--suite', DEMO_SUITES, '--baseline', 'none'];
const played = spawn(process.execPath, ['harness/cli/harness.ts', ...words], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
children.push(played);
const [code] = await once(played, 'exit');

const RED = {
  1: 'The benchmark found a fault in this version of the router. It is none of your machine, and the demo goes on.',
  2: 'DEMO_SUITES should name suites, as the lines above say. Router, console and fakes go on.',
};
if (!stopped) {
  if (code !== 0)
    say(
      `\n${RED[code] ?? 'The benchmark could not be played; the lines above say why. Router, console and fakes go on.'}`,
    );
  const url = `http://127.0.0.1:${MCP_PORT}/mcp`;
  const entry = { type: 'http', url, headers: { Authorization: `Bearer ${own('bearer')}` } };
  say(`
Router   ${url}
Console  http://127.0.0.1:${CONSOLE_PORT}   sign in as ${name} with the password ${password}
Fakes    http://127.0.0.1:${FAKE_PORT}

For an MCP host:
${JSON.stringify({ mcpServers: { 'tool-router': entry } }, null, 2)}

A write of a client that cannot ask a person waits in the console until ${name} approves it. Everything is a fake on this machine.
Ctrl-C ends the demo.`);
}
