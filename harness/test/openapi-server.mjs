// The smallest server of its kind: one tool per operation of the document, no ranking, no gate. For tests of the comparison.
// With --ask it asks the person before each change, in words of its own.
// Usage: node openapi-server.mjs DOCUMENT BASE_URL [--ask]
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [document, base] = process.argv.slice(2);
const { paths, components = {} } = JSON.parse(readFileSync(document, 'utf8'));
const asks = process.argv.includes('--ask');
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const tools = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { operationId, summary = '', description = summary, parameters = [], requestBody } = item[method];
      const places = new Map([...(item.parameters ?? []), ...parameters].map((one) => [one.name, one.in]));
      return [
        operationId,
        { method: method.toUpperCase(), path, description, places, hasBody: requestBody !== undefined },
      ];
    }),
  ),
);

const list = [...tools].map(([name, { method, path, description, places, hasBody }]) => ({
  name,
  description: `${method} ${path} ${description}`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries([...places.keys(), ...(hasBody ? ['body'] : [])].map((field) => [field, {}])),
  },
}));

// A credential of every kind that a fake of a stranger's document asks for.
const token = process.env.SVC_API_TOKEN;
const schemes = token === undefined ? [] : Object.values(components.securitySchemes ?? {});
const keys = schemes.filter(({ type }) => type === 'apiKey');
const isBasic = schemes.some(({ type, scheme }) => type === 'http' && scheme === 'basic');
const headers = {
  'content-type': 'application/json',
  ...(schemes.length > keys.length
    ? { authorization: isBasic ? `Basic ${btoa(`demo:${token}`)}` : `Bearer ${token}` }
    : {}),
  ...Object.fromEntries(keys.filter((key) => key.in === 'header').map(({ name }) => [name, token])),
};

const VERBS = { DELETE: 'Delete', POST: 'Create' };
/** Id → what to do with the person's answer. */
const asked = new Map();

function isApproved({ method, path }) {
  const id = `question-${asked.size + 1}`;
  const message = `${VERBS[method] ?? 'Update'} ${path}?`;
  const params = { message, requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } };
  write({ id, method: 'elicitation/create', params });
  return new Promise((resolve) => {
    asked.set(id, ({ result }) => resolve(result?.action === 'accept'));
  });
}

async function call({ name, arguments: given = {} }) {
  const tool = tools.get(name);
  if (tool === undefined) return { isError: true, content: [{ type: 'text', text: `unknown tool ${name}` }] };
  if (asks && tool.method !== 'GET' && !(await isApproved(tool)))
    return { isError: true, content: [{ type: 'text', text: 'The user declined, nothing was changed.' }] };
  const url = new URL(
    base + tool.path.replaceAll(/\{([^}]+)\}/g, (_, field) => encodeURIComponent(given[field] ?? '')),
  );
  for (const [field, place] of tool.places) {
    if (place === 'query' && given[field] !== undefined) url.searchParams.set(field, String(given[field]));
  }
  for (const { name, in: place } of keys) if (place === 'query') url.searchParams.set(name, token);
  const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) };
  const answer = await fetch(url, { method: tool.method, headers, ...body });
  return { isError: !answer.ok, content: [{ type: 'text', text: await answer.text() }] };
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'openapi-server', version: '1' },
  }),
  'tools/list': () => ({ tools: list }),
  'tools/call': call,
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (asked.has(message.id) && message.method === undefined) asked.get(message.id)(message);
  else if (message.id !== undefined) void reply(message);
}

async function reply({ id, method, params }) {
  const answer = answers[method];
  write({ id, ...(answer ? { result: await answer(params ?? {}) } : { error: { code: -32601, message: method } }) });
}

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
