/** Sends a log message, at the level that the client set, and a progress notification while a call waits. */
import type { Wait } from '../outbound/call-cost.ts';
import type { Call } from './dispatch-call.ts';

/**
 * The listener for every wait of one call. The call does not wait for the notifications, and a disconnected client
 * gets none.
 */
export function reportWaits({ name, log, progress }: Call): (wait: Wait) => void {
  let told = 0;
  return (wait) => {
    told += 1;
    const message = sentence(wait);
    const { for: event, ms, ...more } = wait;
    const data = { event: `${event}_wait`, message, tool: name.slice(0, 100), wait_ms: Math.round(ms), ...more };
    void log?.(event === 'retry' ? 'warning' : 'info', data).catch(() => {});
    void progress?.(told, undefined, message).catch(() => {});
  };
}

/** Tells how far a call is. One that cannot be told ends no call: writes may have been sent, and more of them were approved. */
export function withoutFailures({ progress }: Call): Pick<Call, 'progress'> {
  return progress ? { progress: (...told) => progress(...told).catch(() => {}) } : {};
}

function sentence({ for: event, platform, ms, reason, attempt }: Wait): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  return event === 'retry'
    ? `${platform} did not answer (${reason}): attempt ${attempt} in ${seconds}`
    : `waiting about ${seconds} for the rate budget of ${platform}`;
}
