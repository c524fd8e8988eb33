/** Bearers as the file keeps them. A bearer is 256 random bits, so one round of SHA-256 is enough: nobody can guess it. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SHORTEST_BEARER } from '../config/listen-address.ts';

export const BEARER_HASH = /^sha256:[0-9a-f]{64}$/;

export const newBearer = (): string => randomBytes(32).toString('base64url');

export const hashOf = (bearer: string): string => `sha256:${hash('sha256', bearer, 'hex')}`;

export const bytesOf = (hashed: string): Buffer => Buffer.from(hashed.slice('sha256:'.length), 'hex');

/** The first whose hashes hold the bearer's. Every hash is compared, so the time says nothing about which one it was. */
export function holderOf<T extends { hashes: readonly Buffer[] }>(all: readonly T[], bearer: string): T | undefined {
  if (bearer.length < SHORTEST_BEARER) return undefined;
  const given = hash('sha256', bearer, 'buffer');
  let holder: T | undefined;
  for (const one of all) for (const known of one.hashes) if (timingSafeEqual(known, given)) holder ??= one;
  return holder;
}
