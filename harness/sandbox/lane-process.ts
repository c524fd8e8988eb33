/** The process of one lane: runs connect to it one after the other, and it is started again after one that left it at work. */
import type { Child } from '../subject/subject-process.ts';
import { connectHttp, type Upstream } from './upstream.ts';

export interface LaneProcess {
  /** The connection for one run; one that does not elicit cannot ask the person. */
  connect: (elicits?: boolean) => Promise<Upstream>;
  /**
   * Ends what `connect` gave, where it belongs to the run alone. A subject that may still be at work on a call of the run
   * is started again: it would write and ask in the next one.
   */
  disconnect: (upstream: Upstream, atWork?: boolean) => Promise<void>;
  assertAlive: () => void;
  close: () => Promise<void>;
}

/** Each run has a connection of its own. */
export async function httpProcess(start: () => Promise<Child<{ url: string }>>, bearer: string): Promise<LaneProcess> {
  let child = await start();
  return {
    connect: (elicits) => connectHttp(child.ready.url, bearer, elicits),
    disconnect: async (upstream, atWork) => {
      await upstream.close();
      if (atWork !== true) return;
      await child.close();
      child = await start();
    },
    assertAlive: () => child.assertAlive(),
    close: () => child.close(),
  };
}

/** All runs share one connection: over stdio it is the process. */
export async function stdioProcess(start: () => Promise<Upstream>): Promise<LaneProcess> {
  let shared = await start();
  return {
    connect: async () => shared,
    disconnect: async (_upstream, atWork) => {
      if (atWork !== true) return;
      await shared.close();
      shared = await start();
    },
    assertAlive: () => shared.assertOpen(),
    close: () => shared.close(),
  };
}
