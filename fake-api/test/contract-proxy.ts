/**
 * A contract-checking proxy between a caller and a platform: a real HTTP proxy that lets every call through and judges request and
 * response by the documents, with a validator that no program of ours uses (`openapi-backend`: its matching, parsing
 * and checking, not ours). It never changes what it sees.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type AnySchemaObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { type Document, OpenAPIRouter, OpenAPIValidator, type Operation } from 'openapi-backend';
import { definitionOf, writtenMediaTypes } from './proxy-definition.ts';

export interface Violation {
  call: string;
  operation: string | null;
  side: 'request' | 'response';
  problem: string;
}

export interface ContractProxy extends AsyncDisposable {
  /** Base URL that stands for the platform's, without a trailing slash. */
  url: string;
  violations: Violation[];
  /** Operations that were judged, by id, with the number of calls. */
  judged: Map<string, number>;
  close: () => Promise<void>;
}

/** `upstream` is the base URL of the platform; the documents are OpenAPI 3.0, 3.1 or Swagger 2.0 as they were written. */
export async function startContractProxy(upstream: string, documents: readonly object[]): Promise<ContractProxy> {
  const benches = documents.map(benchOf);
  const violations: Violation[] = [];
  const judged = new Map<string, number>();
  const server = createServer((request, response) => {
    void relay(request, response, upstream, benches, violations, judged).catch((cause: unknown) => {
      violations.push({
        call: `${request.method} ${request.url}`,
        operation: null,
        side: 'response',
        problem: `the contract-checking proxy failed: ${String(cause)}`,
      });
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    violations,
    judged,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Asked = Parameters<OpenAPIValidator['validateRequest']>[0];

interface Bench {
  match: (request: Parameters<OpenAPIRouter['matchOperation']>[0]) => Operation | undefined;
  validator: OpenAPIValidator;
  /** Names of credentials that stand in the query: declared as security, and so not among the parameters. */
  credentials: Set<string>;
}

let benchesMade = 0;

function benchOf(document: object): Bench {
  benchesMade += 1;
  const id = `https://proxy.example/${benchesMade}`;
  const definition = definitionOf(document, id);
  const router = new OpenAPIRouter({ definition });
  // The package lists the operations anew for every call and tries each, which a document of 1,200 does not allow: it is
  // shown those that have as many segments and the same first words, and matches among them by itself.
  const operations = router.getOperations();
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const byMark = Map.groupBy(operations, ({ path }) => markOf(path, fixedSegments(path)));
  const lengths = [...new Set(operations.map(({ path }) => fixedSegments(path)))];
  let asked = '';
  router.getOperations = () => lengths.flatMap((length) => byMark.get(markOf(asked, length)) ?? []);
  router.getOperation = (operationId) => byId.get(operationId);
  const judges = new Map<string, Ajv2020>();
  const validator = new OpenAPIValidator({
    definition,
    router,
    lazyCompileValidators: true,
    // One judge per purpose instead of one per operation, of the dialect that OpenAPI 3.1 names.
    customizeAjv: (_ajv, options, context) => {
      const known =
        judges.get(String(context)) ??
        judgeOf(definition, id, {
          coerceTypes: (options as { coerceTypes?: boolean }).coerceTypes === true,
          otherSide: String(context) === 'responseValidator' ? 'writeOnly' : 'readOnly',
        });
      judges.set(String(context), known);
      return known as never;
    },
  });
  const schemes = Object.values(definition.components?.securitySchemes ?? {}) as { in?: string; name?: string }[];
  const credentials = new Set(schemes.flatMap((scheme) => (scheme.in === 'query' ? [String(scheme.name)] : [])));
  const fragments = operations.filter(({ path }) => path.includes('#'));
  const behindFragment = ({ method, path, headers }: Parameters<OpenAPIRouter['matchOperation']>[0]) => {
    const [place, query] = path.split('?', 2);
    const sent = new URLSearchParams(query);
    return fragments.find(
      (operation) =>
        operation.method === method.toLowerCase() &&
        operation.path.split('#', 1)[0] === place &&
        (
          (operation.parameters ?? []) as {
            in: string;
            name: string;
            required?: boolean;
            schema?: { enum?: unknown[] };
          }[]
        )
          .filter(({ required, schema }) => required === true && schema?.enum?.length === 1)
          .every(({ in: where, name, schema }) => {
            const found = where === 'query' ? sent.get(name) : headers[name.toLowerCase()];
            return where === 'path' || found === schema?.enum?.[0];
          }),
    );
  };
  const match = (request: Parameters<OpenAPIRouter['matchOperation']>[0]): Operation | undefined => {
    asked = request.path.split('?')[0] as string;
    return router.matchOperation(request) ?? behindFragment(request);
  };
  return { match, validator, credentials };
}

function fixedSegments(path: string): number {
  const segments = path.split('/');
  const first = segments.findIndex((segment) => segment.includes('{'));
  return first < 0 ? segments.length : first;
}

/** Number of segments and the first words, which stand in every path that a template can match. */
function markOf(path: string, fixed: number): string {
  const segments = path.replace(/(?<=.)\/+$/, '').split('/');
  return `${segments.length} ${segments.slice(0, fixed).join('/')}`;
}

function withoutCredentials(path: string, names: ReadonlySet<string>): string {
  const [place = '', query] = path.split('?');
  if (query === undefined || names.size === 0) return path;
  const kept = query.split('&').filter((pair) => !names.has(decodeURIComponent(pair.split('=')[0] as string)));
  return kept.length === 0 ? place : `${place}?${kept.join('&')}`;
}

type OtherSide = 'readOnly' | 'writeOnly';

function judgeOf(
  definition: Document,
  id: string,
  { coerceTypes, otherSide }: { coerceTypes: boolean; otherSide: OtherSide },
): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    coerceTypes,
    code: { optimize: false },
  });
  formatsPlugin.default(ajv);
  const components = (definition as { components?: { schemas?: Record<string, unknown> } }).components;
  const named = (reference: string) => components?.schemas?.[reference.slice(`${id}#/components/schemas/`.length)];
  requireOwnSide(ajv, otherSide, named);
  ajv.addSchema({ $id: id, components: { schemas: components?.schemas ?? {} } });
  // Refusals and headers are declared alike on every operation: one text of a schema is one judge.
  const compiled = new Map<string, ValidateFunction>();
  const compile = ajv.compile.bind(ajv);
  ajv.compile = ((schema: object) => {
    const text = JSON.stringify(schema);
    const judge = compiled.get(text) ?? compile(schema);
    compiled.set(text, judge);
    return judge;
  }) as typeof ajv.compile;
  return ajv;
}

/** OpenAPI: what only the other side sends is required of it alone. `named` finds a schema by its reference. */
function requireOwnSide(ajv: Ajv2020, otherSide: OtherSide, named: (reference: string) => unknown): void {
  const isOwn = (property: { $ref?: string; readOnly?: boolean; writeOnly?: boolean } | undefined): boolean =>
    property?.[otherSide] !== true && (property?.$ref === undefined || isOwn(named(property.$ref) as typeof property));
  ajv.removeKeyword('required');
  ajv.addKeyword({
    keyword: 'required',
    type: 'object',
    schemaType: 'array',
    compile: (names: string[], parent: AnySchemaObject) => {
      const properties = (parent as { properties?: Record<string, object> }).properties ?? {};
      const due = names.filter((name) => isOwn(properties[name]));
      const judge: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: object) => {
        const missing = due.filter((name) => !Object.hasOwn(value, name));
        judge.errors = missing.map((name) => ({
          message: `must have required property '${name}'`,
          params: { missingProperty: name },
        }));
        return missing.length === 0;
      };
      return judge;
    },
  });
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: string,
  benches: readonly Bench[],
  violations: Violation[],
  judged: Map<string, number>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const call = `${method} ${path}`;
  const asked = {
    method,
    path,
    headers: request.headers as Record<string, string | string[]>,
    body: bytes.length === 0 ? undefined : bodyOf(request.headers['content-type'], bytes),
  };
  const seat = benches.flatMap((bench) => {
    const operation = bench.match(asked);
    return operation === undefined ? [] : [{ bench, operation }];
  })[0];
  const name = seat?.operation.operationId ?? null;
  if (seat === undefined)
    violations.push({ call, operation: null, side: 'request', problem: 'no operation of the documents' });
  else {
    judged.set(String(name), (judged.get(String(name)) ?? 0) + 1);
    const bare = { ...asked, path: withoutCredentials(path, seat.bench.credentials) };
    for (const problem of unlessFailed(() => requestProblems(seat.bench, seat.operation, bare)))
      violations.push({ call, operation: name, side: 'request', problem });
  }
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const answer = await fetch(`${upstream}${path}`, {
    method,
    headers: headers as Record<string, string>,
    redirect: 'manual',
    ...(bytes.length === 0 ? {} : { body: bytes }),
  });
  const text = await answer.text();
  if (seat !== undefined) {
    for (const problem of unlessFailed(() => answerProblems(seat.bench, seat.operation, answer, text)))
      violations.push({ call, operation: name, side: 'response', problem: `${answer.status}: ${problem}` });
  }
  const {
    'content-length': _size,
    'transfer-encoding': _encoding,
    connection: _kept,
    ...told
  } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, told).end(text);
}

