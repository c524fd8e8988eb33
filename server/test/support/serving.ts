/** A router that really listens, over a sample installation. */
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { type SampleInstallation, sampleInstallation } from './sample-installation.ts';

export interface Serving {
  installation: SampleInstallation;
  /** `http://127.0.0.1:PORT/mcp` */
  url: string;
  port: number;
  /** Every line the router logged. */
  log: string[];
  /** Sends the spans of the calls so far. */
  sendTraces: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Nothing stays of one that does not start. */
export async function serving(variables: Record<string, string> = {}): Promise<Serving> {
  const installation = sampleInstallation();
  try {
    return await servingIn(installation, variables);
  } catch (cause) {
    installation[Symbol.dispose]();
    throw cause;
  }
}

async function servingIn(installation: SampleInstallation, variables: Record<string, string>): Promise<Serving> {
  const log: string[] = [];
  const config = installation.config({ MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0', ...variables });
  const router = await openRouter(
    config,
    createLogger('debug', (line) => log.push(line)),
  );
  const { url, close } = await router.serveHttp();
  return {
    installation,
    url,
    port: Number(new URL(url).port),
    log,
    sendTraces: () => router.sendTraces(5_000),
    [Symbol.asyncDispose]: async () => {
      await close();
      router.close();
      installation[Symbol.dispose]();
    },
  };
}
