/** The control port: reset, ledger, state, snapshots and clock of namespaces. Never reachable over the API port. */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { withPresence } from '../engine/state/secrets.ts';
import { asCommitted } from '../engine/state/stage.ts';
import { FakeApiError } from '../fake-errors.ts';
import { type At, ControlRefusal, existing, readBody } from './control-request.ts';
import { FaultPlanBody, type FaultReport, type FaultRule } from './fault-plan.ts';
import { addIncidentRoutes, IncidentName } from './incident-routes.ts';
import type { Namespace, Namespaces } from './namespaces.ts';
import { changesSince } from './row-changes.ts';

const ResetBody = Type.Object(
  {
    fixture: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })),
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
    limits: Type.Optional(Type.Union([Type.Literal('announced'), Type.Literal('enforced')])),
    incident: Type.Optional(IncidentName),
  },
  { additionalProperties: false },
);
const RestoreBody = Type.Object({ id: Type.String() }, { additionalProperties: false });
const ClockBody = Type.Object(
  { advanceSeconds: Type.Number({ minimum: 0, maximum: 315_360_000 }) },
  { additionalProperties: false },
);
const NAMESPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

const checks = {
  reset: Compile(ResetBody),
  restore: Compile(RestoreBody),
  clock: Compile(ClockBody),
  faults: Compile(FaultPlanBody),
};

export function controlServer(namespaces: Namespaces): FastifyInstance {
  // An idle connection is closed by the client alone: closed here, it may go just when the next request is on its way.
  const server = Fastify({ logger: false, forceCloseConnections: true, keepAliveTimeout: 0 });
  // An empty body is how "reset to the start" is said; a body that is not JSON is refused by name below.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
  server.setErrorHandler((error, _request, reply) => refuse(reply, error));
  server.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      new ControlRefusal(404, 'UNKNOWN_PATH', `path: expected a control path, got ${request.method} ${request.url}`),
    ),
  );
  server.get('/health', () => ({ status: 'ok' }));
  addNamespaceRoutes(server, namespaces);
  addStateRoutes(server, namespaces);
  addSnapshotRoutes(server, namespaces);
  addClockRoutes(server, namespaces);
  addFaultRoutes(server, namespaces);
  addIncidentRoutes(server, namespaces);
  return server;
}

function addNamespaceRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.get('/namespaces', () => ({ namespaces: namespaces.names() }));
  server.post<At>('/namespaces/:namespace/reset', async (request) => {
    const name = request.params.namespace;
    if (!NAMESPACE.test(name)) {
      throw new ControlRefusal(
        400,
        'INVALID_NAMESPACE',
        `namespace: expected letters, digits, ".", "_" and "-", got "${name}"`,
      );
    }
    return await namespaces.reset(name, readBody(checks.reset, request.body ?? ''));
  });
  server.delete<At>('/namespaces/:namespace', (request) => {
    const { name } = existing(namespaces, request.params.namespace);
    namespaces.delete(name);
    return { deleted: name };
  });
}

function addStateRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.get<At & { Querystring: Record<string, string> }>('/namespaces/:namespace/ledger', (request) => {
    const { ledger } = existing(namespaces, request.params.namespace);
    const after = request.query['after'] ?? '0';
    if (!/^\d{1,15}$/.test(after)) {
      throw new ControlRefusal(
        400,
        'INVALID_PARAMETER',
        `query parameter "after": expected a sequence number, got "${after}"`,
      );
    }
    return { entries: ledger.after(Number(after)) };
  });
  server.get<At & { Querystring: Record<string, string> }>('/namespaces/:namespace/state', (request) =>
    stateOf(existing(namespaces, request.params.namespace), request.query),
  );
  server.get<At>('/namespaces/:namespace/changes', (request) => {
    const { state, start } = existing(namespaces, request.params.namespace);
    return { changes: changesSince(state, start) };
  });
  server.get<At>('/namespaces/:namespace/state-hash', (request) => ({
    hash: existing(namespaces, request.params.namespace).state.hash(),
  }));
}

function addSnapshotRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.post<At>('/namespaces/:namespace/snapshot', (request) => {
    const { snapshots, state } = existing(namespaces, request.params.namespace);
    const id = `snapshot-${snapshots.size + 1}`;
    snapshots.set(id, state.save());
    return { id };
  });
  server.post<At>('/namespaces/:namespace/restore', (request) => {
    const { snapshots, state } = existing(namespaces, request.params.namespace);
    const { id } = readBody(checks.restore, request.body ?? '');
    const saved = snapshots.get(id);
    if (saved === undefined) {
      const known = [...snapshots.keys()].join(', ') || 'none';
      throw new ControlRefusal(404, 'UNKNOWN_SNAPSHOT', `id: expected one of ${known}, got "${id}"`);
    }
    state.restore(saved);
    return { id };
  });
}

function addClockRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.get<At>('/namespaces/:namespace/clock', (request) => ({
    now: existing(namespaces, request.params.namespace).state.clock.iso(),
  }));
  server.post<At>('/namespaces/:namespace/clock', (request) => {
    const { state } = existing(namespaces, request.params.namespace);
    state.clock.advance(readBody(checks.clock, request.body ?? '').advanceSeconds);
    state.touch();
    return { now: state.clock.iso() };
  });
}

function addFaultRoutes(server: FastifyInstance, namespaces: Namespaces): void {
  server.get<At>('/namespaces/:namespace/faults', (request): { rules: FaultReport[] } => ({
    rules: existing(namespaces, request.params.namespace).faults.report(),
  }));
  server.put<At>('/namespaces/:namespace/faults', (request) => {
    const { faults } = existing(namespaces, request.params.namespace);
    const { rules } = readBody(checks.faults, request.body ?? '');
    faults.set(rules as FaultRule[]);
    return { rules: rules.length };
  });
}

function stateOf(namespace: Namespace, query: Record<string, string>): object {
  const { platform, resource, view = 'edited' } = query;
  const platforms = [...namespace.state.platforms.keys()];
  const id = platform ?? (platforms.length === 1 ? platforms[0] : undefined);
  const known = id === undefined ? undefined : namespace.state.platforms.get(id);
  if (id === undefined || known === undefined) {
    throw new ControlRefusal(
      404,
      'UNKNOWN_PLATFORM',
      `platform: expected one of ${platforms.join(', ')}, got "${platform ?? ''}"`,
    );
  }
  if (view !== 'edited' && view !== 'committed') {
    throw new ControlRefusal(400, 'INVALID_PARAMETER', `view: expected edited or committed, got "${view}"`);
  }
  const read = (): object => rowsOf(namespace, known, resource);
  return view === 'committed' ? asCommitted(namespace.state, known, read) : read();
}

function rowsOf({ state }: Namespace, { id, resources }: Platform, resource: string | undefined): object {
  if (resource === undefined) {
    return {
      resources: Object.fromEntries([...resources.keys()].sort().map((name) => [name, state.rows(id, name).size])),
    };
  }
  if (!resources.has(resource)) {
    throw new ControlRefusal(
      404,
      'UNKNOWN_RESOURCE',
      `resource: expected one of ${[...resources.keys()].join(', ')}, got "${resource}"`,
    );
  }
  return { items: [...state.rows(id, resource).all()].map((row) => withPresence(row.value, row.secrets)) };
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ControlRefusal)
    return reply.code(error.status).send({ code: error.code, message: error.message });
  if (error instanceof FakeApiError) {
    return reply
      .code(error.exitCode === 2 ? 400 : 500)
      .send({ code: error.code, message: error.message, remedy: error.remedy });
  }
  const message = error instanceof Error ? error.message : String(error);
  return reply.code((error as { statusCode?: number }).statusCode ?? 500).send({ code: 'CONTROL_FAILED', message });
}