/** Begins the problem of a call that the validator could not judge. */
export const UNJUDGED = 'the validator failed';

/** The validator throws at schemas that it cannot compile; the call goes on, and the failure is its problem. */
function unlessFailed(problems: () => string[]): string[] {
  try {
    return problems();
  } catch (cause) {
    return [`${UNJUDGED}: ${String(cause)}`];
  }
}

function requestProblems(bench: Bench, operation: Operation, asked: Asked): string[] {
  const { errors } = bench.validator.validateRequest(asked, operation);
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function bodyOf(media: string | undefined, bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (/x-www-form-urlencoded/.test(media ?? '')) return Object.fromEntries(new URLSearchParams(text));
  if (!/json/.test(media ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function answerProblems(bench: Bench, operation: Operation, answer: Response, text: string): string[] {
  const declared = (operation.responses ?? {}) as Record<string, { content?: Record<string, unknown> }>;
  const own = declared[String(answer.status)] ?? declared[`${String(answer.status)[0]}XX`] ?? declared['default'];
  if (own === undefined) return [`status is not declared (${Object.keys(declared).join(', ')})`];
  const problems = contentProblems(bench, operation, answer, text, own.content ?? {});
  if (!('headers' in own)) return problems;
  const headers =
    bench.validator.validateResponseHeaders(Object.fromEntries(answer.headers), operation, {
      statusCode: answer.status,
    }).errors ?? [];
  for (const error of headers) problems.push(`header ${error.instancePath} ${error.message}`);
  return problems;
}

/** A lone `*` is every type. */
const isInRange = (media: string, range: string) =>
  range === media || range === '*' || range === '*/*' || (range.endsWith('/*') && media.startsWith(range.slice(0, -1)));

function contentProblems(
  bench: Bench,
  operation: Operation,
  answer: Response,
  text: string,
  content: Record<string, unknown>,
): string[] {
  const problems: string[] = [];
  const media = mediaTypeOf(answer.headers.get('content-type') ?? '');
  const offered = writtenMediaTypes(content).map(mediaTypeOf);
  const isJson = offered.some((entry) => /^application\/([^;]+\+)?json$/.test(entry));
  if (text !== '' && !offered.some((range) => isInRange(media, range)))
    problems.push(`content-type ${media} is not declared (${offered.join(', ')})`);
  // HTTP allows no body in a 204, whatever is declared.
  if (text === '' && isJson && answer.status !== 204) problems.push('no body, though one is declared');
  let value: unknown = text === '' ? null : text;
  if (text !== '' && /json/.test(media)) value = JSON.parse(text);
  // Where a status declares no content, the validator would take that of the default answer.
  const isJudged = offered.length > 0 && (isJson ? /json$/.test(media) : text === '');
  const errors = isJudged ? (bench.validator.validateResponse(value, operation, answer.status).errors ?? []) : [];
  for (const error of errors)
    problems.push(`${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`.slice(0, 300));
  return problems;
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(';')[0]?.trim() ?? '';
}
