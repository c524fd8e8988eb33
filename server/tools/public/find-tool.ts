/** find_tool: a question in plain words → the tools that answer it. Local and free; nothing is called. */

import { CAPABILITIES, type Capability } from '../../access/access-policy.ts';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { type Static, Type } from '../../config/schema.ts';
import { untrustedFrom } from '../../dispatch/untrusted.ts';
import type { Finder } from '../../search/find.ts';
import { ANSWER_LIMIT, fitDescriptors, SCHEMA_ANSWER_LIMIT } from './fit-answer.ts';
import { FIND_TOOL } from './public-names.ts';
import { type PublicTool, publicTool } from './public-tool.ts';
import { excerptOf } from './schema-excerpt.ts';
import { tokensAtMost } from './token-bound.ts';

const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      description: 'What you want to do, or an exact tool name, operationId or METHOD /path',
    }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Default 5' })),
    platform: Type.Optional(Type.String()),
    capability: Type.Optional(Type.Unsafe<Capability>({ type: 'string', enum: CAPABILITIES })),
    include_schema: Type.Optional(Type.Boolean({ description: "Add the first hit's argument schema" })),
  },
  { additionalProperties: false },
);

export function findTool(
  finder: Finder,
  schemaOf: (tool: Tool) => JsonSchema,
  platforms: readonly PlatformDefinition[],
): PublicTool {
  const users = new Set(platforms.filter(({ kind }) => kind === 'user').map(({ id }) => id));
  /** Names and descriptions of those come from a document that a user added. */
  const markOf = (found: readonly string[]) => {
    const sources = [...new Set(found)].filter((id) => users.has(id)).map((id) => `document:${id}`);
    return sources.length > 0 ? { meta: untrustedFrom(sources) } : {};
  };
  const names = platforms.map(({ id, title }) => `${id} (${title})`).join(', ') || 'none enabled';
  return publicTool<Static<typeof Input>>(
    {
      name: FIND_TOOL,
      title: 'Find a tool',
      description: `Find the backend tools for a task on: ${names}. Returns name, one-line description, parameters (required first) and capability. Call it before invoke_read_tool or invoke_tool.`,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    Input,
    async (args) => {
      const { hits, note } = finder.find({
        query: args.query,
        topK: args.top_k ?? 5,
        ...(args.platform === undefined ? {} : { platform: args.platform }),
        ...(args.capability === undefined ? {} : { capability: args.capability }),
      });
      const spent = note === undefined ? 0 : tokensAtMost(note);
      const descriptors = fitDescriptors(
        hits.map(({ tool }) => finder.describe(tool)),
        ANSWER_LIMIT - spent,
      );
      const [first] = descriptors;
      const tool = hits[0]?.tool;
      if (args.include_schema === true && first && tool) {
        const room = SCHEMA_ANSWER_LIMIT - spent - tokensAtMost(JSON.stringify(descriptors));
        first.schema = excerptOf(schemaOf(tool), `${tool.method} ${tool.path}`, room);
      }
      return {
        kind: 'texts',
        texts: [JSON.stringify(descriptors), ...(note === undefined ? [] : [note])],
        isError: false,
        ...markOf(hits.map(({ tool: { platform } }) => platform)),
      };
    },
  );
}
