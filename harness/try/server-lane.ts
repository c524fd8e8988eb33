/**
 * One process of the server that is tried, as a lane of the harness. A process that dies during a run is started again, a
 * few times: one call that ends it must not hide what the others do.
 */
import { randomBytes } from 'node:crypto';
import { HarnessError } from '../harness-errors.ts';
import { credentialsIn } from '../recording/header-credentials.ts';
import { type Bridge, openBridge } from '../sandbox/agent-bridge.ts';
import type { Lane } from '../sandbox/sandbox.ts';
import { endTree, treeOf } from '../subject/process-tree.ts';
import { connectServer, type ServerConnection } from './server-connection.ts';
import { pointedAt, type TriedServer } from './tried-server.ts';
import type { TryTestbed } from './try-testbed.ts';

const MOST_RESTARTS = 3;

/** Of the fake, for each process of the server. One that runs already has the first, whatever is measured. */
export const laneNamespace = (at: number): string => `try-${at + 1}`;

export interface ServerLane extends AsyncDisposable {
  lane: Lane;
  /** As it was connected first. */
  first: Pick<ServerConnection, 'tools' | 'startMs'>;
  /** The process that answers now. */
  current: () => ServerConnection;
  /** How often it had to be started again. */
  restarts: () => number;
  /** True once since the last question when the process ended on its own. */
  hasDied: () => boolean;
}

/** A page is handed around, and a shorter credential may stand in its text by chance. */
const SHORTEST = 12;

export async function openServerLane(server: TriedServer, testbed: TryTestbed, namespace: string): Promise<ServerLane> {
  await using opening = new AsyncDisposableStack();
  const told = pointedAt(server, await testbed.targetFor(namespace));
  let connection = await connectServer(told);
  opening.defer(() => connection[Symbol.asyncDispose]());
  const first = { tools: connection.tools, startMs: connection.startMs };
  const bridge = opening.adopt(await openBridge(), (one: Bridge) => one.close());
  const startAgain = async () => {
    await connection[Symbol.asyncDispose]();
    connection = await connectServer(told);
  };
  let restarts = 0;
  const connect = async () => {
    if (!connection.isOpen()) {
      if (++restarts > MOST_RESTARTS) {
        throw new HarnessError(
          'SERVER_DIED',
          `${server.name} should go on after a call, got its end ${restarts} times`,
        );
      }
      await startAgain();
    }
    const { upstream, tools } = connection;
    return { ...upstream, listTools: async () => tools };
  };
  const opened = opening.move();
  return {
    lane: {
      transport: server.url === undefined ? 'stdio' : 'http',
      gates: 'open',
      namespace,
      platformsAt: testbed.platformsAt,
      bridge,
      ownWords: true,
      // Nothing of the server's own is a secret to this harness; a random one is never found.
      secrets: { bearer: randomBytes(32).toString('hex'), ...credentialsIn(told.headers, SHORTEST) },
      connect,
      disconnect: async (_upstream, atWork) => {
        // It would write and ask in the next run. Who runs already can only be left at work.
        if (atWork !== true || told.command === undefined || !connection.isOpen()) return;
        // Without the time that a server has to end by itself: what it works on is of no use any more.
        await endTree(await treeOf(connection.pid), 0);
        await startAgain();
      },
      assertAlive: testbed.assertAlive,
    },
    first,
    current: () => connection,
    restarts: () => restarts,
    hasDied: () => !connection.isOpen(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
