/**
 * Messages of a client over stdio, one a line, without those that are not UTF-8: the protocol library reads other bytes as U+FFFD,
 * which differs from what the client wrote. JSON is UTF-8 (RFC 8259, section 8.1).
 */
import { isUtf8 } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';

/** The protocol library ends a connection whose line is longer, so such a one is left to it. */
const LONGEST_LINE = 10 * 1024 * 1024;
const LINE_END = 0x0a;

export class Utf8Lines extends Transform {
  readonly #refuse: (answer: string | undefined) => void;
  #begun: Buffer[] = [];
  #bytes = 0;

  /** `refuse` gets the answer to a message that is left out; undefined for one that wants none. */
  constructor(refuse: (answer: string | undefined) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    this.#begun.push(chunk.subarray(0, end || chunk.length));
    this.#bytes += chunk.length;
    if (end > 0 || this.#bytes > LONGEST_LINE) {
      this.#pass(Buffer.concat(this.#begun));
      const rest = end > 0 ? chunk.subarray(end) : Buffer.of();
      this.#begun = [rest];
      this.#bytes = rest.length;
    }
    done();
  }

  #pass(lines: Buffer): void {
    if (isUtf8(lines)) {
      this.push(lines);
      return;
    }
    for (let at = 0; at < lines.length; ) {
      const end = lines.indexOf(LINE_END, at) + 1 || lines.length;
      const line = lines.subarray(at, end);
      if (isUtf8(line)) this.push(line);
      else this.#refuse(answerTo(line));
      at = end;
    }
  }
}

/** A request is told by its id; a notification, and what cannot be read at all, gets no answer. */
function answerTo(line: Buffer): string | undefined {
  let id: unknown;
  try {
    ({ id } = JSON.parse(line.toString('utf8')) as { id?: unknown });
  } catch {
    return undefined;
  }
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const error = { code: -32700, message: 'Parse error: the message should be UTF-8, got other bytes' };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
