/** invoke_read_tool: runs a read tool. Anything that is not a read is refused here, whatever its gate says. */
import { type Static, Type } from '../../config/schema.ts';
import type { Invoker } from '../../dispatch/dispatch-call.ts';
import { INVOKE_READ_TOOL } from './public-names.ts';
import { answerFor, type PublicTool, publicTool } from './public-tool.ts';

const Input = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Tool name from find_tool' }),
    arguments: Type.Optional(Type.Object({}, { description: 'Path and query parameters by name, plus body' })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous answer, same arguments' })),
  },
  { additionalProperties: false },
);

export function invokeReadTool(dispatch: Invoker): PublicTool {
  return publicTool<Static<typeof Input>>(
    {
      name: INVOKE_READ_TOOL,
      title: 'Run a read tool',
      description:
        'Run a tool whose capability is read. Lists come as items with _pagination; a next_cursor continues them.',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    Input,
    async (args, caller) =>
      answerFor(
        await dispatch.invoke({
          dispatcher: 'invoke_read_tool',
          name: args.name,
          arguments: (args.arguments ?? {}) as Record<string, unknown>,
          ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
          ...caller,
        }),
      ),
  );
}
