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
import type { Dispatching } from './open-dispatch.ts';

export class LaterDispatch {
  readonly #parts: CallParts;
  #loading: Promise<Dispatching> | undefined;
  #loaded: Dispatching | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Resolves when a call would wait for nothing but itself. */
  load(): Promise<Dispatching> {
    this.#loading ??= import('./open-dispatch.ts').then(({ dispatchingWith }) => {
      this.#loaded = dispatchingWith(this.#parts);
      return this.#loaded;
    });
    return this.#loading;
  }

  over(catalog: Catalog, local: LocalRuns): Invoker {
    let opened: Dispatch | undefined;
    return {
      schema: (tool) => catalog.schema(tool.name),
      invoke: async (call) => {
        opened ??= this.#loaded?.dispatchOver(catalog, local);
        if (opened === undefined) {
          const { dispatchOver } = await this.load();
          opened ??= dispatchOver(catalog, local);
        }
        return opened.invoke(call);
      },
    };
  }

  /** Waits for the rate budget so far, over all accounts. */
  waits(): RateWaits {
    return this.#loaded?.waits() ?? { count: 0, sumMs: 0, maxMs: 0 };
  }
}
