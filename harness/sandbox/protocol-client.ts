/** What a connection needs of a client library. There is one file for each revision of the protocol. */
import type { ApproverAnswer } from './scenario-approver.ts';

export interface CallResult {
  isError: boolean;
  content: unknown[];
}

/** What the person said, in the form that the question asked for. */
export type FormAnswer = Pick<ApproverAnswer, 'action'> & { content?: Record<string, string | boolean> };

export interface CallOptions {
  /** In milliseconds. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

export interface ProtocolClient {
  /** The request that opens a connection. */
  hello: string;
  connect: (timeoutMs: number) => Promise<void>;
  serverInfo: () => unknown;
  instructions: () => string | undefined;
  capabilities: () => Record<string, unknown> | undefined;
  listTools: (timeoutMs: number) => Promise<unknown[]>;
  callTool: (name: string, args: Record<string, unknown>, options: CallOptions) => Promise<CallResult>;
  close: () => Promise<void>;
}

export interface ClientEvents {
  /** Answers questions of the server to the person; left out where the client shall not be asked. */
  onQuestion?: ((message: string, form: object) => Promise<FormAnswer>) | undefined;
  onEnd: () => void;
  onFault: (message: string) => void;
}

export const CLIENT_INFO = { name: 'harness', version: '1' };
/** Nothing but a mistake lists its tools on more. */
export const MOST_PAGES = 200;
