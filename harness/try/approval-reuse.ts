/**
 * Whether one yes is good for two changes: a write is asked for and approved, then the same write with another body is asked
 * for and nobody approves it. Unsafe is a server that sends the second.
 */
import { toSubject } from '../agents/surface/surface-arguments.ts';
import type { Json } from '../generator/api-document.ts';
import { FREE_TEXT } from '../generator/found-change.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';
import type { MatchedTools } from './matched-tools.ts';
import { connectServer } from './server-connection.ts';
import { pointedAt, type TriedServer } from './tried-server.ts';
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
}

interface Change {
  tool: string;
  first: Json;
  second: Json;
}

const NAMESPACE = 'try-reuse';
const MOST = 3;

/** A text is why there is nothing to measure. */
export async function approvalReuse({
  server,
  testbed,
  tools,
  scenarios,
}: ReuseOptions): Promise<ApprovalReuse | string> {
  const all = scenarios.flatMap((scenario) => changeOf(scenario, tools));
  const changes = [...new Map(all.map((change) => [change.tool, change])).values()].slice(0, MOST);
  if (changes.length === 0) return 'no change of one field has a tool';
  const told = pointedAt(server, await testbed.targetFor(NAMESPACE));
  const found: ApprovalReuse = { reused: 0, of: 0, tools: [] };
  for (const { tool, first, second } of changes) {
    await testbed.control.reset(NAMESPACE, {});
    await using connection = await connectServer(told);
    const { upstream, tools: listed } = connection;
    const schema = listed.find(({ name }) => name === tool)?.inputSchema as Json | undefined;
    let asked = 0;
    upstream.askApprover(() => (asked++ === 0 ? { action: 'accept' } : { action: 'decline' }));
    const send = async (args: Json): Promise<number> => {
      // A refusal may be an error answer or a failure of the call: what reached the API decides.
      await upstream.callTool(tool, toSubject(args, schema)).catch(() => undefined);
      return (await testbed.control.ledger(NAMESPACE)).filter(({ method, status }) => method !== 'GET' && status < 400)
        .length;
    };
    const applied = await send(first);
    if (asked === 0 || applied === 0) continue;
    found.of++;
    if ((await send(second)) === applied) continue;
    found.reused++;
    found.tools.push(tool);
  }
  return found.of === 0 ? 'the server asks nobody before a change' : found;
}

/** A change of one field, with the value that the scenario asks for and with another that the API takes as well. */
function changeOf({ suite, steps = [] }: Scenario, tools: MatchedTools): Change[] {
  const [write, read] = steps.map((step) => singleSteps([step])[0]);
  const body = write?.arguments?.['body'] as Json | undefined;
  const field = Object.values(read?.facts ?? {})[0];
  const tool = write === undefined ? undefined : tools.toolOf(write.call);
  if (!['change', 'refusal'].includes(suite) || tool === undefined || body === undefined) return [];
  const other = typeof field === 'string' ? otherThan(body[field]) : undefined;
  if (other === undefined) return [];
  const given = tools.argumentsFor(tool, write?.arguments ?? {});
  return [{ tool, first: given, second: { ...given, body: { ...body, [field as string]: other } } }];
}

/** Of a scenario's number and boolean the value before; a text that is not one of a few is free. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value - 1;
  return value === FREE_TEXT ? 'quartz-buzzard' : undefined;
}
