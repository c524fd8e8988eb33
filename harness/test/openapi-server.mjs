// The smallest server of its kind: one tool per operation of the document, no ranking, no gate. For tests of the comparison.
// Usage: node openapi-server.mjs DOCUMENT BASE_URL
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [document, base] = process.argv.slice(2);
const { paths, components = {} } = JSON.parse(readFileSync(document, 'utf8'));
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

async function call({ name, arguments: given = {} }) {
  const tool = tools.get(name);
  if (tool === undefined) return { isError: true, content: [{ type: 'text', text: `unknown tool ${name}` }] };
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
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const said =
    answer === undefined ? { error: { code: -32601, message: method } } : { result: await answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
}
