/**
 * The console of routers on stdio. Each client starts a router of its own, and the first one serves the console for all,
 * because they share the approvals. When it ends with its client, another one takes its place.
 */
import { setTimeout } from 'node:timers/promises';
import { RouterError } from '../errors.ts';
import type { Router } from '../router.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';

/** Undefined where there is no console. */
type Serve = Router['serveConsole'];

export interface ConsoleBesideStdio {
  /** Undefined where there is none, or another router serves it. */
  url: string | undefined;
  close: () => Promise<void>;
}

/** Until a router looks again whether the port is free. */
const AGAIN_MS = 5_000;

/** Throws what `serve` throws, except for PORT_IN_USE: that is tried again. */
export async function consoleBesideStdio(
  serve: Serve,
  logger: Logger,
  againMs = AGAIN_MS,
): Promise<ConsoleBesideStdio> {
  const open = async () => {
    const served = await serve();
    // A router on stdio ends with its client.
    served?.unref();
    return served;
  };
  try {
    const served = await open();
    return { url: served?.url, close: async () => served?.close() };
  } catch (error) {
    if (!isInUse(error)) throw error;
    logger.warn('console.elsewhere', errorFields(error));
  }
  const ended = new AbortController();
  const later = takeOver(open, logger, { againMs, signal: ended.signal });
  return {
    url: undefined,
    close: async () => {
      ended.abort();
      await (await later)?.close();
    },
  };
}

async function takeOver(
  open: Serve,
  logger: Logger,
  { againMs, signal }: { againMs: number; signal: AbortSignal },
): ReturnType<Serve> {
  for (;;) {
    try {
      await setTimeout(againMs, undefined, { signal, ref: false });
      const served = await open();
      logger.info('console.here', { url: served?.url });
      return served;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isInUse(error)) continue;
      logger.error('console.failed', errorFields(error));
      return undefined;
    }
  }
}

const isInUse = (error: unknown): boolean => error instanceof RouterError && error.code === 'PORT_IN_USE';
