/** What happened in one run, as a person reads it: each message, and under it the platform calls it caused. */
import { type Message, type Recording, runKey } from './recording.ts';
import { tokensOf } from './token-count.ts';

/** Longer texts are cut, so that a page of hundreds of runs stays readable and small. */
const LONGEST = 600;
const LONGEST_TITLE = 120;

export interface TracedCall {
  /** `METHOD /path?query → status`. */
  line: string;
  /** read, diagnostic, write, destructive, poll, or auth for a login. */
  kind: string;
  platform: string;
  operation: string | null;
  /** The fake's clock. */
  at: string;
}

export interface TracedMessage {
  n: number;
  kind: Message['kind'];
  /** One line: the tool and what it was asked, or the person and what was answered. */
  title: string;
  sent: string;
  received: string;
  /** The tokens that a model would have read and written for the message. */
  tokens: number;
  failed: boolean;
  atMs: number;
  tookMs: number;
  calls: TracedCall[];
}

export interface Trace {
  key: string;
  run: number;
  intent: string;
  outcome: Recording['outcome'];
  /** What the agent printed last, cut. */
  answer: string;
  messages: TracedMessage[];
  /** Platform calls that no message caused, such as those after the last one. */
  otherCalls: TracedCall[];
  logins: number;
}

/** Texts are cut after `longest` characters; the list of tools and the instructions always. */
export function traceOf(recording: Recording, longest = LONGEST): Trace {
  const calls = new Map(recording.ledger.map((entry) => [entry.seq, callOf(entry)]));
  const messages = recording.transcript.map((message, i): TracedMessage => {
    const caused = (message.calls ?? []).flatMap((seq) => calls.get(seq) ?? []);
    for (const seq of message.calls ?? []) calls.delete(seq);
    const { atMs, tookMs } = recording.timings.messages[i] ?? { atMs: 0, tookMs: 0 };
    return {
      n: message.n,
      kind: message.kind,
      title: titleOf(message),
      sent: message.kind === 'call' || message.kind === 'elicitation' ? cut(message.sent, longest) : '',
      received: receivedText(message, longest),
      tokens: message.kind === 'elicitation' ? 0 : tokensOf(message.received) + tokensOf(message.sent),
      failed: message.isError === true,
      atMs,
      tookMs,
      calls: caused,
    };
  });
  return {
    key: runKey(recording),
    run: recording.run,
    intent: recording.task.intent,
    outcome: recording.outcome,
    answer: recording.final === undefined ? '' : cut(recording.final, longest),
    messages,
    otherCalls: [...calls.values()],
    logins: recording.timings.logins.length,
  };
}

function callOf(entry: Recording['ledger'][number]): TracedCall {
  const { method, path, query, status, capability, platform, operationId, at } = entry;
  const line = `${method} ${path}${query === '' ? '' : `?${query}`} → ${status}`;
  return { line, kind: capability, platform, operation: operationId, at };
}

function titleOf(message: Message): string {
  if (message.kind === 'initialize') return 'instructions';
  if (message.kind === 'list') return 'tools/list';
  if (message.kind === 'elicitation') {
    const { action } = message.received as { action: string };
    return `person asked: ${/^object: (.*)$/m.exec(String(message.sent))?.[1] ?? 'no object named'} → ${action}`;
  }
  const { name, query } = message.sent as { name?: unknown; query?: unknown };
  const what = typeof name === 'string' ? name : typeof query === 'string' ? `“${query}”` : '';
  return cut(`${message.tool} ${what}`.trim(), LONGEST_TITLE);
}

function receivedText(message: Message, longest: number): string {
  if (message.kind === 'list') return listedNames(message.received);
  // The same in every run; its beginning tells which it was.
  return message.kind === 'initialize' ? cut(message.received, 300) : cut(message.received, longest);
}

/** Descriptions of thousands of tools explain nothing here; how many, and the first names, do. */
function listedNames(received: unknown): string {
  if (!Array.isArray(received)) return cut(received, LONGEST);
  const names = received.map((tool: { name?: unknown }) => String(tool.name));
  return `${names.length} tools: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`;
}

function cut(value: unknown, longest: number): string {
  const blocks = Array.isArray(value) && value.every((block) => typeof block === 'string') ? value.join('\n') : value;
  const text = typeof blocks === 'string' ? blocks : (JSON.stringify(blocks) ?? '');
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length - longest} more characters)` : text;
}
