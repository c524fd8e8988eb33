/** Two routers as processes, asked in turn within each round, so that other work of the machine slows both alike. */
import { join } from 'node:path';
import { setup as expandDocuments } from '#fake-api/documents';
import { median } from '../bench/statistics.ts';
import { type Child, ROOT, startChild } from './child-process.ts';
import { mcpRequest, Wire } from './mcp-wire.ts';

export interface Effort {
  rounds: number;
  requests: number;
  connections: number;
}

/** A call of a tool, or any other message of a client. */
export interface Asked {
  method: string;
  params: Record<string, unknown>;
}

/** One of the two: its settings, and the bearer of its callers. */
export interface Side {
  variables: Record<string, string>;
  bearer: string;
}

interface Rate {
  perSecond: number;
  /** Of the router's process, per call; NaN where the system does not tell it. */
  cpuMs: number;
}

export interface PairedRates {
  plainPerSecond: number;
  otherPerSecond: number;
  /** Throughput of the other side as a share of the plain one. */
  ratio: number;
  /** The same by the CPU time of the processes. */
  cpuRatio: number;
}

/** Throws at an answer other than 200. */
async function rateOf(router: Child, { bearer }: Side, { requests, connections }: Effort, asked: Asked): Promise<Rate> {
  const request = mcpRequest({ era: '2026-07-28', id: 1, bearer, ...asked });
  let left = requests;
  const worker = async () => {
    const wire = new Wire(Number(new URL(String(router.ready['url'])).port));
    while (left-- > 0) {
      const { status } = await wire.ask(request);
      if (status !== 200) throw new Error(`a call should answer 200, got ${status}`);
    }
    wire.close();
  };
  const [cpu, began] = [router.cpuSeconds() ?? Number.NaN, performance.now()];
  await Promise.all(Array.from({ length: connections }, worker));
  const perSecond = (requests * 1000) / (performance.now() - began);
  return { perSecond, cpuMs: (((router.cpuSeconds() ?? Number.NaN) - cpu) * 1000) / requests };
}

function startQuietRouter(folder: string, variables: Record<string, string>): Promise<Child> {
  const env = {
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SVC_MCP_LOG_LEVEL: 'error',
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'none.yaml'),
    ...variables,
  };
  return startChild(join(ROOT, 'server/cli/router.mjs'), ['--json'], env, folder);
}

/** Medians over the rounds. The first round warms both up; the order alternates, so that neither has the warmer machine. */
export async function pairedRates(
  folder: string,
  sides: { plain: Side; other: Side },
  effort: Effort,
  asked: Asked,
): Promise<PairedRates> {
  await expandDocuments();
  const plain = await startQuietRouter(folder, sides.plain.variables);
  const other = await startQuietRouter(folder, sides.other.variables);
  const rates = {
    plain: () => rateOf(plain, sides.plain, effort, asked),
    other: () => rateOf(other, sides.other, effort, asked),
  };
  try {
    const pairs: { plain: Rate; other: Rate }[] = [];
    for (let round = 0; round <= effort.rounds; round++) {
      const first = round % 2 ? await rates.other() : await rates.plain();
      const second = round % 2 ? await rates.plain() : await rates.other();
      if (round > 0) pairs.push(round % 2 ? { plain: second, other: first } : { plain: first, other: second });
    }
    return {
      plainPerSecond: Math.round(median(pairs.map((pair) => pair.plain.perSecond))),
      otherPerSecond: Math.round(median(pairs.map((pair) => pair.other.perSecond))),
      ratio: median(pairs.map((pair) => pair.other.perSecond / pair.plain.perSecond)),
      cpuRatio: median(pairs.map((pair) => pair.plain.cpuMs / pair.other.cpuMs)),
    };
  } finally {
    await Promise.all([plain.stop(), other.stop()]);
  }
}
