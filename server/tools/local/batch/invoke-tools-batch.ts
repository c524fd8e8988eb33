/** invoke_tools_batch: up to 25 calls of any class in one. Nothing about a write gets easier by standing in a batch. */
import { type Static, Type } from '../../../config/schema.ts';
import { BATCH_LIMITS, type BatchCall, runBatch } from '../../../dispatch/batch.ts';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    calls: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: BATCH_LIMITS.nameLength }),
          arguments: Type.Optional(
            Type.Object({}, { description: 'As for invoke_tool; a write is a dry run unless dry_run is false' }),
          ),
          id: Type.Optional(Type.String({ minLength: 1, maxLength: BATCH_LIMITS.idLength })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: BATCH_LIMITS.calls },
    ),
    on_error: Type.Optional(Type.Enum(['stop', 'continue'], { description: 'Default stop' })),
  },
  { additionalProperties: false },
);

export default {
  name: 'invoke_tools_batch',
  backend: 'router',
  toolset: 'router',
  // The batch has the capability of its strongest call.
  capability: 'destructive',
  line: 'Run up to 25 tools of any class in one call, in order.',
  more: 'Each write inside needs its own gate, preview and confirmation; the person is asked about all of them before the first call is made. Stops at the first failure unless on_error is continue.',
  input: Input,
  search: { aliases: ['batch of changes', 'several changes at once'], questions: [] },
  open:
    ({ config }) =>
    async (args: Static<typeof Input>, context) =>
      new WholeResult(
        await runBatch(args.calls as BatchCall[], context, {
          dispatcher: 'invoke_tool',
          onError: args.on_error ?? 'stop',
          maxBytes: config.response.batchMaxBytes,
        }),
      ),
} satisfies LocalTool<Static<typeof Input>>;
