/** MCP tools as a chat endpoint lists them. Endpoints take names of 1 to 64 letters, digits, `_` and `-` only. */
import type { McpTool } from '../mcp/agent-client.ts';

export interface FunctionTool {
  type: 'function';
  function: { name: string; description?: string; parameters: Record<string, unknown> };
}

export interface Functions {
  list: FunctionTool[];
  /** The tool's own name behind a function's, or undefined when there is none. */
  toolOf: (name: string) => string | undefined;
}

const LONGEST = 64;

export function functionsOf(tools: readonly McpTool[]): Functions {
  const names = new Map<string, string>();
  const list = tools.map((tool) => {
    const name = freeName(tool.name, names);
    names.set(name, tool.name);
    const parameters = (tool.inputSchema ?? { type: 'object', properties: {} }) as Record<string, unknown>;
    const described = tool.description === undefined ? {} : { description: tool.description };
    return { type: 'function' as const, function: { name, ...described, parameters } };
  });
  return { list, toolOf: (name) => names.get(name) };
}

function freeName(tool: string, taken: ReadonlyMap<string, string>): string {
  const plain = tool.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST) || '_';
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `_${n}`;
    const name = `${plain.slice(0, LONGEST - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}
