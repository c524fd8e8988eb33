/**
 * Tells open pages that something changed, as server-sent events without content: the page takes its live part anew by an
 * ordinary request of its session. One timer looks for all of them, and only while somebody listens.
 */
import type { ServerResponse } from 'node:http';

export const LIVE_LIMITS = { everyMs: 2_000, all: 64, session: 6 };

interface Listener {
  session: string;
  response: ServerResponse;
  /** Whether its session still counts. */
  counts: () => Promise<boolean>;
}

/** One that is due has not been told of a change yet. */
type Told = Listener & { due: boolean };

export class LivePages {
  readonly #version: () => Promise<string>;
  readonly #everyMs: number;
  readonly #listeners = new Set<Told>();
  #timer: NodeJS.Timeout | undefined;
  #last: string | undefined;
  #looking = false;

  /** `version` is another text whenever a live page would look different. */
  constructor(version: () => Promise<string>, everyMs = LIVE_LIMITS.everyMs) {
    this.#version = version;
    this.#everyMs = everyMs;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** False where there are too many of them already, or where its page is gone. */
  add(added: Listener): boolean {
    // No end of it would be told any more, and it would keep its place for ever.
    if (added.response.destroyed) return false;
    const own = [...this.#listeners].filter(({ session }) => session === added.session).length;
    if (this.#listeners.size >= LIVE_LIMITS.all || own >= LIVE_LIMITS.session) return false;
    // Its page was made before it listened, and nobody knows what changed in between.
    const listener: Told = { ...added, due: true };
    this.#listeners.add(listener);
    listener.response.on('close', () => this.#remove(listener));
    this.#timer ??= setInterval(() => void this.#look(), this.#everyMs).unref();
    return true;
  }

  close(): void {
    for (const { response } of this.#listeners) response.end();
    this.#listeners.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #remove(listener: Told): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#last = undefined;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const version = await this.#version().catch(() => this.#last ?? '');
      const changed = this.#last !== undefined && version !== this.#last;
      this.#last = version;
      for (const listener of [...this.#listeners]) {
        listener.due ||= changed;
        await this.#tell(listener);
      }
    } finally {
      this.#looking = false;
    }
  }

  async #tell(listener: Told): Promise<void> {
    const { response, due } = listener;
    if (!(await listener.counts().catch(() => false))) response.end('event: ended\ndata:\n\n');
    // Whoever does not read what was sent is told once it does.
    else if (response.writableLength === 0) {
      listener.due = false;
      response.write(due ? 'event: changed\ndata:\n\n' : ':\n\n');
    }
  }
}
