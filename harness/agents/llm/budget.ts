/**
 * The limits of one run that uses a model. They are checked before each request, so the last request may exceed them a
 * little.
 */
import type { ModelLimits, ModelSettings } from '../mcp/agent.ts';
import type { Usage } from './completion.ts';

export interface Budget {
  /** The limit that is reached, in words, or undefined. */
  limitReached: () => string | undefined;
  charge: (usage: Usage | null) => void;
}

export function openBudget(limits: ModelLimits, prices: ModelSettings['prices']): Budget {
  let requests = 0;
  let tokens = 0;
  let usd = 0;
  let uncounted = false;
  return {
    limitReached: () => {
      // Without a count the other two limits would hold nothing back.
      if (uncounted) return 'the endpoint counts no tokens, so the token limit cannot be kept';
      if (requests >= limits.requests) return `${requests} of ${limits.requests} requests`;
      if (tokens >= limits.tokens) return `${tokens} of ${limits.tokens} tokens`;
      if (limits.usd !== undefined && usd >= limits.usd) return `${usd.toFixed(4)} of ${limits.usd} US dollars`;
      return undefined;
    },
    charge: (usage) => {
      requests++;
      if (usage === null) {
        uncounted = true;
        return;
      }
      tokens += usage.total_tokens;
      if (prices !== undefined) usd += dollars(usage, prices);
    },
  };
}

export const dollars = (usage: Usage, prices: NonNullable<ModelSettings['prices']>): number =>
  (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / 1e6;
