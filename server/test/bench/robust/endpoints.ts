/** R16: every route by method, token and Host, against what a few lines here say should come; only health is open. */
import { Wire } from '../../support/mcp-wire.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext } from './robust-check.ts';

const HEALTH = ['/livez', '/healthz', '/readyz'];
const PATHS = [
  ...HEALTH,
  '/metrics',
  '/mcp',
  '/',
  '/elsewhere',
  '/mcp/',
  '/metrics/',
  '//mcp',
  '/livez/../mcp',
  '/%6dcp',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const HOSTS: [name: string, lines: string[], good: 'good' | 'bad' | 'broken'][] = [
  ['good', ['host: localhost'], 'good'],
  ['bad', ['host: evil.example'], 'bad'],
  ['two', ['host: localhost', 'host: localhost'], 'broken'],
  ['user', ['host: a@localhost'], 'broken'],
];
const ORIGINS: [lines: string[], good: boolean][] = [
  [[], true],
  [['origin: http://localhost:1'], true],
  [['origin: null'], false],
  [['origin: https://evil.example'], false],
];

/** Written from the specification's 4.1 and 5; undefined where the route itself decides. */
function expected(path: string, method: string, token: string, host: string, origin: boolean): number | undefined {
  if (host === 'broken') return 400;
  const health = HEALTH.includes(path);
  if (!health && (host === 'bad' || !origin)) return 403;
  if (!health && token !== 'right') return 401;
  const isGet = method === 'GET';
  if (path === '/readyz') return isGet ? 503 : 405;
  if (health || path === '/metrics') return isGet ? 200 : 405;
  return path === '/mcp' && !['GET', 'POST', 'DELETE'].includes(method) ? 405 : undefined;
}

/** One request of the table: its lines and what is expected of the answer to them. */
interface Cell {
  path: string;
  method: string;
  token: string;
  host: string;
  hostKind: string;
  origin: boolean;
  originLines: readonly string[];
  lines: readonly string[];
}

function* cellsOf(tokens: readonly [name: string, lines: string[]][]): Generator<Cell> {
  for (const path of PATHS)
    for (const method of METHODS)
      for (const [token, tokenLines] of tokens)
        for (const [host, hostLines, hostKind] of HOSTS)
          for (const [originLines, origin] of ORIGINS) {
            const lines = [...hostLines, ...originLines, ...tokenLines];
            yield { path, method, token, host, hostKind, origin, originLines, lines };
          }
}

async function run({ router: start }: RobustContext): Promise<Finding> {
  await using router = await start();
  const failures = new Failures();
  const tokens: [name: string, lines: string[]][] = [
    ['none', []],
    ['wrong', ['authorization: Bearer wrong']],
    ['basic', [`authorization: Basic ${router.bearer}`]],
    ['right', [`authorization: Bearer ${router.bearer}`]],
  ];
  const refusals = new Set<string>();
  let cells = 0;
  for (const cell of cellsOf(tokens)) {
    const { path, method, token, host, originLines } = cell;
    const lines = [`${method} ${path} HTTP/1.1`, ...cell.lines, 'connection: close'];
    // One connection each: an answer to HEAD has a length and no body.
    const { status, body, head } = await onceAsked(router.port, `${lines.join('\r\n')}\r\n\r\n`);
    const where = `${method} ${path}, token ${token}, Host ${host}, ${originLines}`;
    for (const wrong of wrongIn(cell, status, head)) failures.add(`${where}: ${wrong}`);
    if (status === 401) refusals.add(method === 'HEAD' ? '' : body);
    cells += 1;
  }
  refusals.delete('');
  if (refusals.size !== 1) failures.add(`a refused token is told in ${refusals.size} ways`);
  return { figures: { cells }, failures: failures.all() };
}

function* wrongIn({ path, method, token, hostKind, origin }: Cell, status: number, head: string): Generator<string> {
  const wanted = expected(path, method, token, hostKind, origin);
  if (wanted !== undefined && status !== wanted) yield `${status}, should be ${wanted}`;
  if (wanted === undefined && (status < 400 || status >= 500)) yield `${status}`;
  if (status === 401 && !/www-authenticate: Bearer/i.test(head)) yield 'no WWW-Authenticate';
  if (status === 405 && !/\r\nallow: /i.test(head)) yield 'no Allow';
  if (!/\r\nx-request-id: \S+/i.test(head)) yield 'no request id';
}

async function onceAsked(port: number, request: string) {
  const wire = new Wire(port, request.startsWith('HEAD'));
  try {
    return await wire.ask(request);
  } finally {
    wire.close();
  }
}

export const DOORS_CHECK: RobustCheck = { id: 'R16', title: 'every door', run };
