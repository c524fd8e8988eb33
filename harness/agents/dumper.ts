/** Prints every row it can read without knowing anything. It must solve nothing: an answer is the fact, not the heap. */
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached } from './mcp/agent-client.ts';
import { openToolbox } from './retrieval/discovery.ts';

export default {
  id: 'dumper',
  about: 'prints every row it can read; must solve nothing',
  role: 'control',
  seesSteps: false,
  solve: async ({ intent, roles }, mcp) => {
    if (roles === undefined) return undefined;
    const tools = await openToolbox(mcp, roles);
    const rows: unknown[] = [];
    try {
      for (const hit of (await tools.search(intent)).filter(({ read_only }) => read_only)) {
        const { inputs } = await tools.open(hit);
        if (inputs.some(({ required }) => required)) continue;
        const answer = await tools.read(hit.name, {});
        if (!answer.isError) rows.push(answer.json);
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return rows;
  },
} satisfies Agent;
