/**
 * Tools that the conformance suite calls by name (`test_*`), each doing what the suite's scenario of it asks for. Only
 * the conformance command mounts them: they show that the protocol layer carries every kind of content and request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ContentBlock,
  type InputRequests,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type RequestStateCodec,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import type { Caller, PublicTool, ToolAnswer } from '../../../tools/public/public-tool.ts';

type Properties = Record<string, object>;
type Run = (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<ToolAnswer>;

/** What a tool remembers from one round to the next. */
export interface RoundState {
  round: number;
}

/** One red pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
/** A sound file without a sample. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const STEP_MS = 50;

export function fixtureTools(codec: RequestStateCodec<RoundState>): PublicTool[] {
  return [
    tool('test_simple_text', {}, async () => text('This is a simple text response for testing.')),
    tool('test_image_content', {}, async () => content({ type: 'image', data: PIXEL, mimeType: 'image/png' })),
    tool('test_audio_content', {}, async () => content({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' })),
    tool('test_embedded_resource', {}, async () =>
      content(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
    ),
    tool('test_multiple_content_types', {}, async () =>
      content(
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ),
    ),
    tool('test_error_handling', {}, async () => ({
      kind: 'texts',
      texts: ['This tool intentionally returns an error for testing'],
      isError: true,
    })),
    tool('test_tool_with_logging', {}, logThrice),
    tool('test_logging_tool', {}, logThrice),
    tool('test_tool_with_progress', {}, progressThrice),
    ...askingTools(codec),
    tool('test_missing_capability', {}, async (_args, caller) => {
      if (!declared(caller).has('sampling'))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      return text('the capability was declared');
    }),
    jsonSchemaTool(),
  ];
}

async function logThrice(_args: unknown, caller: Caller): Promise<ToolAnswer> {
  for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await caller.log('info', { said });
    await pause(STEP_MS);
  }
  return text('three messages were sent');
}

async function progressThrice(_args: unknown, caller: Caller): Promise<ToolAnswer> {
  for (const done of [0, 50, 100]) {
    await caller.progress(done, 100);
    await pause(STEP_MS);
  }
  return text('three steps were told');
}

function askingTools(codec: RequestStateCodec<RoundState>): PublicTool[] {
  const name = () => form('What is your name?', { name: { type: 'string' } });
  const sample = (words: string, maxTokens: number) =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens });
  return [
    tool('test_elicitation', { message: { type: 'string' } }, (args, caller) =>
      answered(
        caller,
        { asked: form(String(args['message']), { username: { type: 'string' }, email: { type: 'string' } }) },
        'User response',
      ),
    ),
    tool('test_elicitation_sep1034_defaults', {}, (_args, caller) =>
      answered(caller, { asked: form('Please check these values', DEFAULTS, []) }, 'Elicitation completed'),
    ),
    tool('test_elicitation_sep1330_enums', {}, (_args, caller) =>
      answered(caller, { asked: form('Please choose', ENUMS, []) }, 'Elicitation completed'),
    ),
    tool('test_streaming_elicitation', {}, (_args, caller) =>
      answered(caller, { asked: form('Go on?', { ok: { type: 'boolean' } }) }, 'Streamed'),
    ),
    tool('test_sampling', { prompt: { type: 'string' } }, (args, caller) =>
      answered(caller, { sampled: sample(String(args['prompt']), 100) }, 'LLM response'),
    ),
    tool('test_input_required_result_elicitation', {}, async (_args, caller) => {
      const view = inputResponse(caller.context.mcpReq.inputResponses, 'user_name');
      const given = view.kind === 'elicit' ? view.content?.['name'] : undefined;
      return typeof given === 'string' ? text(`Hello, ${given}!`) : ask({ user_name: name() });
    }),
    tool('test_input_required_result_sampling', {}, (_args, caller) =>
      answered(caller, { capital_question: sample('What is the capital of France?', 100) }, 'Sampled'),
    ),
    tool('test_input_required_result_list_roots', {}, (_args, caller) =>
      answered(caller, { client_roots: inputRequired.listRoots() }, 'Roots'),
    ),
    tool('test_input_required_result_multiple_inputs', {}, (_args, caller) =>
      answered(
        caller,
        { user_name: name(), greeting: sample('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
        'All',
        codec,
      ),
    ),
    tool('test_input_required_result_request_state', {}, (_args, caller) => confirmed(caller, codec)),
    tool('test_input_required_result_tampered_state', {}, (_args, caller) => confirmed(caller, codec)),
    tool('test_input_required_result_multi_round', {}, async (_args, caller) => {
      const round = caller.context.mcpReq.requestState<RoundState>()?.round ?? 0;
      const has = (key: string) => inputResponse(caller.context.mcpReq.inputResponses, key).kind === 'elicit';
      const mint = (next: number) => codec.mint({ round: next }, caller.context);
      if (round === 2 && has('step2')) return text('both steps were answered');
      if (round >= 1 && has('step1'))
        return ask(
          { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
          await mint(2),
        );
      return ask({ step1: form('Step 1: What is your name?', { name: { type: 'string' } }) }, await mint(1));
    }),
    tool('test_input_required_result_capabilities', {}, async (_args, caller) => {
      const able = declared(caller);
      const wanted: InputRequests = {
        ...(able.has('elicitation') ? { name: name() } : {}),
        ...(able.has('sampling') ? { greeting: sample('Generate a greeting', 50) } : {}),
        ...(able.has('roots') ? { roots: inputRequired.listRoots() } : {}),
      };
      return Object.keys(wanted).length === 0 ? text('the client can be asked nothing') : ask(wanted);
    }),
  ];
}

const DEFAULTS: Properties = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const ENUMS: Properties = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

function titled(noun: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((place, at) => ({ const: `value${at + 1}`, title: `${place} ${noun}` }));
}

async function confirmed(caller: Caller, codec: RequestStateCodec<RoundState>): Promise<ToolAnswer> {
  const state = caller.context.mcpReq.requestState<RoundState>();
  const view = inputResponse(caller.context.mcpReq.inputResponses, 'confirm');
  if (state !== undefined && view.kind === 'elicit') return text('state-ok');
  const asked = { confirm: form('Please confirm', { ok: { type: 'boolean' } }) };
  return ask(asked, await codec.mint({ round: 1 }, caller.context));
}

/** Asks until every answer is there, then says what came. */
async function answered(
  caller: Caller,
  asked: InputRequests,
  prefix: string,
  codec?: RequestStateCodec<RoundState>,
): Promise<ToolAnswer> {
  const views = Object.keys(asked).map((key) => inputResponse(caller.context.mcpReq.inputResponses, key));
  if (views.some(({ kind }) => kind === 'missing'))
    return ask(asked, codec && (await codec.mint({ round: 1 }, caller.context)));
  const said = views.map((view) => {
    if (view.kind === 'elicit') return `action=${view.action}, content=${JSON.stringify(view.content ?? {})}`;
    return JSON.stringify(view.kind === 'sampling' ? view.result.content : view.kind === 'roots' ? view.roots : null);
  });
  return text(`${prefix}: ${said.join('; ')}`);
}

