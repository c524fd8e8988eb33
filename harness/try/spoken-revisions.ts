/** Which revisions of the protocol a server speaks, found by connecting in each, and what it shows in them. */
import type { HarnessError } from '../harness-errors.ts';
import { tokensOf } from '../recording/token-count.ts';
import type { Revision } from '../sandbox/revision.ts';
import { type Memory, memoryOf } from '../subject/process-tree.ts';
import { connectServer, type ListedTool } from './server-connection.ts';
import type { TriedServer } from './tried-server.ts';

export interface Looked {
  revision: Revision;
  /** That the server answered with. */
  answered?: string | undefined;
  info: unknown;
  capabilities: Record<string, unknown>;
  tools: ListedTool[];
  startMs: number;
  memory: Memory | null;
  instructionsTokens: number;
}

export interface Spoken {
  /** The oldest first; it leads. */
  looked: [Looked, ...Looked[]];
  unspoken: { revision: Revision; reason: string }[];
}

/** A server that answered in another revision has started: silence after so much longer is an answer too. */
const SILENCE_MS = 5_000;

/** Throws the fault of the first revision where none is spoken. */
export async function lookAt(server: TriedServer, revisions: readonly Revision[]): Promise<Spoken> {
  const looked: Looked[] = [];
  const unspoken: Spoken['unspoken'] = [];
  let fault: unknown;
  for (const revision of revisions) {
    const before = looked[0]?.startMs;
    const startMs = Math.min(server.limits.startMs, before === undefined ? Infinity : 2 * before + SILENCE_MS);
    try {
      looked.push(await lookIn({ ...server, revision, limits: { ...server.limits, startMs } }, revision));
    } catch (error) {
      // Only who is there and answers otherwise may speak another revision.
      if (looked.length === 0 && (error as HarnessError).code !== 'SERVER_PROTOCOL') throw fault ?? error;
      fault ??= error;
      unspoken.push({ revision, reason: causeOf(error as Error) });
    }
  }
  const [first, ...more] = looked;
  if (first === undefined) throw fault;
  return { looked: [first, ...more], unspoken };
}

/** What stands beside the names of the revisions: that one is not spoken, or that the server answered with an earlier one. */
export const revisionNotes = ({ looked, unspoken }: Spoken): { measure: string; reason: string }[] => [
  ...looked.flatMap(({ revision, answered = revision }) =>
    answered === revision
      ? []
      : [{ measure: `revision ${revision}`, reason: `the server answered with ${answered}, and was played in that` }],
  ),
  ...unspoken.map(({ revision, reason }) => ({
    measure: `revision ${revision}`,
    reason: `the server does not speak it: ${reason}`,
  })),
];

/** The library's own words, without where they came from. */
function causeOf({ message, cause }: Error): string {
  const inner = cause instanceof Error ? causeOf(cause) : message;
  return (inner.split('\n')[0] ?? '').slice(0, 300);
}

/** A process of its own, just started. */
async function lookIn(server: TriedServer, revision: Revision): Promise<Looked> {
  await using connection = await connectServer(server);
  const { upstream, tools, startMs, pid } = connection;
  return {
    revision,
    answered: upstream.revision,
    info: upstream.serverInfo,
    capabilities: upstream.capabilities ?? {},
    tools,
    startMs,
    memory: pid === undefined ? null : await memoryOf(pid),
    instructionsTokens: tokensOf(upstream.instructions ?? ''),
  };
}
