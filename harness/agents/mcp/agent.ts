/**
 * An agent turns an intent into an answer by calling tools. It runs as a process of its own that is told only the
 * intent, one MCP address, its limits and the subject's roles; the file system is closed to it, so it cannot look up
 * the scenario it is in.
 */
import type { McpClient } from './agent-client.ts';

export interface AgentLimits {
  maxCalls: number;
  timeoutMs: number;
}

export interface AgentRoles {
  discover: string;
  dispatch_read: string;
  dispatch_any: string;
}

/**
 * How a subject without the three roles is worked: without `search` every operation is a tool of `tools/list`, and the agent
 * ranks that list itself. Argument templates hold `{name}`, `{method}`, `{path}` and, alone, `{arguments}`.
 */
export interface AgentSurface {
  search?: {
    tool: string;
    /** Argument that takes the words; without it the answer lists everything. */
    query?: string;
    /** `one`: a text is matched as a whole, so one word is asked for at a time. */
    words?: 'one' | 'all';
    /** Argument that takes how many to return. */
    limit?: string;
    /** Field of the answer that holds the hits; without it the answer is the list. */
    hits?: string;
    /** Given with every search. */
    arguments?: Record<string, string>;
  };
  /** The schema of one hit, where hits carry none. */
  describe?: {
    tool: string;
    arguments: Record<string, string>;
    /** Where the answer holds the schema, as `a.0.b`, if not in `inputSchema`, `schema` or `operations`. */
    schema?: string;
  };
  /** Without it an operation is a tool that is called by its name. */
  invoke?: { tool: string; arguments: Record<string, string> };
  /** It previews a change and asks for a plan token. */
  previews?: boolean;
  /** The names of the subject's tools, if neither its list nor its search states method and path. */
  names?: 'operationId';
  /** Arguments without which a change is only previewed; given where the tool takes them. */
  apply?: Record<string, boolean>;
  /** Field of an answer that holds the platform's own, beside `ok` or `status_code`. */
  answer?: string;
}

export interface AgentStep {
  call: string;
  /** The subject's tool for it, where it is known and cannot be looked up. */
  tool?: string;
  arguments?: Record<string, unknown>;
  apply?: boolean;
  poll?: boolean;
  refused?: boolean;
  /** Whether it succeeds is not looked at: the ledger tells what came of it. */
  attempt?: boolean;
  /** `read`: through the dispatcher for reads, whatever the tool is. */
  through?: 'read';
  /** Code of the error that a planned fault must become. */
  fails?: string;
  /** `keep`: preview only, and keep its plan token. `kept`, `used`: apply with the one kept, or with the one used last. */
  token?: 'keep' | 'kept' | 'used';
  /** Field → value of the row that the facts are read from. */
  row?: Record<string, unknown>;
  /** Fact → where it stands in the result. */
  facts?: Record<string, FactSource>;
}

/** A dotted field; whether one has a value; how many entries a list has; or fields of each of its rows. */
export type FactSource =
  | string
  | { path: string; equals: unknown }
  | { count: string }
  | { each: string; fields: string | Record<string, string> };

/**
 * How an agent asks a language model. The address is a door of the harness on this machine: the endpoint and its key are
 * behind it, so the agent's process never knows them.
 */
export interface ModelSettings {
  url: string;
  /** What the endpoint calls the model. */
  name: string;
  /** Not sent unless it is set. */
  temperature?: number;
  /** Not sent unless it is set. */
  seed?: number;
  stream: boolean;
  /** Which system prompt the agent sends. */
  prompt: 'neutral' | 'coaching';
}

/** The facts that the answer is to hold, as a JSON Schema of an object. */
export interface AnswerContract {
  type: 'object';
  properties: Record<string, unknown>;
}

export interface AgentTask {
  intent: string;
  /** The form of the final answer, as a client would state it for a structured output. */
  answer: AnswerContract;
  limits: AgentLimits;
  roles?: AgentRoles;
  surface?: AgentSurface;
  /** Ground truth, given to agents that ask for it and never to one whose score is published. */
  steps?: AgentStep[];
  /** For agents that ask a model. */
  model?: ModelSettings;
}

export interface Agent {
  /** Equals the file name. */
  id: string;
  about: string;
  /** A control proves the harness; a contestant's score is published. */
  role: 'control' | 'contestant';
  /** Whether it is given the scenario's steps. */
  seesSteps: boolean;
  /** Which of several equally right routes of a step it is given: the first (default) or the last. */
  route?: 'first' | 'last';
  /** It is given a model to ask, and no roles: a model reads the tool list. */
  asksModel?: boolean;
  /** The final answer, or undefined for none. */
  solve: (task: AgentTask, mcp: McpClient) => Promise<unknown>;
}
