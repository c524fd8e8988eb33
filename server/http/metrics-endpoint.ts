/** `/metrics`: Prometheus text, or the same snapshot as JSON where that is asked for (specification 2.2, 2.3, 3.2). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsSnapshot } from '../telemetry/metrics.ts';
import { PROMETHEUS_TYPE, prometheusText } from '../telemetry/prometheus.ts';

export function addMetrics(app: FastifyInstance, snapshot: () => MetricsSnapshot | Promise<MetricsSnapshot>): void {
  app.get('/metrics', async (request, reply) => {
    const taken = await snapshot();
    void reply.header('cache-control', 'no-store');
    // While nothing is collected there is nothing to scrape, only something to tell.
    if (!taken.enabled || wantsJson(request)) return reply.send(taken);
    return reply.type(PROMETHEUS_TYPE).send(prometheusText(taken));
  });
}

function wantsJson(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: unknown };
  if (format !== undefined) return format === 'json';
  return bestOf(request.headers.accept ?? '') === 'application/json';
}

/** The type of an Accept header with the highest weight, the first of equals; text where it says nothing. */
function bestOf(accept: string): string {
  let best = { type: 'text/plain', weight: 0 };
  for (const entry of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const stated = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = stated === undefined ? 1 : Number(stated);
    if (type !== '' && weight > best.weight) best = { type, weight };
  }
  return best.type;
}
