/** `svc-mcp-bench`: what authors of servers run, without the commands that are about this repository. */
import { addConformanceCommand } from './commands/conformance.ts';
import { addTryCommand } from './commands/try.ts';
import { runAsProcess } from './program.ts';

await runAsProcess({
  name: 'svc-mcp-bench',
  typed: 'svc-mcp-bench',
  description:
    'Tries any MCP server on scenarios made from an OpenAPI document, and runs the official conformance suite.',
  commands: [addTryCommand, addConformanceCommand],
});
