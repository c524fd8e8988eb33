/** Joins the engine and the control port into one running fake: the only place that knows both. */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiPlace, apiPlaceOf, missingPlace } from './control/api-place.ts';
import { controlServer } from './control/control-server.ts';
import { DEFAULT_FIXTURE, DEFAULT_NAMESPACE } from './control/default-namespace.ts';
import { answerFaulty } from './control/fault-answer.ts';
import { type Fault, strikesBefore } from './control/fault-plan.ts';
import type { FixtureIdentity } from './control/ledger.ts';
import { type Namespace, Namespaces } from './control/namespaces.ts';
import { credentialsIn } from './control/reflection.ts';
import { type Refusal, refuse } from './engine/http/platform-answer.ts';
import {
  classOfUnmatched,
  type EngineRequest,
  handle,
  recognised,
  type Served,
} from './engine/http/request-pipeline.ts';
import type { OpenApiDocument } from './engine/openapi/openapi-document.ts';
import { type Platform, readPlatform } from './engine/openapi/served-platform.ts';
import { NO_PLATFORM_BEHAVIOUR } from './engine/state/platform-behaviour.ts';
import { platformBehaviourOf } from './engine/state/platform-behaviours.ts';
import { FakeApiError } from './fake-errors.ts';
import { fixturePreparer } from './fixtures/prepare-bundle.ts';
import { foreignConventions } from './foreign/foreign-conventions.ts';
import {
  type ForeignPlatform,
  type ForeignSource,
  isForeign,
  readForeignPlatform,
} from './foreign/foreign-platform.ts';
import { type ShippedPlatforms, shippedPlatforms } from './shipped-platforms.ts';

export interface FakeApiOptions {
  /** Platform id to its documents by document id; the shipped models of `platformIds`, or of all, when left out. */
  documents?: ReadonlyMap<string, ReadonlyMap<string, OpenApiDocument>>;
  platformIds?: readonly string[];
  host?: string;
  /** 0 (the default) picks a free port. */
  port?: number;
  controlPort?: number;
  fixture?: string;
  seed?: number;
  /** Documents of somebody else, served beside the platforms. A broken one is refused and leaves the others served. */
  foreign?: ForeignSource[];
}

/** What became of one foreign document. */
export interface ForeignOutcome {
  file: string;
  platform: ForeignPlatform | null;
  refusal: FakeApiError | null;
}

export interface FakeApi extends AsyncDisposable {
  /** Base URLs without a trailing slash. */
  api: string;
  control: string;
  platforms: Record<string, string>;
  fixture: FixtureIdentity;
  foreign: ForeignOutcome[];
  close: () => Promise<void>;
}

