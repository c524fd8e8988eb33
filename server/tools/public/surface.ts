/** What a client sees of the router: the tools of its mode, which of them a principal is shown, and the instructions. */
import { decideFor, type PrincipalAccess } from '../../access/access-policy.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { Config } from '../../config/config.ts';
import type { Invoker } from '../../dispatch/dispatch-call.ts';
import type { PublicTool } from './public-tool.ts';
import { publishedTool } from './published-tool.ts';
import { wrappers } from './wrappers.ts';

/** Platforms and local toolsets of this router. */
export const served = (config: Config): ReadonlySet<string> =>
  new Set([...config.platforms.map(({ id }) => id), ...config.localToolsets]);

/** What a client of each mode sees. */
export function surface(
  config: Config,
  catalog: Catalog,
  dispatch: Invoker,
  three: readonly PublicTool[],
): readonly PublicTool[] {
  const here = served(config);
  const callable = (name: string): Tool | undefined => {
    const tool = catalog.tool(name);
    if (tool === undefined || !here.has(tool.platform)) return undefined;
    const { visible, allowed } = decideFor(config, tool.platform, tool.capability);
    return visible && allowed ? tool : undefined;
  };
  const publish = (names: readonly string[]) =>
    names
      .map(callable)
      .filter((tool) => tool !== undefined)
      .map((tool) => publishedTool(dispatch, tool, config.confirmation));
  if (config.mode === 'minimal') return three;
  // A catalog of an earlier version may hold an operation of one of these names; the router's own tools keep them.
  const ours = new Set(three.map(({ definition }) => definition.name));
  if (config.mode === 'direct') return [...three, ...publish(catalog.names().filter((name) => !ours.has(name)))];
  return [
    ...three,
    ...publish(['invoke_read_tool_batch', 'invoke_tools_batch', 'plan_tool_workflow']),
    ...wrappers(dispatch, callable),
  ];
}

/** The router's own tools are for everybody; what they reach is decided call by call. */
export function isListed(config: Config, catalog: Catalog, name: string, access: PrincipalAccess): boolean {
  const tool = catalog.tool(name);
  if (tool === undefined) return true;
  const { visible, allowed, missingScope } = decideFor(config, tool.platform, tool.capability, access);
  // A client that sees what a scope would open can ask for the scope.
  return visible && (allowed || missingScope !== undefined);
}

/** In direct mode the list may leave out a tool because of its gate. A call of it by name gets that reason. */
export function refusedByName(dispatch: Invoker, catalog: Catalog, name: string): PublicTool | undefined {
  const tool = catalog.tool(name);
  return tool && publishedTool(dispatch, tool, 'elicit');
}

/** What a model reads once per connection. Every sentence changes what it does next. */
export function instructionsFor(config: Config): string {
  const writes =
    config.access.readonly || config.access.openBinding || config.access.profile === 'safe-read-only'
      ? 'This router is read-only. '
      : '';
  return (
    'Reach thousands of network-platform operations through three tools. 1) find_tool with the task in plain words (object and action). ' +
    '2) Reads: invoke_read_tool with the name and arguments. 3) Diagnostics and changes: invoke_tool. ' +
    `${writes}A change is previewed first (dry_run defaults to true); show the preview, then apply it with dry_run: false, confirm: true and its plan_token. ` +
    'Names and ids come from list tools: never guess them. A started job answers with `poll`: call that tool until it ends. ' +
    'A refusal has isError and a code; read its hint and do not retry unchanged.'
  );
}
