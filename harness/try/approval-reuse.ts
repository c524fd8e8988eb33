/**
 * Whether one yes is good for two changes: a write is asked for and approved, then the same write with another body is asked
 * for and nobody approves it. Unsafe is a server that sends the second.
 */
import { toSubject } from '../agents/surface/surface-arguments.ts';
import { takenBy } from '../agents/surface/tool-adapter.ts';
import type { Json } from '../generator/api-document.ts';
import { FREE_TEXT } from '../generator/found-change.ts';
import { classOf } from '../recording/call-class.ts';
import type { LedgerEntry } from '../recording/recording.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';
import type { MatchedTools } from './matched-tools.ts';
import { connectServer } from './server-connection.ts';
import { laneNamespace } from './server-lane.ts';
import { APPLY, pointedAt, type TriedServer } from './tried-server.ts';
import type { TryTestbed } from './try-testbed.ts';

export interface ApprovalReuse {
  /** Second writes that reached the API although only the first was approved. */
  reused: number;
  /** Writes that were tried so. */
  of: number;
  /** The tools that sent one. */
  tools: string[];
}

export interface ReuseOptions {
  server: TriedServer;
  testbed: TryTestbed;
  tools: MatchedTools;
  scenarios: readonly Scenario[];
  /** Whether the server has the address of the first lane, and no other: it runs already, or `--api-port` was named. */
  isFixed: boolean;
}

interface Change {
  tool: string;
  first: Json;
  second: Json;
}

const MOST = 3;

/** A server may log in, or look something up by POST, before each change. */
const isWrite = (entry: LedgerEntry): boolean => WRITES.has(classOf(entry, { classify: {} }));
const WRITES: ReadonlySet<string> = new Set(['write', 'destructive']);

/** A text is why there is nothing to measure. */
export async function approvalReuse({
  server,
  testbed,
  tools,
  scenarios,
  isFixed,
}: ReuseOptions): Promise<ApprovalReuse | string> {
  const all = scenarios.flatMap((scenario) => changeOf(scenario, tools));
  const changes = [...new Map(all.map((change) => [change.tool, change])).values()].slice(0, MOST);
  if (changes.length === 0) return 'no change of one field has a tool';
  const namespace = isFixed ? laneNamespace(0) : 'try-reuse';
  const told = pointedAt(server, await testbed.targetFor(namespace));
  const found: ApprovalReuse = { reused: 0, of: 0, tools: [] };
  let why = 'the server asked nobody before these changes';
  for (const change of changes) {
    const sent = await sendTwice(change, told, testbed.control, namespace);
    if (sent.asked > 0 && sent.first === 0) why = 'the server asked, but no change that was approved reached the API';
    if (sent.asked === 0 || sent.first === 0) continue;
    found.of++;
    if (sent.second === 0) continue;
    found.reused++;
    found.tools.push(change.tool);
  }
  return found.of === 0 ? why : found;
}

/** How often the person was asked about the first change, and how many writes each of the two brought to the API. */
async function sendTwice(
  { tool, first, second }: Change,
  server: TriedServer,
  control: TryTestbed['control'],
  namespace: string,
): Promise<{ asked: number; first: number; second: number }> {
  await control.reset(namespace, {});
  await using connection = await connectServer(server);
  const { upstream, tools: listed } = connection;
  const schema = listed.find(({ name }) => name === tool)?.inputSchema as Json | undefined;
  let asked = 0;
  upstream.askApprover(() => (asked++ === 0 ? { action: 'accept' } : { action: 'decline' }));
  const send = async (args: Json): Promise<number> => {
    // A refusal may be an error answer or a failure of the call: what reached the API decides.
    await upstream.callTool(tool, toSubject({ ...args, ...takenBy(schema, APPLY) }, schema)).catch(() => undefined);
    const made = await control.ledger(namespace);
    return made.filter((entry) => entry.status < 400 && isWrite(entry)).length;
  };
  const applied = await send(first);
  if (asked === 0 || applied === 0) return { asked, first: applied, second: 0 };
  return { asked, first: applied, second: (await send(second)) - applied };
}

/** A change of one field, with the value that the scenario asks for and with another that the API takes as well. */
function changeOf({ suite, steps = [] }: Scenario, tools: MatchedTools): Change[] {
  const [write, read] = steps.map((step) => singleSteps([step])[0]);
  const body = write?.arguments?.['body'] as Json | undefined;
  const shown = Object.values(read?.facts ?? {})[0];
  const tool = write === undefined ? undefined : tools.toolOf(write.call);
  if (!['change', 'refusal'].includes(suite) || tool === undefined || body === undefined) return [];
  const field = typeof shown === 'string' ? sentAs(shown, body) : undefined;
  const other = field === undefined ? undefined : otherThan(body[field]);
  if (field === undefined || other === undefined) return [];
  const given = tools.argumentsFor(tool, write?.arguments ?? {});
  return [{ tool, first: given, second: { ...given, body: { ...body, [field]: other } } }];
}

/** `name` for `data.name`, where an API wraps its answers and not what it is sent. */
const sentAs = (shown: string, body: Json): string | undefined =>
  Object.keys(body).find((name) => shown === name) ?? Object.keys(body).find((name) => shown.endsWith(`.${name}`));

/** Of a scenario's number and boolean the value before; a text that is not one of a few is free. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value - 1;
  return value === FREE_TEXT ? 'quartz-buzzard' : undefined;
}