export async function startFakeApi(options: FakeApiOptions = {}): Promise<FakeApi> {
  // A fixture knows our own platforms; what a foreign document keeps begins without one.
  const own =
    options.documents === undefined
      ? await shippedPlatforms(options.platformIds)
      : describedPlatforms(options.documents);
  const platforms = new Map(own.platforms);
  const foreign = await addForeign(platforms, options.foreign ?? []);
  if (platforms.size === 0)
    throw (
      foreign.find((entry) => entry.refusal !== null)?.refusal ??
      new FakeApiError('FAKE_USAGE', { problem: 'expected at least one platform or document to serve, got none' })
    );

  const namespaces = new Namespaces(platforms, own.prepare, {
    fixture: options.fixture ?? DEFAULT_FIXTURE,
    seed: options.seed ?? null,
  });
  const { fixture } = await namespaces.reset(DEFAULT_NAMESPACE, {});

  const host = options.host ?? '127.0.0.1';
  const served = new Map<string, Served>();
  for (const [id, platform] of platforms) served.set(id, await servedPlatform(id, platform));
  const apiServer = serveApi(served, namespaces);
  const control = controlServer(namespaces);
  const close = async (): Promise<void> => {
    await Promise.all([apiServer.close(), control.close()]);
  };
  try {
    await listen(apiServer, host, options.port ?? 0, 'API');
    await listen(control, host, options.controlPort ?? 0, 'control');
  } catch (cause) {
    await close();
    throw cause;
  }
  const api = urlOf(apiServer, host);
  return {
    api,
    control: urlOf(control, host),
    platforms: Object.fromEntries([...platforms.keys()].map((id) => [id, `${api}/${id}`])),
    fixture,
    foreign,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Behaviour that a folder states by the name of a platform is for a shipped platform only. */
async function servedPlatform(id: string, platform: Platform): Promise<Served> {
  if (!isForeign(platform)) return { platform, world: await platformBehaviourOf(id) };
  return { platform, world: NO_PLATFORM_BEHAVIOUR, conventions: foreignConventions(platform) };
}

async function addForeign(
  platforms: Map<string, Platform>,
  sources: readonly ForeignSource[],
): Promise<ForeignOutcome[]> {
  const outcomes: ForeignOutcome[] = [];
  for (const source of sources) {
    try {
      const platform = await readForeignPlatform(source, new Set(platforms.keys()));
      platforms.set(platform.id, platform);
      outcomes.push({ file: source.file, platform, refusal: null });
    } catch (cause) {
      if (!(cause instanceof FakeApiError)) throw cause;
      outcomes.push({ file: source.file, platform: null, refusal: cause });
    }
  }
  return outcomes;
}

function describedPlatforms(documents: ShippedPlatforms['documents']): ShippedPlatforms {
  const platforms = new Map<string, Platform>();
  for (const [id, own] of documents) platforms.set(id, readPlatform({ id, documents: Object.fromEntries(own) }));
  return { platforms, documents, prepare: fixturePreparer(platforms) };
}

/** One handler for every path: the engine has its own routes, one set for all namespaces. */
function serveApi(served: ReadonlyMap<string, Served>, namespaces: Namespaces): FastifyInstance {
  const answer = (request: FastifyRequest, reply: FastifyReply, refused?: Refusal): FastifyReply =>
    answerCall(served, namespaces, request, reply, refused);
  const server = Fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    // A path the framework cannot decode still is a call of the client, and still counts.
    frameworkErrors: (_error, request, reply) => {
      answer(request as FastifyRequest, reply as FastifyReply);
    },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setErrorHandler((error, request, reply) => answer(request, reply, transportRefusal(error)));
  // The not-found handler takes every method, known to the framework or not, so nothing escapes the ledger.
  server.setNotFoundHandler((request, reply) => answer(request, reply));
  return server;
}

function answerCall(
  served: ReadonlyMap<string, Served>,
  namespaces: Namespaces,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refusal | undefined,
): FastifyReply {
  const target = request.raw.url ?? '/';
  const cut = target.indexOf('?');
  const path = cut < 0 ? target : target.slice(0, cut);
  const place = apiPlaceOf(path);
  const namespace = place === null ? undefined : namespaces.get(place.namespace);
  const platform = place === null ? undefined : served.get(place.platform);
  if (place === null || namespace === undefined || platform === undefined) {
    if (place !== null && namespace !== undefined) noteUnknownPlatform(namespace, place, request.method);
    const message = missingPlace(path, place, namespaces, served);
    return reply.code(404).send({ httpStatusCode: 404, errorCode: 'UNKNOWN_PLACE', message });
  }
  return answerByPlatform(platform, namespace, reply, {
    method: request.method,
    path: place.path,
    query: cut < 0 ? '' : target.slice(cut + 1),
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
    base: `http://${request.host}${path.slice(0, path.length - (path.endsWith(place.path) ? place.path.length : 0))}`,
    ...(refused === undefined ? {} : { refused }),
  });
}

/** The engine's response, spoilt where the fault plan of the namespace says so. */
function answerByPlatform(
  served: Served,
  namespace: Namespace,
  reply: FastifyReply,
  asked: EngineRequest,
): FastifyReply {
  const fault = plannedFault(served, namespace, asked);
  if (fault !== undefined && strikesBefore(fault)) asked.refused ??= plannedRefusal(fault);
  const response = handle(served, namespace.state, namespace.ledger, asked);
  const { status, headers, body, encoding } = response;
  if (fault === undefined)
    return reply
      .code(status)
      .headers(headers)
      .send(encoding === undefined ? body : Buffer.from(body, encoding));
  namespace.ledger.markFault(fault.kind);
  reply.hijack();
  answerFaulty(reply.raw, response, fault, namespace.faults.heard);
  return reply;
}

const BODY_LIMIT = 16 * 1024 * 1024;

/** What the framework refuses before the engine sees it. */
function transportRefusal(error: unknown): Refusal {
  const status = (error as { statusCode?: number }).statusCode ?? 400;
  if (status === 413)
    return refuse(413, 'BODY_TOO_LARGE', `request body: expected at most ${BODY_LIMIT} bytes, got more`);
  return refuse(status, 'INVALID_REQUEST', `request: expected well-formed HTTP, got: ${(error as Error).message}`);
}

/** What the plan of this namespace has for a call. An expired session is forgotten by the platform, too. */
function plannedFault(served: Served, { faults, state }: Namespace, asked: EngineRequest): Fault | undefined {
  const { platform } = served;
  const { operation, capability } = recognised(served, asked);
  if (faults.listens)
    for (const credential of credentialsIn(asked, capability === 'auth')) faults.heard.add(credential);
  const fault = faults.take({
    platform: platform.id,
    method: asked.method,
    template: operation?.template ?? null,
    operationId: operation?.id ?? null,
    capability,
  });
  if (fault?.kind === 'expire')
    for (const [token, issued] of state.tokens) if (issued.platform === platform.id) state.tokens.delete(token);
  return fault;
}

function plannedRefusal(fault: Fault): Refusal {
  const status = fault.kind === 'expire' ? 401 : fault.kind === 'status' ? fault.status : 503;
  return refuse(status, 'PLANNED_FAULT', 'this call was planned to fail');
}

/** A call of a platform that is not served counts for the namespace too: nothing a client does goes unseen. */
function noteUnknownPlatform(namespace: Namespace, place: ApiPlace, method: string): void {
  namespace.ledger.append({
    at: namespace.state.clock.iso(),
    platform: place.platform,
    method,
    path: place.path,
    query: '',
    template: null,
    operationId: null,
    capability: classOfUnmatched(method),
    status: 404,
    bodyHash: null,
  });
}

async function listen(server: FastifyInstance, host: string, port: number, purpose: string): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') throw new FakeApiError('FAKE_PORT_IN_USE', { purpose, host, port }, { cause });
    throw new FakeApiError('FAKE_LISTEN_FAILED', { purpose, host, port, problem: code ?? String(cause) }, { cause });
  }
}

function urlOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
