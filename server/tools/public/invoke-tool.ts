/** invoke_tool: runs any tool. Writes are previewed first, and applied only with the preview's token and the person's yes. */
import { type Static, Type } from '../../config/schema.ts';
import type { Invoker } from '../../dispatch/dispatch-call.ts';
import { INVOKE_TOOL } from './public-names.ts';
import { answerFor, type PublicTool, publicTool } from './public-tool.ts';

const Input = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Tool name from find_tool' }),
    arguments: Type.Optional(
      Type.Object(
        {},
        { description: 'Parameters by name, plus body; for writes also dry_run (default true), confirm, plan_token' },
      ),
    ),
  },
  { additionalProperties: false },
);

export function invokeTool(dispatch: Invoker): PublicTool {
  return publicTool<Static<typeof Input>>(
    {
      name: INVOKE_TOOL,
      title: 'Run any tool',
      description:
        'Run a diagnostic, write or destructive tool (reads too). A write or destructive call is a dry run unless dry_run is false: it shows the exact request and its impact and returns a plan_token. To apply, repeat the same arguments with dry_run: false, confirm: true and that plan_token; the person is then asked.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    Input,
    async (args, caller) =>
      answerFor(
        await dispatch.invoke({
          dispatcher: 'invoke_tool',
          name: args.name,
          arguments: (args.arguments ?? {}) as Record<string, unknown>,
          ...caller,
        }),
      ),
  );
}
