/** What a connection needs of a client library. There is one file for each revision of the protocol. */
import { isDeepStrictEqual } from 'node:util';
import type { FormValue } from './approver-form.ts';
import type { ApproverAnswer } from './scenario-approver.ts';

export interface CallResult {
  isError: boolean;
  content: unknown[];
  structuredContent?: unknown;
}

const textBlock = (text: string) => ({ type: 'text', text });

/** The result with its structured content as one more text, where its text does not repeat that: a model reads text. */
export function withStructuredText({ isError, content, structuredContent }: CallResult): CallResult {
  if (structuredContent === undefined || repeats(content, structuredContent)) return { isError, content };
  return { isError, content: [...content, textBlock(JSON.stringify(structuredContent))] };
}

/** Servers repeat it as JSON, as a list of blocks, or wrap what they return under `result`. */
function repeats(content: readonly unknown[], structured: unknown): boolean {
  const texts = content.flatMap((block) => (block as { text?: string }).text ?? []);
  const values = texts.map(parsed);
  const said = texts.length === 1 ? [texts[0], values[0], values] : [texts, values];
  const stated = [structured, (structured as { result?: unknown } | null)?.result];
  return said.some((one) => stated.some((other) => isDeepStrictEqual(one, other)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the person said, in the form that the question asked for. */
export type FormAnswer = Pick<ApproverAnswer, 'action'> & { content?: Record<string, FormValue> };

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
  /** That the server answered with when it was connected to: the one that was asked for, or an earlier one. */
  revision: () => string | undefined;
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
