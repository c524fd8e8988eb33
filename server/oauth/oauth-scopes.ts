/**
 * Scopes of access tokens (RFC 6749, section 3.3): `mcp:CAPABILITY` for every platform and `PLATFORM:CAPABILITY` for one platform or
 * toolset. A capability implies no other one.
 */
import { CAPABILITIES, type Capability, type ScopedAccess } from '../access/access-policy.ts';
import type { Config } from '../config/config.ts';
import { ALWAYS_ON } from '../config/variables.ts';
import { RouterError } from '../errors.ts';

const EVERYWHERE = 'mcp';
/** Of one token; those beyond it give nothing. */
const MOST_SCOPES = 256;

type Served = Pick<Config, 'platforms' | 'localToolsets'>;

/** Every scope that means something on this router, in a fixed order. */
export function supportedScopes({ platforms, localToolsets }: Served): string[] {
  const toolsets = localToolsets.filter((id) => !(ALWAYS_ON as readonly string[]).includes(id));
  const places = [EVERYWHERE, ...platforms.map(({ id }) => id), ...toolsets];
  return places.flatMap((place) => CAPABILITIES.map((capability) => `${place}:${capability}`));
}

/** Throws CONFIG_INVALID for a scope of the settings that means nothing here. */
export function mustBeScopes(scopes: readonly string[], served: Served): void {
  const supported = supportedScopes(served);
  const unknown = scopes.find((scope) => !supported.includes(scope));
  if (unknown === undefined) return;
  throw new RouterError(
    'CONFIG_INVALID',
    `SVC_MCP_OAUTH_SCOPES should be a list of ${supported.join(', ')}, got ${JSON.stringify(unknown.slice(0, 100))}`,
  );
}

/** What a token's `scope` (RFC 9068, section 2.2.3; `scp` at some servers, also as a list) gives. Unknown scopes give nothing. */
export function scopedAccess(claim: unknown, supported: ReadonlySet<string>): ScopedAccess {
  const listed = typeof claim === 'string' ? claim.split(' ', MOST_SCOPES) : Array.isArray(claim) ? claim : [];
  const granted = [...new Set(listed.slice(0, MOST_SCOPES))].filter((scope) => supported.has(scope)) as string[];
  const everywhere = new Set<Capability>();
  const on = new Map<string, Set<Capability>>();
  for (const scope of granted) {
    const at = scope.lastIndexOf(':');
    const place = scope.slice(0, at);
    const capability = scope.slice(at + 1) as Capability;
    if (place === EVERYWHERE) everywhere.add(capability);
    else on.set(place, (on.get(place) ?? new Set()).add(capability));
  }
  return Object.freeze({ everywhere, on, granted });
}
