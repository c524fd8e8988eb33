/**
 * What one run, and the whole campaign, may ask of a model. The model proxy checks before each request, so the last request may
 * exceed a limit a little.
 */
import type { Usage } from '../agents/llm/chat-completion.ts';

export interface ModelLimits {
  /** Requests that were answered, in one run. */
  requests: number;
  /** Tokens of all requests and answers of one run, as the endpoint counts them. */
  tokens: number;
  /** US dollars of one run; needs prices. */
  usd?: number;
}

/** US dollars per million tokens. */
export interface Prices {
  input: number;
  output: number;
}

/** Tokens that are paid for. */
export type BilledTokens = Pick<Usage, 'prompt_tokens' | 'completion_tokens'>;

export interface Budget {
  /** The limit that is reached, in words, or undefined. */
  limitReached: () => string | undefined;
  charge: (usage: Usage | null) => void;
}

/** Of all runs together; undefined where nothing limits them. */
export function openCampaignBudget(
  usd: number | undefined,
  prices: Prices | undefined,
): (Omit<Budget, 'charge'> & { charge: (usage: BilledTokens | null) => void }) | undefined {
  if (usd === undefined || prices === undefined) return undefined;
  let spent = 0;
  return {
    limitReached: () => (spent >= usd ? `${spent.toFixed(4)} of ${usd} US dollars of the whole campaign` : undefined),
    charge: (usage) => {
      if (usage !== null) spent += dollars(usage, prices);
    },
  };
}

export function openBudget(limits: ModelLimits, prices: Prices | undefined, campaign?: Budget): Budget {
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
      return campaign?.limitReached();
    },
    charge: (usage) => {
      requests++;
      campaign?.charge(usage);
      if (usage === null) {
        uncounted = true;
        return;
      }
      tokens += usage.total_tokens;
      if (prices !== undefined) usd += dollars(usage, prices);
    },
  };
}

export const dollars = (usage: BilledTokens, prices: Prices): number =>
  (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / 1e6;
