/** At build: starts the router once and asks it something, so that every later start finds its compiled code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = mkdtempSync(join(tmpdir(), 'warm-up-'));
const env = {
  ...process.env,
  HOME: folder,
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '0',
  SVC_MCP_STATE_DIR: folder,
  SVC_MCP_STATELESS: '1',
};
const child = spawn(process.execPath, ['docker/entrypoint.mjs', 'router', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(child, 'exit');
const [line] = await Promise.race([
  once(createInterface({ input: child.stdout }), 'line'),
  ended.then(([code]) => Promise.reject(new Error(`the router ended with ${code}`))),
]);
const { url } = JSON.parse(line);
const answer = await fetch(url, {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find_tool', arguments: { query: 'list sites' } },
  }),
});
const text = await answer.text();
if (!text.includes('capability')) throw new Error(`the router should find tools, got ${text.slice(0, 300)}`);
child.kill('SIGTERM');
await ended;
