/** `svc-mcp-bench`: what authors of servers run, without the commands that are about this repository. */
import { TRY_EXIT_MEANING } from '../exit-codes.ts';
import { runAsProcess } from './program.ts';

await runAsProcess({
  name: 'svc-mcp-bench',
  typed: 'svc-mcp-bench',
  description:
    'Tries any MCP server on scenarios made from an OpenAPI document, and runs the official conformance suite.',
  exits: TRY_EXIT_MEANING,
  commands: {
    try: async () => (await import('./commands/try.ts')).addTryCommand,
    conformance: async () => (await import('./commands/conformance.ts')).addConformanceCommand,
  },
});
