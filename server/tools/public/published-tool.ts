/** A backend tool as a public one: listed under its own name, with its own schema; its calls take the way of any other. */
import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { isGated, MIGRATION_TOOLSET } from '../../access/access-policy.ts';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import type { Config } from '../../config/config.ts';
import type { Invoker } from '../../dispatch/dispatch-call.ts';
import { answerFor, type Caller, type PublicTool, type ToolAnswer } from './public-tool.ts';
import { hintsOf } from './tool-annotations.ts';

/** The argument of a read that takes `next_cursor`, under another name where its platform has one of this name. */
const cursorOf = ({ parameters }: Pick<Tool, 'parameters'>): string =>
  parameters.some(({ argument }) => argument === 'page_cursor') ? 'router_page_cursor' : 'page_cursor';

const CONTROLS: Record<string, JsonSchema> = {
  dry_run: { type: 'boolean', default: true, description: 'Preview only; false applies' },
  confirm: { type: 'boolean', description: 'true to apply' },
  plan_token: { type: 'string', description: 'Of the preview of these very arguments' },
};
const CONFIRM_OBJECT: JsonSchema = { type: 'string', description: 'The object that the preview named' };

export function publishedTool(dispatch: Invoker, tool: Tool, confirmation: Config['confirmation']): PublicTool {
  const schema = dispatch.schema(tool);
  const changes = isGated(tool.capability);
  const own: Record<string, JsonSchema> =
    changes && (!tool.local || tool.platform === MIGRATION_TOOLSET)
      ? { ...CONTROLS, ...(confirmation === 'token' ? { confirm_object: CONFIRM_OBJECT } : {}) }
      : tool.list
        ? { [cursorOf(tool)]: { type: 'string', description: 'next_cursor of the previous answer, same arguments' } }
        : {};
  return {
    definition: {
      name: tool.name,
      description: tool.description,
      inputSchema: {
        ...schema,
        properties: { ...(schema['properties'] as object | undefined), ...own },
      } as ToolDefinition['inputSchema'],
      annotations: hintsOf(tool),
    },
    run: (args, caller) => callByName(dispatch, tool, args, caller),
  };
}

/** Reads go the way of invoke_read_tool, so that nothing else can happen under a read's name. */
export async function callByName(
  dispatch: Invoker,
  tool: Pick<Tool, 'name' | 'capability' | 'parameters'>,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<ToolAnswer> {
  const { [cursorOf(tool)]: cursor, ...others } = args;
  // A long answer that is no list goes on as well; that is rare, so only lists are listed with the argument.
  const goesOn = tool.capability === 'read' && typeof cursor === 'string';
  return answerFor(
    await dispatch.invoke({
      dispatcher: tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool',
      name: tool.name,
      arguments: goesOn ? others : args,
      ...(goesOn ? { cursor } : {}),
      ...caller,
    }),
  );
}
