/** What looks at the calls of a router: metrics, and the list of recent calls that the console shows. */
import type { Config } from './config/config.ts';
import type { DispatchEvents } from './dispatch/open-call-parts.ts';
import { type CompletedCall, Metrics, type RateWaits } from './telemetry/metrics.ts';
import { RecentCalls } from './telemetry/recent-calls.ts';

/** What looks at the calls of a router, and where its console is once it listens. */
export interface Observers {
  metrics: Metrics | undefined;
  calls: RecentCalls;
  settled: ((call: CompletedCall) => void) | undefined;
  answers: Pick<DispatchEvents, 'onAnswer'>;
  consoleAt: { url: string | undefined };
}

export function observersOf(config: Config, waits: () => RateWaits): Observers {
  const { console, mode } = config.approvals;
  const metrics = config.metrics.collect
    ? new Metrics({
        waits,
        approvals: mode !== 'client',
        principals: config.principalsPath !== undefined || config.oauth !== undefined,
      })
    : undefined;
  const calls = new RecentCalls();
  const both = (call: CompletedCall) => {
    metrics?.record(call);
    calls.record(call);
  };
  return {
    metrics,
    calls,
    settled: console ? both : metrics && ((call) => metrics.record(call)),
    answers: metrics ? { onAnswer: (state, ms) => metrics.recordAnswer(state, ms) } : {},
    consoleAt: { url: console?.url },
  };
}
