/** Addresses in the answers of a foreign platform. */
import type { Call } from '../engine/http/accepted-call.ts';

/** A path of the document below the URL by which the caller reached the platform; alone where the call came without a socket. */
export const addressOf = ({ base = '' }: Pick<Call, 'base'>, path: string): string => `${base}${path}`;

/** An address as a field may have it, the likelier first: whole, or without its host. */
export function spellingsOf(address: string): string[] {
  if (address.startsWith('/')) return [address, `https://api.example${address}`];
  const { pathname, search } = new URL(address);
  return [address, pathname + search];
}
