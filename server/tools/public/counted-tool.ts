/** A public tool whose calls are counted, where no dispatch counts them. */
import type { CompletedCall } from '../../telemetry/metrics.ts';
import type { PublicTool } from './public-tool.ts';

/** Backend of what the router does itself, as find_tool names it. */
const ROUTER = 'router';

export function counted(tool: PublicTool, onCompleted: ((call: CompletedCall) => void) | undefined): PublicTool {
  if (onCompleted === undefined) return tool;
  return {
    ...tool,
    run: async (args, caller) => {
      const started = performance.now();
      const answer = await tool.run(args, caller);
      onCompleted({
        tool: tool.definition.name,
        backend: ROUTER,
        outcome: answer.kind === 'texts' && answer.isError ? 'error' : 'success',
        capability: 'read',
        ms: performance.now() - started,
        truncated: false,
        principal: caller.principal,
      });
      return answer;
    },
  };
}
