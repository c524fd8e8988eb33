/**
 * What runs inside an agent's process: task on standard input, final JSON value as the last line of standard output.
 * Only files of the agents folder can be read from here.
 */
import { pathToFileURL } from 'node:url';
import { SURFACE_ROLES, throughSurface } from '../surface/tool-adapter.ts';
import type { Agent, AgentTask } from './agent.ts';
import { connectMcp } from './agent-client.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const { mcpUrl, ...task } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AgentTask & { mcpUrl: string };

const { default: agent } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as { default: Agent };
const mcp = await connectMcp(mcpUrl, task.limits.maxCalls);
const { surface } = task;
const solved =
  surface === undefined || agent.asksModel === true
    ? agent.solve(task, mcp)
    : agent.solve({ ...task, roles: SURFACE_ROLES }, throughSurface(mcp, surface));
const answer = await solved.catch((error: Error) => {
  // The cause last: the harness prints the last line.
  process.stderr.write(`${error.stack ?? error.name}\n${error.message}\n`);
  process.exit(1);
});
if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
