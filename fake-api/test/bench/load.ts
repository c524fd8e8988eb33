/** The load process: keeps some connections busy with one path after the other and counts what comes back. */
import { Agent, get } from 'node:http';
import { quantile } from 'simple-statistics';

export interface LoadOrder {
  base: string;
  token: string;
  paths: string[];
  seconds: number;
  connections: number;
}

export interface LoadAnswer {
  calls: number;
  failures: number;
  callsPerSecond: number;
  p50Ms: number;
  p95Ms: number;
}

const WARM_UP_MS = 1000;

process.once('message', (order: LoadOrder) => {
  void drive(order).then((answer) => process.send?.(answer, () => process.exit(0)));
});

async function drive(order: LoadOrder): Promise<LoadAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  await run(order, agent, WARM_UP_MS);
  const started = performance.now();
  const { durations, failures } = await run(order, agent, order.seconds * 1000);
  const elapsedMs = performance.now() - started;
  agent.destroy();
  const at = (p: number) => (durations.length === 0 ? 0 : Math.round(quantile(durations, p) * 100) / 100);
  return {
    calls: durations.length,
    failures,
    callsPerSecond: durations.length / (elapsedMs / 1000),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
  };
}

async function run(order: LoadOrder, agent: Agent, forMs: number): Promise<{ durations: number[]; failures: number }> {
  const durations: number[] = [];
  let failures = 0;
  let next = 0;
  const end = performance.now() + forMs;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const path = order.paths[next++ % order.paths.length] as string;
      const from = performance.now();
      const status = await call(`${order.base}${path}`, order.token, agent);
      durations.push(performance.now() - from);
      if (status !== 200) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: order.connections }, lane));
  return { durations, failures };
}

function call(url: string, token: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    }).on('error', reject);
  });
}
