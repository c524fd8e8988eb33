/**
 * What a client may assume of a tool it sees. MCP's destructiveHint is false only for tools that add: a write that puts
 * one value in place of another is no such tool, and neither is one whose arguments can make it a delete.
 */
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Tool } from '../../catalog/tool.ts';
import { BATCHES } from '../../dispatch/batch.ts';

type Hints = Required<Omit<ToolAnnotations, 'title'>>;

export function hintsOf({ name, capability, method, escalates, local }: Tool): Hints {
  const changes = capability === 'write' || capability === 'destructive';
  return {
    readOnlyHint: capability === 'read',
    destructiveHint: changes && (capability === 'destructive' || escalates !== undefined || method !== 'POST'),
    idempotentHint: capability === 'read' || (changes && (method === 'PUT' || method === 'DELETE')),
    // A tool of this router answers from its own files, unless it calls tools: then it reaches whatever they reach.
    openWorldHint: !local || BATCHES.has(name),
  };
}
