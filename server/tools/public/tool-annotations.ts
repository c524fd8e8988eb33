/**
 * MCP annotations of a tool. `destructiveHint` is false only for tools that add. A write that replaces a value is
 * destructive, and so is a tool whose arguments can turn it into a delete.
 */
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { isGated } from '../../access/access-policy.ts';
import type { Tool } from '../../catalog/tool.ts';
import { BATCHES } from '../../dispatch/batch.ts';

type Hints = Required<Omit<ToolAnnotations, 'title'>>;

export function hintsOf({ name, capability, method, escalates, local }: Tool): Hints {
  const changes = isGated(capability);
  return {
    readOnlyHint: capability === 'read',
    destructiveHint: changes && (capability === 'destructive' || escalates !== undefined || method !== 'POST'),
    idempotentHint: capability === 'read' || (changes && (method === 'PUT' || method === 'DELETE')),
    // A tool of this router answers from its own files, unless it calls tools: then it reaches whatever they reach.
    openWorldHint: !local || BATCHES.has(name),
  };
}
