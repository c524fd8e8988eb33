/**
 * One kept HTTP connection, one request at a time, as cheap as a client can be: a load must not be slower than the
 * server it measures, and bytes that no proper client sends must go out as they are.
 */
import { connect, type Socket } from 'node:net';
import { metaOf } from './modern-client.ts';

export interface WireAnswer {
  status: number;
  /** Status line and headers, as they came. */
  head: string;
  /** Body without its transfer coding; latin1, so that bytes stay bytes. */
  body: string;
}

export class Wire {
  readonly #port: number;
  readonly #bodiless: boolean;
  #socket: Socket | undefined;
  #received = '';
  /** The number of bytes that the current answer needs to be complete, once its head is there. */
  #expected: Expected | undefined;
  #settle: ((outcome: WireAnswer | Error) => void) | undefined;

  /** An answer to HEAD has a length and no body. */
  constructor(port: number, bodiless = false) {
    this.#port = port;
    this.#bodiless = bodiless;
  }

  /** Sends a whole request. Rejects when the connection ends before its answer is whole. */
  ask(request: string | Uint8Array): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      this.#received = '';
      this.#expected = undefined;
      this.#settle = (outcome) => {
        this.#settle = undefined;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      this.#open().write(request as Uint8Array);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    const lost = (error?: Error) => {
      if (this.#socket === socket) this.#settle?.(error ?? new Error('the connection ended before the answer'));
    };
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', lost);
    socket.on('close', () => lost());
    this.#socket = socket;
    return socket;
  }

  #take(text: string): void {
    this.#received += text;
    this.#expected ??= expectedAfter(this.#received, this.#bodiless);
    const expected = this.#expected;
    if (expected === undefined) return;
    const { head, from, length } = expected;
    if (length === undefined ? !this.#received.endsWith('0\r\n\r\n') : this.#received.length < from + length) return;
    const rest = this.#received.slice(from);
    if (/\r\nconnection: close/i.test(head)) this.close();
    this.#settle?.({
      status: Number(head.slice(9, 12)),
      head,
      body: length === undefined ? unchunked(rest) : rest.slice(0, length),
    });
  }
}

interface Expected {
  head: string;
  /** Where the body begins. */
  from: number;
  /** Undefined where the body comes in chunks. */
  length: number | undefined;
}

function expectedAfter(received: string, bodiless: boolean): Expected | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.slice(0, end);
  const bare = bodiless || /^HTTP\/1\.1 (204|304)/.test(head);
  const length = bare ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return { head, from: end + 4, length: length === undefined ? undefined : Number(length) };
}

function unchunked(text: string): string {
  let body = '';
  for (let at = 0; at < text.length; ) {
    const line = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (!(size > 0)) break;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
  return body;
}

/** The text of a body; UTF-8 over the wire. */
export const textOf = ({ body }: WireAnswer): string => Buffer.from(body, 'latin1').toString('utf8');

/** The JSON-RPC message in an answer, also where it came as an event of a stream; undefined where there is none. */
export function messageOf(answer: WireAnswer): unknown {
  const text = textOf(answer);
  const json = text.startsWith('event:') || text.startsWith('data:') ? /^data: (\{.*)$/m.exec(text)?.[1] : text;
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

export interface McpRequest {
  /** `2026-07-28` stands on its own; a `2025-11-25` request belongs to a session. */
  era: '2026-07-28' | '2025-11-25';
  session?: string;
  bearer?: string;
  id: number | string;
  method: string;
  params: Record<string, unknown>;
}

const META = metaOf({});

/** A well-formed request of either protocol revision, ready to be written. */
export function mcpRequest({ era, session, bearer, id, method, params }: McpRequest): string {
  const newer = era === '2026-07-28';
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: newer ? { ...params, _meta: META } : params });
  const name = params['name'];
  return postOf(body, [
    `mcp-protocol-version: ${era}`,
    ...(newer ? [`mcp-method: ${method}`] : []),
    ...(newer && typeof name === 'string' ? [`mcp-name: ${name}`] : []),
    ...(session === undefined ? [] : [`mcp-session-id: ${session}`]),
    ...(bearer === undefined ? [] : [`authorization: Bearer ${bearer}`]),
  ]);
}

/** Bytes go out as they are, also where they are no text at all. */
export function postOf(body: string, headers?: readonly string[]): string;
export function postOf(body: string | Uint8Array, headers?: readonly string[]): string | Uint8Array;
export function postOf(body: string | Uint8Array, headers?: readonly string[]): string | Uint8Array;
export function postOf(body: string | Uint8Array, headers: readonly string[] = []): string | Uint8Array {
  const head = [
    'POST /mcp HTTP/1.1',
    'host: localhost',
    'accept: application/json, text/event-stream',
    'content-type: application/json',
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ];
  const start = head.join('\r\n');
  return typeof body === 'string' ? start + body : Buffer.concat([Buffer.from(start), body]);
}
