/** What a campaign with a model will probably ask and cost, and at most, said before anything is spent. */
import { dollars, type ModelLimits, type Prices } from './model-budget.ts';

/** A find, a preview, a change, a read-back, and the answer; scenarios over two platforms take more. */
const REQUESTS_PER_RUN = 6;
/** Of one answer: a tool call, or the final JSON value. */
const TOKENS_PER_ANSWER = 150;
/** Of one run's conversation at its end, where no baseline says how long it gets. */
const CONVERSATION_TOKENS = 15_000;

export interface EstimateInput {
  runs: number;
  /** Of one run, counted once: mean of the judged agent in the baseline. */
  conversationTokens?: number | undefined;
  limits: ModelLimits;
  prices?: Prices | undefined;
  totalUsd?: number | undefined;
}

export interface Estimate {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  usd: number | undefined;
  /** By the limits; the last request of a run may exceed them a little. */
  atMost: { requests: number; tokens: number; usd: number | undefined };
}

/** Each request holds the conversation so far, which on average is about two thirds of its final length. */
export function estimateOf(input: EstimateInput): Estimate {
  const { runs, conversationTokens = CONVERSATION_TOKENS, limits, prices, totalUsd } = input;
  const perRun = Math.min(REQUESTS_PER_RUN, limits.requests);
  const requests = runs * perRun;
  const promptTokens = Math.round((requests * conversationTokens * 2) / 3);
  const completionTokens = requests * TOKENS_PER_ANSWER;
  const tokens = runs * limits.tokens;
  return {
    ...{ requests, promptTokens, completionTokens },
    usd: prices && dollars({ prompt_tokens: promptTokens, completion_tokens: completionTokens }, prices),
    atMost: { requests: runs * limits.requests, tokens, usd: mostUsd(runs, tokens, limits, prices, totalUsd) },
  };
}

function mostUsd(
  runs: number,
  tokens: number,
  { usd }: ModelLimits,
  prices: Prices | undefined,
  totalUsd: number | undefined,
): number | undefined {
  if (prices === undefined) return undefined;
  const byTokens = (tokens * Math.max(prices.input, prices.output)) / 1e6;
  return Math.min(byTokens, usd === undefined ? Infinity : runs * usd, totalUsd ?? Infinity);
}

export function estimateText(model: string, runs: number, estimate: Estimate): string {
  const { requests, promptTokens, completionTokens, usd, atMost } = estimate;
  const whole = (value: number) => value.toLocaleString('en-GB');
  const money = (value: number | undefined) =>
    value === undefined ? 'no price is set' : `${value.toFixed(2)} US dollars`;
  return [
    `${runs} runs will ask ${model}:`,
    `  about   ${whole(requests)} requests, ${whole(promptTokens)} tokens read, ${whole(completionTokens)} written; ${money(usd)}`,
    `  at most ${whole(atMost.requests)} requests, ${whole(atMost.tokens)} tokens; ${money(atMost.usd)}`,
    '',
  ].join('\n');
}
