/**
 * An agent turns an intent into an answer by calling tools. It runs as a process of its own that is told only the
 * intent, one MCP address, its limits and the subject's roles; the file system is closed to it, so it cannot look up
 * the scenario it is in.
 */
import type { McpClient } from './agents/mcp/client.ts';

export interface AgentLimits {
  maxCalls: number;
  timeoutMs: number;
}

export interface AgentRoles {
  discover: string;
  dispatch_read: string;
  dispatch_any: string;
}

export interface AgentStep {
  call: string;
  arguments?: Record<string, unknown>;
  apply?: boolean;
  poll?: boolean;
  refused?: boolean;
  /** `read`: through the dispatcher for reads, whatever the tool is. */
  through?: 'read';
  /** Code of the error that a planned fault must become. */
  fails?: string;
  answer?: boolean;
}

export interface AgentTask {
  intent: string;
  limits: AgentLimits;
  roles?: AgentRoles;
  /** Ground truth, given to agents that ask for it and never to one whose score is published. */
  steps?: AgentStep[];
}

export interface Agent {
  /** Equals the file name. */
  id: string;
  about: string;
  /** A control proves the harness; a contestant's score is published. */
  role: 'control' | 'contestant';
  /** Whether it is given the scenario's steps. */
  seesSteps: boolean;
  /** The final answer, or undefined for none. */
  solve: (task: AgentTask, mcp: McpClient) => Promise<unknown>;
}
