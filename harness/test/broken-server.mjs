// MCP servers that are each broken in one way, over stdio or HTTP. For tests of `try`.
// Usage: node broken-server.mjs KIND [PORT]
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [kind, port] = process.argv.slice(2);
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise(() => setInterval(() => undefined, 60_000));
const print = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const tool = (name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} } });
const pets = ['listPets', 'getPet', 'updatePet', 'deletePet'].map(tool);
const said = (text) => ({ content: [{ type: 'text', text }] });
const hello = ({ protocolVersion }) => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: kind, version: '1' },
});

const well = {
  initialize: hello,
  ping: () => ({}),
  'tools/list': () => ({ tools: pets }),
  'tools/call': () => said('{}'),
};

async function flood(write) {
  for (;;) {
    write('x'.repeat(65_536));
    await later(1);
  }
}

/** Kind → what is other than in a well-behaved server. */
const BROKEN = {
  'never-ready': { initialize: never },
  'dies-at-start': {
    start: () => {
      process.stderr.write('CATALOG_MISSING: no catalog\n');
      process.exit(3);
    },
  },
  'dies-at-initialize': { initialize: () => process.exit(1) },
  'dies-at-list': { 'tools/list': () => process.exit(1) },
  'dies-at-call': { 'tools/call': () => process.exit(1) },
  'ten-thousand-tools': {
    'tools/list': () => ({ tools: Array.from({ length: 10_000 }, (_, i) => tool(`tool_${i}`)) }),
  },
  'endless-stream': { start: () => flood((text) => process.stdout.write(text)) },
  'endless-notifications': {
    initialize: async () => {
      for (;;)
        if (!print({ method: 'notifications/message', params: { level: 'info', data: 'again' } })) await later(1);
    },
  },
  'wrong-json': { initialize: () => void process.stdout.write('Listening on stdio!\n{"jsonrpc": oops\n') },
  'wrong-version': { initialize: (params) => ({ ...hello(params), protocolVersion: '1999-01-01' }) },
  'wrong-initialize': { initialize: () => ({ hello: 'world' }) },
  'refuses-initialize': { initialize: () => Promise.reject(new Error('no licence')) },
  'other-ids': { initialize: (params) => void print({ id: 4711, result: hello(params) }) },
  'closes-stdout': { initialize: () => void process.stdout.end() },
  'floods-stderr': { start: () => flood((text) => process.stderr.write(`${text}\n`)) },
  'pages-for-ever': { 'tools/list': () => ({ tools: pets, nextCursor: 'more' }) },
  'wrong-list': { 'tools/list': () => ({ tools: 'many' }) },
  'never-lists': { 'tools/list': never },
  'never-answers-calls': { 'tools/call': never },
  'wrong-call': { 'tools/call': () => ({ text: 'no content' }) },
  'slow-start': { initialize: (params) => later(1_500).then(() => hello(params)) },
  'too-slow-start': { initialize: (params) => later(30_000).then(() => hello(params)) },
  'huge-message': { initialize: () => void process.stdout.write(`"${'x'.repeat(80 << 20)}"\n`) },
  'ignores-signals': {
    initialize: never,
    start: () => process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined),
  },
  'dies-on-bad-json': { bad: () => process.exit(1) },
};

let asked = 0;
/** Kind → what the server does with a request. */
const HTTP = {
  'needs-auth': (_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer realm="mcp"' }).end(),
  redirects: (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end(),
  'not-there': (_, response) => response.writeHead(404).end('not found'),
  hangs: () => undefined,
  'hangs-up': (request) => request.socket.destroy(),
  'dies-when-asked-again': (_, response) => {
    if (asked++ > 0) process.exit(3);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: 1 }));
    process.stderr.write('Error: the stream is locked\n');
  },
  'answers-html': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  'endless-events': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    setInterval(() => response.write(': still here\n\n'), 5);
  },
  'server-error': (_, response) => response.writeHead(500).end('{"error":"boom"}'),
};

if (port !== undefined) createServer(HTTP[kind]).listen(Number(port), '127.0.0.1');
else await speak({ ...well, ...BROKEN[kind] });

async function speak({ start, bad, ...handlers }) {
  start?.();
  for await (const line of createInterface({ input: process.stdin })) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      bad?.();
      print({ id: null, error: { code: -32700, message: 'parse error' } });
      continue;
    }
    void answer(message, handlers);
  }
  if (kind === 'ignores-signals') await never();
}

async function answer(message, handlers) {
  const { id, method, params } = message ?? {};
  if (id === undefined || typeof message !== 'object') return;
  const handler = typeof method === 'string' && Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  const isCall = method === 'tools/call';
  const isWrong = message.jsonrpc !== '2.0' || (isCall && !pets.some(({ name }) => name === params?.name));
  if (handler === undefined || isWrong) {
    print({ id, error: { code: handler === undefined ? -32601 : -32602, message: 'refused' } });
    return;
  }
  try {
    const result = await handler(params ?? {});
    if (result !== undefined) print({ id, result });
  } catch (error) {
    print({ id, error: { code: -32000, message: error.message } });
  }
}
