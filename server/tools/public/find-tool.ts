/** find_tool: a question in plain words → the tools that answer it. Local and free; nothing is called. */
import { CAPABILITIES, type Capability, type PrincipalAccess } from '../../access/access-policy.ts';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { type Static, Type } from '../../config/schema.ts';
import { refuseArgument } from '../../dispatch/invalid-argument.ts';
import { untrustedFrom } from '../../dispatch/untrusted.ts';
import type { FindRequest } from '../../search/find.ts';
import { type AnswerSources, type FindAnswer, findAnswer } from './find-answer.ts';
import { ANSWER_LIMIT, fitDescriptors, SCHEMA_ANSWER_LIMIT } from './fit-answer.ts';
import { FIND_TOOL } from './public-names.ts';
import { answerFor, type PublicTool, publicTool, type ToolAnswer } from './public-tool.ts';
import { excerptOf } from './schema-excerpt.ts';
import { sliceFor, sliceOf } from './schema-slice.ts';
import { tokensAtMost } from './token-bound.ts';

const Input = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'What you want to do, or an exact tool name, operationId or METHOD /path',
      }),
    ),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Default 5' })),
    platform: Type.Optional(Type.String()),
    capability: Type.Optional(Type.Unsafe<Capability>({ type: 'string', enum: CAPABILITIES })),
    include_schema: Type.Optional(Type.Boolean({ description: "Add the first hit's argument schema" })),
    schema_for: Type.Optional(Type.String({ description: 'Tool name: show its schema' })),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'Only these parameters of the schema' })),
  },
  { additionalProperties: false },
);
type Arguments = Static<typeof Input>;

export function findTool(sources: AnswerSources, platforms: readonly PlatformDefinition[]): PublicTool {
  const users = new Set(platforms.filter(({ kind }) => kind === 'user').map(({ id }) => id));
  /** Names and descriptions of those come from a document that a user added. */
  const markOf = (found: readonly Tool[]) => {
    const ids = [...new Set(found.map(({ platform }) => platform))].filter((id) => users.has(id));
    return ids.length > 0 ? { meta: untrustedFrom(ids.map((id) => `document:${id}`)) } : {};
  };
  const names = platforms.map(({ id, title }) => `${id} (${title})`).join(', ') || 'none enabled';
  return publicTool<Arguments>(
    {
      name: FIND_TOOL,
      title: 'Find a tool',
      description: `Find the backend tools for a task on: ${names}. Returns name, description, params, which are required, and siblings of the same resource. Call it before invoke_read_tool or invoke_tool.`,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    Input,
    async (args, { access }) => {
      const { schema_for } = args;
      const query = schema_for ?? args.query;
      if (query === undefined) return NOTHING_ASKED;
      const found = findAnswer(sources, requestOf(query, args, access), {
        all: args.top_k !== undefined,
        about: schema_for === undefined ? undefined : (args.query ?? args.fields?.join(' ')),
      });
      if (schema_for !== undefined && found.tools[0]?.name !== schema_for)
        return texts(
          [],
          [
            `Note: there is no tool ${JSON.stringify(schema_for.slice(0, LONGEST_NAME))} here.`,
            ...leftOut(args, sources),
          ],
        );
      return { ...answerOf(found, args, sources), ...markOf(found.tools) };
    },
  );
}

const NOTHING_ASKED = answerFor(
  refuseArgument(
    { tool: FIND_TOOL, platform: null },
    { pointer: '/query', expected: 'should be given, or schema_for', got: 'nothing' },
  ),
);

const requestOf = (
  query: string,
  { schema_for, top_k, platform, capability }: Arguments,
  access: PrincipalAccess | undefined,
): FindRequest => ({
  query,
  topK: schema_for === undefined ? (top_k ?? 5) : 1,
  ...(platform === undefined ? {} : { platform }),
  ...(capability === undefined ? {} : { capability }),
  ...(access === undefined ? {} : { access }),
});

function answerOf(found: FindAnswer, args: Arguments, sources: AnswerSources): Texts {
  const notes = [
    ...(found.note === undefined ? [] : [found.note]),
    ...(found.hits.length === 0 ? leftOut(args, sources) : []),
  ];
  const spent = notes.reduce((sum, note) => sum + tokensAtMost(note), 0);
  const hits = fitDescriptors(found.hits, ANSWER_LIMIT - spent);
  const [first] = hits;
  const [tool] = found.tools;
  if (first && tool && wantsSchema(args)) {
    const room = SCHEMA_ANSWER_LIMIT - spent - tokensAtMost(JSON.stringify(hits));
    const { schema, note } = schemaFor(args, tool, sources, room);
    first.schema = schema;
    if (note !== undefined) notes.push(note);
  }
  return texts(hits, notes);
}

/** Beside an empty answer: the catalog was built without the write tools of optional products, so none of those is a hit. */
function leftOut({ platform, capability }: Arguments, { withoutWrites = [] }: AnswerSources): string[] {
  const asked = withoutWrites.filter((id) => platform === undefined || id === platform);
  if (asked.length === 0 || capability === 'read' || capability === 'diagnostic') return [];
  return [
    `Note: this catalog was built without the write tools of ${asked.join(', ')}; an operator adds them with svc-mcp-catalog build --complete-catalog.`,
  ];
}

type Texts = Extract<ToolAnswer, { kind: 'texts' }>;

/** Fields of one question, and what is said back of a name that is none. */
const MOST_FIELDS = 20;
const LONGEST_NAME = 100;

const texts = (hits: readonly unknown[], notes: readonly string[]): Texts => ({
  kind: 'texts',
  texts: [JSON.stringify(hits), ...notes],
  isError: false,
});

/** Some clients send an empty list for one that is not given. */
const asksFields = (fields: Arguments['fields']): fields is string[] => fields !== undefined && fields.length > 0;

const wantsSchema = ({ include_schema, schema_for, fields }: Arguments): boolean =>
  include_schema === true || schema_for !== undefined || asksFields(fields);

/** The schema of the asked fields, of those that the query is about beside `schema_for`, else the whole one. */
function schemaFor(
  { fields, schema_for, query }: Arguments,
  tool: Tool,
  { schemaOf }: AnswerSources,
  room: number,
): { schema: JsonSchema; note?: string } {
  const schema = schemaOf(tool);
  const whole = `${tool.method} ${tool.path}`;
  const sliced = { schema, whole };
  if (asksFields(fields)) {
    const slice = sliceOf(sliced, fields.slice(0, MOST_FIELDS), room);
    const unknown = Object.entries(slice.unknown).map(([name, closest]) =>
      [
        JSON.stringify(name.slice(0, LONGEST_NAME)),
        ...(closest.length > 0 ? [`(close: ${closest.join(', ')})`] : []),
      ].join(' '),
    );
    const note = `Note: no parameter of ${tool.name}: ${unknown.join('; ')}.`;
    return unknown.length > 0 ? { schema: slice.schema, note } : { schema: slice.schema };
  }
  if (schema_for !== undefined && query !== undefined) return { schema: sliceFor(sliced, query, room) };
  return { schema: excerptOf(schema, whole, room) };
}
