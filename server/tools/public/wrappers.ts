/**
 * The reads that are asked for most, under short names, for clients that can do with twenty tools: no search comes first.
 * A wrapper adds nothing to its tool; one whose tool is not served is not listed.
 */
import type { Tool } from '../../catalog/tool.ts';
import { type Static, Type } from '../../config/schema.ts';
import type { Invoker } from '../../dispatch/dispatch-call.ts';
import { LIST_SCOPES, SAME_ARGUMENTS, SEARCHES } from './public-names.ts';
import { type PublicTool, publicTool } from './public-tool.ts';
import { callByName, publishedTool } from './published-tool.ts';
import { hintsOf } from './tool-annotations.ts';

type ToolByName = (name: string) => Tool | undefined;

const Search = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 64, description: 'Part of a name, address or serial number' }),
    site_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
);
const Scope = Type.Object(
  { scope_id: Type.Optional(Type.String({ minLength: 1, description: 'A node of the scope tree; default its top' })) },
  { additionalProperties: false },
);
const SCOPE_TOP = 'mgmt_get_global_scope';
const SCOPE_NODE = 'mgmt_get_scope_node';

export function wrappers(dispatch: Invoker, served: ToolByName): PublicTool[] {
  const same = Object.entries(SAME_ARGUMENTS).flatMap(([name, of]) => {
    const tool = served(of);
    return tool ? [renamed(publishedTool(dispatch, tool, 'elicit'), name)] : [];
  });
  const searches = Object.entries(SEARCHES).flatMap(([name, of]) => {
    const tool = served(of);
    return tool ? [searchWrapper(dispatch, tool, name)] : [];
  });
  const [top, node] = [served(SCOPE_TOP), served(SCOPE_NODE)];
  return [...same, ...searches, ...(top && node ? [scopeWrapper(dispatch, top, node)] : [])];
}

const renamed = (tool: PublicTool, name: string): PublicTool => ({
  ...tool,
  definition: { ...tool.definition, name },
});

function searchWrapper(dispatch: Invoker, tool: Tool, name: string): PublicTool {
  return publicTool<Static<typeof Search>>(
    { name, description: tool.description, annotations: hintsOf(tool) },
    Search,
    ({ text, site_id }, caller) =>
      callByName(dispatch, tool, { body: { text, ...(site_id === undefined ? {} : { siteId: site_id }) } }, caller),
  );
}

function scopeWrapper(dispatch: Invoker, top: Tool, node: Tool): PublicTool {
  const description = `The scope tree, node by node from its top. ${node.line}`;
  return publicTool<Static<typeof Scope>>(
    { name: LIST_SCOPES, description, annotations: hintsOf(node) },
    Scope,
    ({ scope_id }, caller) =>
      scope_id === undefined
        ? callByName(dispatch, top, {}, caller)
        : callByName(dispatch, node, { 'scope-id': scope_id }, caller),
  );
}
