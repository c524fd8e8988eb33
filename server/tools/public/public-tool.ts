/** The parts of a public tool. `router.ts` lists the public tools by hand. */
import type {
  CallToolResult,
  InputRequiredResult,
  LoggingLevel,
  ServerContext,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import type { PrincipalAccess } from '../../access/access-policy.ts';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { TSchema } from '../../config/schema.ts';
import { schemaCheck } from '../../config/schema-check.ts';
import { takeOwn } from '../../dispatch/arguments.ts';
import type { Blob } from '../../dispatch/binary-answer.ts';
import type { Approver } from '../../dispatch/confirmation.ts';
import type { Result } from '../../dispatch/dispatch-call.ts';
import { argumentProblem, refuseArgument } from '../../dispatch/invalid-argument.ts';

/** Who calls, and how to stop the call. */
export interface Caller {
  principal: string;
  /** What it may use, where there are several principals. */
  access?: PrincipalAccess;
  approver: Approver;
  signal?: AbortSignal;
  /** The HTTP request that brought the call, as the log names it; none over stdio. */
  request?: string;
  /** Tells a caller who asked for it how far a long call is; the total where it is known. */
  progress: (done: number, total: number | undefined, message?: string) => Promise<void>;
  /** A message for the caller's log; what is below the level it set is not sent. */
  log: (level: LoggingLevel, data: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The request as the protocol library sees it. */
  context: ServerContext;
}

export type ToolAnswer =
  | {
      kind: 'texts';
      texts: string[];
      isError: boolean /** For programs, never for the model. */;
      meta?: Record<string, unknown>;
      /** Bytes that the text describes. */
      blob?: Blob;
    }
  | { kind: 'content'; result: CallToolResult }
  | { kind: 'ask'; question: InputRequiredResult };

export interface PublicTool {
  definition: ToolDefinition;
  run: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<ToolAnswer>;
}

/** Joins a definition with what it does; arguments are checked against the very schema the client was shown. */
export function publicTool<T>(
  definition: Omit<ToolDefinition, 'inputSchema'>,
  input: TSchema,
  run: (args: T, caller: Caller) => Promise<ToolAnswer>,
): PublicTool {
  const check = schemaCheck(input);
  return {
    definition: { ...definition, inputSchema: input as unknown as ToolDefinition['inputSchema'] },
    run: async (raw, caller) => {
      const args = takeOwn(raw, input as JsonSchema);
      if (check(args)) return run(args as T, caller);
      const [error] = check.last();
      const problem = error
        ? argumentProblem(error)
        : { pointer: '', expected: 'should be valid', got: 'something else' };
      return answerFor(refuseArgument({ tool: definition.name, platform: null }, problem));
    },
  };
}

/** One text block of compact JSON; a refusal also says so in the protocol's own flag. */
export function answerFor(result: Result): ToolAnswer {
  if (result.kind === 'ask') return result;
  const meta = result.meta ? { meta: result.meta } : {};
  if (result.kind === 'refused')
    return { kind: 'texts', texts: [JSON.stringify(result.refusal)], isError: true, ...meta };
  return {
    kind: 'texts',
    texts: [result.text ?? JSON.stringify(result.result)],
    isError: result.outcome !== 'success',
    ...(result.blob ? { blob: result.blob } : {}),
    ...meta,
  };
}
