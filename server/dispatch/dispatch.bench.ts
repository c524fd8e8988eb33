/**
 * `npm run bench:dispatch`: what the router costs per read, in CPU time. `invoke_read_tool` and a tool that only passes on
 * the same platform call are asked in turn, in one process, on the same SDK; the difference is ours. The platform is a
 * process of its own, so none of its work is counted. `--rounds 9` of `--iterations 400`; `--json` prints one object; above the goal the exit code is 1.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMcpHandler, type McpServerFactory, Server } from '@modelcontextprotocol/server';
import { Bench } from 'tinybench';
import { loadConfig } from '../config/config.ts';
import { openRouter } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { tokenOf } from '../test/bench/fake-token.ts';
import { median } from '../test/bench/statistics.ts';
import { demoAccount, startFake } from '../test/support/child-process.ts';
import { modernRequest } from '../test/support/modern-client.ts';

const GOAL_MS = 0.35;

/** The most frequent reads: one object, and a page of a list. */
const READS = [
  { id: 'one object', tool: 'mgmt_get_auth_server', template: 'network-config/v1alpha1/auth-servers/{name}' },
  { id: 'a page of 20', tool: 'mgmt_list_devices', template: 'network-monitoring/v1/devices?limit=20' },
] as const;

interface Figure {
  read: string;
  bytes: number;
  echoCpuMs: number;
  routerCpuMs: number;
  /** Median over rounds of the difference within a round. */
  overheadCpuMs: number;
}

/** The least a server on this SDK can do for a read: pass the call on and hand back the text. */
function echoFactory(base: string, token: string): McpServerFactory {
  return () => {
    const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
    server.setRequestHandler('tools/call', async (request) => {
      const { path } = request.params.arguments as { path: string };
      const response = await fetch(`${base}/${path}`, {
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      });
      return server.projectCallToolResult(
        { content: [{ type: 'text' as const, text: await response.text() }] },
        undefined,
      );
    });
    return server;
  };
}

type Ask = () => Promise<string>;

function asker(factory: McpServerFactory, name: string, args: Record<string, unknown>): Ask {
  const handler = createMcpHandler(factory, { legacy: 'reject' });
  const { headers, body } = modernRequest(name, args, { capabilities: {} });
  return async () => {
    const answer = await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
    return answer.text();
  };
}

/** CPU milliseconds of this process, all threads: what a busy machine does meanwhile does not count. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function round(echo: Ask, router: Ask, iterations: number): Promise<{ echo: number; router: number }> {
  const bench = new Bench({
    now: cpuMs,
    time: 0,
    iterations,
    warmupIterations: Math.ceil(iterations / 10),
    warmupTime: 0,
    throws: true,
  });
  const one = (ask: Ask) => async () => {
    await ask();
  };
  bench.add('echo', one(echo)).add('router', one(router));
  await bench.run();
  const mean = (name: string): number => {
    const result = bench.getTask(name)?.result;
    if (result?.state !== 'completed') throw new Error(`${name} did not complete`);
    return result.latency.mean;
  };
  return { echo: mean('echo'), router: mean('router') };
}

async function figureOf(id: string, echo: Ask, router: Ask, rounds: number, iterations: number): Promise<Figure> {
  const bytes = (await router()).length;
  await round(echo, router, iterations);
  const measured = [];
  for (let n = 0; n < rounds; n++) measured.push(await round(echo, router, iterations));
  return {
    read: id,
    bytes,
    echoCpuMs: median(measured.map((each) => each.echo)),
    routerCpuMs: median(measured.map((each) => each.router)),
    overheadCpuMs: median(measured.map((each) => each.router - each.echo)),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '9' },
      iterations: { type: 'string', default: '400' },
    },
  });
  const platform = await startFake('mgmt');
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-bench-'));
  try {
    const config = loadConfig({
      env: {
        SVC_MCP_DOTENV: '0',
        ...demoAccount(platform.base),
        TOKEN_CACHE_DIR: join(folder, 'tokens'),
        CREDS_PATH: join(folder, 'credentials.yaml'),
        SVC_MCP_RATE_PER_SECOND: '0',
      },
      cwd: folder,
    });
    using router = await openRouter(config, createLogger('error'));
    const echo = echoFactory(platform.base, await tokenOf(platform.base));
    const figures: Figure[] = [];
    for (const { id, tool, template } of READS) {
      const { args, path } = await argumentsFor(router.factory, tool, template);
      const ask = asker(router.factory, 'invoke_read_tool', { name: tool, arguments: args });
      const pass = asker(echo, 'echo', { path });
      figures.push(await figureOf(id, pass, ask, Number(values.rounds), Number(values.iterations)));
    }
    const passed = figures.every(({ overheadCpuMs }) => overheadCpuMs <= GOAL_MS);
    if (values.json)
      process.stdout.write(`${JSON.stringify({ bench: 'dispatch', goalMs: GOAL_MS, figures, passed })}\n`);
    else {
      for (const { read, bytes, echoCpuMs, routerCpuMs, overheadCpuMs } of figures)
        console.log(
          `${read.padEnd(14)} ${String(bytes).padStart(7)} bytes   echo ${echoCpuMs.toFixed(3)} ms   router ${routerCpuMs.toFixed(3)} ms   overhead ${overheadCpuMs.toFixed(3)} ms CPU (goal ${GOAL_MS})`,
        );
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same read for both: by name for one object, by its query for a page. */
async function argumentsFor(
  factory: McpServerFactory,
  tool: string,
  template: string,
): Promise<{ args: Record<string, unknown>; path: string }> {
  const [path = '', query = ''] = template.split('?');
  if (!path.includes('{name}')) return { args: { limit: 20 }, path: `${path}?${query}` };
  const list = asker(factory, 'invoke_read_tool', {
    name: `${tool.replace('_get_', '_list_')}s`,
    arguments: { limit: 1 },
  });
  const text = await list();
  const name = /\\"name\\":\\"([^"\\]+)\\"/.exec(text)?.[1];
  if (name === undefined) throw new Error(`a list of ${tool} should hold a name, got ${text.slice(0, 300)}`);
  return { args: { name }, path: path.replace('{name}', encodeURIComponent(name)) };
}

await main();
