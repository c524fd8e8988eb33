/**
 * The built-in fetch sends a request again by itself when a server answers 421 (Fetch standard, HTTP-network-or-cache
 * fetch, step 16), whatever its method. This dispatcher lets one request through, so a write cannot go out twice.
 */
import type { Dispatcher } from './dispatcher.ts';

/** A dispatcher for one fetch, in front of the one that connects. */
export function sentOnce(connecting: Dispatcher): Dispatcher {
  let sent = false;
  return {
    dispatch: (options, handler) => {
      if (sent) throw new Error('a request that may write is sent once');
      sent = true;
      return connecting.dispatch(options, handler);
    },
  };
}
