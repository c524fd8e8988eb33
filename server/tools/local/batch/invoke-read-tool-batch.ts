/** invoke_read_tool_batch: up to 25 reads in one call, one after the other. */
import { type Static, Type } from '../../../config/schema.ts';
import { BATCH_LIMITS, type BatchCall, runBatch } from '../../../dispatch/batch.ts';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    calls: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: BATCH_LIMITS.nameLength, description: 'Read tool' }),
          arguments: Type.Optional(Type.Object({})),
          cursor: Type.Optional(Type.String({ description: 'next_cursor of an earlier answer' })),
          id: Type.Optional(Type.String({ minLength: 1, maxLength: BATCH_LIMITS.idLength })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: BATCH_LIMITS.calls },
    ),
    on_error: Type.Optional(Type.Enum(['continue', 'stop'], { description: 'Default continue' })),
  },
  { additionalProperties: false },
);

export default {
  name: 'invoke_read_tool_batch',
  backend: 'router',
  toolset: 'router',
  capability: 'read',
  line: 'Run up to 25 read tools in one call.',
  more: 'Each call is admitted, counted and answered by itself; one that fails leaves the others standing.',
  input: Input,
  search: { aliases: ['batch of reads', 'several reads at once'], questions: [] },
  open:
    ({ config }) =>
    async (args: Static<typeof Input>, context) =>
      new WholeResult(
        await runBatch(args.calls as BatchCall[], context, {
          dispatcher: 'invoke_read_tool',
          onError: args.on_error ?? 'continue',
          maxBytes: config.response.batchMaxBytes,
        }),
      ),
} satisfies LocalTool<Static<typeof Input>>;
