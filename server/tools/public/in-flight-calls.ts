/** How many calls have begun and not ended, so that whoever stops the router can wait for them. */
import type { PublicTool } from './public-tool.ts';

export class InFlightCalls {
  #calls = 0;
  readonly #waiting = new Set<() => void>();

  watched(tool: PublicTool): PublicTool {
    return {
      ...tool,
      run: async (args, caller) => {
        this.#calls += 1;
        try {
          return await tool.run(args, caller);
        } finally {
          this.#calls -= 1;
          if (this.#calls === 0) for (const tell of this.#waiting) tell();
        }
      },
    };
  }

  /** Resolves when no call is in flight and all answers were sent, at the latest after `mostMs` milliseconds. */
  async none(mostMs: number): Promise<void> {
    if (this.#calls > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs).unref();
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    await new Promise(setImmediate);
  }
}
