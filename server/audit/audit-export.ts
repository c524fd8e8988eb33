/**
 * Sends the lines of the audit log on to another system, beside the calls: the file stays the record, and a receiver that is
 * slow or down costs no call anything. What does not fit into the queue is dropped there, the oldest first, and counted.
 */
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { AuditExportState } from '../telemetry/metrics.ts';

export interface AuditReceiver {
  name: 'syslog' | 'otlp';
  /** Sends whole lines, in their order. Rejects where the receiver did not take them. */
  send: (lines: readonly string[]) => Promise<void>;
  close: () => void;
}

export interface AuditExportOptions {
  receiver: AuditReceiver;
  logger: Logger;
  /** How long lines are collected before they are sent, in ms. */
  everyMs?: number;
}

/** Lines that wait, and that one message carries. */
const QUEUE = 10_000;
const BATCH = 200;
/** Of the lines of one message: a caller decides how long a line is, and a receiver that refuses a message refuses it again. */
const BATCH_CHARACTERS = 256 * 1024;
const EVERY_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export class AuditExport {
  readonly #receiver: AuditReceiver;
  readonly #logger: Logger;
  readonly #everyMs: number;
  #waiting: string[] = [];
  /** Since the receiver failed, and since the start. */
  #lost = 0;
  #lostEver = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor({ receiver, logger, everyMs = EVERY_MS }: AuditExportOptions) {
    this.#receiver = receiver;
    this.#logger = logger;
    this.#everyMs = everyMs;
  }

  get state(): AuditExportState {
    return {
      to: this.#receiver.name,
      up: this.#failures === 0,
      waiting: this.#waiting.length,
      lost: this.#lostEver,
    };
  }

  add(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length > QUEUE) {
      this.#waiting.shift();
      this.#lost += 1;
      this.#lostEver += 1;
    }
    this.#later();
  }

  /** Sends what waits, for at most this long, and ends. */
  async close(mostMs: number): Promise<void> {
    // Keeps the process alive for so long: a command that ends at once has lines that wait.
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs);
    const all = async (): Promise<void> => {
      while (this.#waiting.length > 0 || this.#sending) {
        const before = this.#failures;
        await (this.#sending ?? this.#send());
        if (this.#failures > before) return;
      }
    };
    await Promise.race([all(), late]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
    const lost = this.#lost + this.#waiting.length;
    if (lost > 0) this.#logger.warn('audit.lost', { to: this.#receiver.name, lines: lost });
    this.#receiver.close();
  }

  #later(): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return;
    const pause = Math.min(this.#everyMs * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#timer = setTimeout(() => void this.#send(), pause).unref();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#batch().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#later();
    });
    return this.#sending;
  }

  /** The first of those that wait, at least one. */
  #next(): string[] {
    let [end, characters] = [0, 0];
    for (const line of this.#waiting.slice(0, BATCH)) {
      characters += line.length;
      if (characters > BATCH_CHARACTERS && end > 0) break;
      end += 1;
    }
    return this.#waiting.slice(0, end);
  }

  async #batch(): Promise<void> {
    const lines = this.#next();
    const lost = this.#lost;
    try {
      await this.#receiver.send(lines);
    } catch (error) {
      const first = this.#failures === 0;
      this.#failures += 1;
      if (first) this.#logger.warn('audit.unsent', { to: this.#receiver.name, ...errorFields(error) });
      return;
    }
    // Lines that were dropped meanwhile were the first of these.
    this.#waiting.splice(0, lines.length - Math.min(this.#lost - lost, lines.length));
    if (this.#failures > 0) this.#logger.info('audit.sent-again', { to: this.#receiver.name, lost: this.#lost });
    this.#failures = 0;
    this.#lost = 0;
  }
}
