/** The rate limit that a platform's documents state in `x-svc-rate-limit`, or the usual one. */
import { isObject } from '../state/json-value.ts';
import type { OpenApiDocument } from './openapi-document.ts';

export interface RateRule {
  limit: number;
  per: keyof typeof WINDOWS_MS;
  /** Headers that tell the limit, what is left of it and when it starts again, by the last word of their names. */
  headers: string[];
}

/** Length of a rate window by its unit. */
export const WINDOWS_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const USUAL: RateRule = {
  limit: 5000,
  per: 'hour',
  headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
};

/** Null for a platform without a limit. */
export function rateRuleOf(documents: readonly OpenApiDocument[]): RateRule | null {
  const stated = documents.map((document) => document['x-svc-rate-limit']).find((value) => value !== undefined);
  if (stated === undefined) return { ...USUAL };
  return isObject(stated) ? (stated as unknown as RateRule) : null;
}