/** Names of the capabilities that the client declared for this call. */
function declared({ context }: Caller): Set<string> {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  return new Set(Object.keys((envelope?.[CLIENT_CAPABILITIES_META_KEY] as object | undefined) ?? {}));
}

function form(message: string, properties: Properties, required = Object.keys(properties)) {
  const requestedSchema = { type: 'object', properties, required };
  return inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]);
}

function ask(inputRequests: InputRequests, requestState?: string): ToolAnswer {
  return { kind: 'ask', question: inputRequired({ inputRequests, ...(requestState ? { requestState } : {}) }) };
}

function text(words: string): ToolAnswer {
  return { kind: 'texts', texts: [words], isError: false };
}

function content(...blocks: ContentBlock[]): ToolAnswer {
  return { kind: 'content', result: { content: blocks } satisfies CallToolResult };
}

function embedded(uri: string, mimeType: string, words: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text: words } };
}

function tool(name: string, properties: Properties, run: Run): PublicTool {
  return {
    definition: {
      name,
      description: 'For the conformance suite.',
      inputSchema: { type: 'object', properties, required: Object.keys(properties) } as ToolDefinition['inputSchema'],
    },
    run,
  };
}

/** Keywords of JSON Schema 2020-12 that a server must not lose on the way to its client. */
function jsonSchemaTool(): PublicTool {
  const address = {
    $anchor: 'addressDef',
    type: 'object',
    properties: { street: { type: 'string' }, city: { type: 'string' } },
  };
  const inputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  return {
    definition: {
      name: 'json_schema_2020_12_tool',
      description: 'For the conformance suite.',
      inputSchema: inputSchema as ToolDefinition['inputSchema'],
    },
    run: async () => text('taken'),
  };
}
