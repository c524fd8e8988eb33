/** What a raw connection says in a revision of the protocol: the greeting, a sound question, and what a request carries around. */
import { CLIENT_INFO } from '../sandbox/protocol-client.ts';
import { type Revision, senderMeta } from '../sandbox/revision.ts';

type Message = Record<string, unknown>;

export interface RawDialect {
  greeting: Message & { id: string };
  /** Sent after the greeting was answered; undefined where nothing is. */
  ready?: Message;
  /** Any server answers it. */
  question: (id: number) => Message;
  /** A message as a client of the revision sends it, as far as it can be one. */
  dressed: (text: string) => string;
  headers: (text: string) => Record<string, string>;
}

const HELLO = 'hello';

const SESSIONS: RawDialect = {
  greeting: {
    jsonrpc: '2.0',
    id: HELLO,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO },
  },
  ready: { jsonrpc: '2.0', method: 'notifications/initialized' },
  question: (id) => ({ jsonrpc: '2.0', id, method: 'ping' }),
  dressed: (text) => text,
  headers: () => ({ 'mcp-protocol-version': '2025-11-25' }),
};

/** Without what each request says about its sender, every message would be refused for that alone. */
const STATELESS: RawDialect = {
  greeting: { jsonrpc: '2.0', id: HELLO, method: 'server/discover', params: { _meta: senderMeta() } },
  question: (id) => ({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta: senderMeta() } }),
  dressed: (text) => {
    const message = objectIn(text);
    const params = message?.['params'] ?? {};
    if (message?.['method'] === undefined || !isObject(params)) return text;
    return JSON.stringify({ ...message, params: { _meta: senderMeta(), ...params } });
  },
  headers: (text) => {
    const { method, params } = objectIn(text) ?? {};
    const name = isObject(params) ? params['name'] : undefined;
    return {
      'mcp-protocol-version': '2026-07-28',
      ...(isHeader(method) ? { 'mcp-method': method } : {}),
      ...(isHeader(name) ? { 'mcp-name': name } : {}),
    };
  },
};

export const dialectOf = (revision: Revision | undefined): RawDialect =>
  revision === '2026-07-28' ? STATELESS : SESSIONS;

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHeader = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

function objectIn(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
