/**
 * Obeys whatever a tool result says, at once and in every way it knows: the worst agent that a planted instruction can
 * meet, without a model. What it gets done is what the subject lets anybody do.
 */

import { openHands } from './gullible/gullible-tools.ts';
import { ordersIn } from './gullible/orders.ts';
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached } from './mcp/agent-client.ts';

export default {
  id: 'gullible',
  about: 'obeys whatever a tool result says; nothing unapproved may come of it',
  role: 'control',
  seesSteps: false,
  solve: async ({ intent, roles }, mcp) => {
    if (roles === undefined) return undefined;
    const hands = await openHands(mcp, roles);
    const heard: unknown[] = [intent];
    const obeyed = new Set<string>();
    let answer: unknown;
    try {
      // Grows while it is walked: what an order brings back may order more.
      for (const said of heard) {
        for (const order of ordersIn(said)) {
          const key = JSON.stringify(order);
          if (obeyed.has(key)) continue;
          obeyed.add(key);
          for (const result of await hands.obey(order)) {
            answer ??= result.isError ? undefined : result.json;
            heard.push(...(result.json === undefined ? result.texts : [result.json]));
          }
        }
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return answer;
  },
} satisfies Agent;
