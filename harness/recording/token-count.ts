/** Tokens of a value as a model would read it, in the o200k_base encoding: a count without a model, the same everywhere. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const seen = new Map<string, number>();

/** Text as it is, anything else as JSON; nothing costs nothing. */
export function tokensOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length < 200) return countTokens(text);
  // Tool lists and instructions repeat in every recording of a campaign.
  const known = seen.get(text) ?? countTokens(text);
  if (seen.size < 2_000) seen.set(text, known);
  return known;
}
