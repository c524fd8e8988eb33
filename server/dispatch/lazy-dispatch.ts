/**
 * Dispatch as a router holds it: its modules, a quarter of the router's, are loaded soon after the start, or by the
 * first call if that comes before.
 */
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { RateWaits } from '../telemetry/metrics.ts';
import type { LocalRuns } from './admission.ts';
import type { Dispatch } from './dispatch.ts';
import type { Invoker } from './dispatch-call.ts';
import type { CallParts } from './open-call-parts.ts';
import type { DispatchFactory } from './open-dispatch.ts';

export class LazyDispatch {
  readonly #parts: CallParts;
  #loading: Promise<DispatchFactory> | undefined;
  #loaded: DispatchFactory | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Resolves when a call would wait for nothing but itself. */
  load(): Promise<DispatchFactory> {
    this.#loading ??= import('./open-dispatch.ts').then(({ dispatchFactory }) => {
      this.#loaded = dispatchFactory(this.#parts);
      return this.#loaded;
    });
    return this.#loading;
  }

  /** `local` loads the router's own tools, which are opened with the first call. */
  over(catalog: Catalog, local: () => Promise<LocalRuns>): Invoker {
    let opened: Promise<Dispatch> | undefined;
    return {
      schema: (tool) => catalog.schema(tool.name),
      invoke: async (call) => {
        opened ??= Promise.all([this.load(), local()]).then(([{ dispatchOver }, runs]) => dispatchOver(catalog, runs));
        return (await opened).invoke(call);
      },
    };
  }

  /** Waits for the rate budget so far, over all accounts. */
  waits(): RateWaits {
    return this.#loaded?.waits() ?? { count: 0, sumMs: 0, maxMs: 0 };
  }
}
