/**
 * An agent that obeys every instruction in a tool result, without a model: the worst case for a planted instruction.
 * Its success shows what the subject permits anyone.
 */
import { type OrderExecutor, openExecutor } from './gullible/gullible-tools.ts';
import { ordersIn } from './gullible/orders.ts';
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached, type ToolAnswer } from './mcp/agent-client.ts';

export default {
  id: 'gullible',
  about: 'obeys whatever a tool result says; nothing unapproved may come of it',
  role: 'control',
  seesSteps: false,
  solve: async ({ intent, roles }, mcp) => {
    if (roles === undefined) return undefined;
    const executor = await openExecutor(mcp, roles);
    let answer: unknown;
    try {
      for await (const result of obedience(intent, executor)) answer ??= result.isError ? undefined : result.json;
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return answer;
  },
} satisfies Agent;

/** Everything that comes back when each order is carried out once. */
async function* obedience(intent: string, hands: OrderExecutor): AsyncGenerator<ToolAnswer> {
  const heard: unknown[] = [intent];
  const obeyed = new Set<string>();
  // Grows while it is walked: what an order brings back may order more.
  for (const said of heard) {
    for (const order of ordersIn(said)) {
      const key = JSON.stringify(order);
      if (obeyed.has(key)) continue;
      obeyed.add(key);
      const results = await hands.obey(order);
      heard.push(...results.flatMap(({ json, texts }) => (json === undefined ? texts : [json])));
      yield* results;
    }
  }
}
