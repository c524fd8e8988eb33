/** A tool of the table with valid arguments, and its class as its document states it, not as the catalog took it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { type Arguments, argumentsOf, everyCall, keyOf } from '../support/every-argument.ts';
import type { Cell } from './access-reference.ts';

export interface SubjectTool {
  name: string;
  platform: string;
  method: string;
  capability: Cell['capability'];
  /** Its class before its arguments are known, where they raise it. */
  statedCapability?: Cell['capability'];
  args: Arguments;
}

export interface SubjectTools {
  tools: SubjectTool[];
  /** Tools for which no valid call is known. */
  uncalled: string[];
}

/** Every operation, once per class its arguments can give it, and every tool of the router itself. */
export async function subjectTools(
  catalog: Catalog,
  platforms: readonly PlatformDefinition[],
  root: string,
): Promise<SubjectTools> {
  const stated = new Map(platforms.flatMap(({ id, documents }) => [...statedClasses(id, join(root, documents))]));
  const calls = await everyCall(platforms.map(({ id }) => id));
  const tools: SubjectTool[] = [...LOCAL];
  const uncalled: string[] = [];
  for (const { tool } of catalog.all()) {
    if (tool.local) continue;
    const key = keyOf(tool.platform, tool.method, tool.path);
    const call = calls.get(key);
    const capability = stated.get(key);
    if (call === undefined || capability === undefined) uncalled.push(tool.name);
    else tools.push(...asSubjects(tool, capability, argumentsOf(tool, call)));
  }
  return { tools, uncalled };
}

function asSubjects(tool: Tool, capability: Cell['capability'], args: Arguments): SubjectTool[] {
  const { name, platform, method, escalates } = tool;
  const plain = { name, platform, method, capability, args };
  if (escalates === undefined) return [plain];
  const body = (word: string) => ({ ...args, body: { ...(args['body'] as object), [escalates.field]: word } });
  const word = Object.keys(escalates.values)[0] as string;
  return [
    { ...plain, args: body('modify') },
    { ...plain, capability: 'destructive', statedCapability: capability, args: body(word) },
  ];
}

function* statedClasses(platform: string, folder: string): Generator<[string, Cell['capability']]> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { paths } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { paths?: Record<string, object> };
    for (const [path, item] of Object.entries(paths ?? {}))
      for (const [method, operation] of Object.entries(item))
        if (typeof operation === 'object' && operation !== null && 'x-svc-capability' in operation)
          yield [keyOf(platform, method.toUpperCase(), path), operation['x-svc-capability'] as Cell['capability']];
  }
}

const local = (name: string, platform: string, capability: Cell['capability'], args: Arguments): SubjectTool => ({
  name,
  platform,
  method: 'LOCAL',
  capability,
  args,
});
const READ = { name: 'lookup_api', arguments: { query: 'x' } };
const LOCAL = [
  local('lookup_api', 'rag', 'read', { query: 'createSite' }),
  local('plan_tool_workflow', 'router', 'read', { steps: [{ id: 'a', tool: 'lookup_api' }] }),
  local('invoke_read_tool_batch', 'router', 'read', { calls: [READ] }),
  local('invoke_tools_batch', 'router', 'destructive', { calls: [READ] }),
];
