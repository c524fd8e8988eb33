/**
 * The only place that decides what a call may do. Values in, values out: listing, dispatch and the outbound client ask
 * the same function, so they cannot disagree.
 */
import type { AccessProfile, AccessSettings } from '../config/access-settings.ts';
import type { Config } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { ALWAYS_ON } from '../config/variables.ts';

export type Capability = 'read' | 'diagnostic' | 'write' | 'destructive';

export const CAPABILITIES: readonly Capability[] = ['read', 'diagnostic', 'write', 'destructive'];

/** Place of a class among all, from the mildest, 0, to the strictest. */
export const strictness = (capability: Capability): number => CAPABILITIES.indexOf(capability);

/** Only writes and destructive calls pass a gate. */
export const isGated = (capability: Capability): boolean => capability === 'write' || capability === 'destructive';

/** Where the state of a gate came from, so that an operator knows which setting to look at. */
export type GateSource =
  | 'READONLY'
  | 'ACCESS_PROFILE'
  | 'open_binding'
  | 'platform_override'
  | 'platform_default'
  | 'PRODUCT_ACCESS'
  | 'no_gate'
  | 'inner_calls'
  | 'principal';

export interface GateState {
  env_var: string | null;
  state: 'enabled' | 'disabled';
  source: GateSource;
}

export interface Decision {
  /** May it be found and listed? */
  visible: boolean;
  /** May it be called? Reads and diagnostics always may; confirmation of a write is dispatch's business. */
  allowed: boolean;
  /** Of a call that passes one. */
  gate?: GateState;
  /** The scope that the caller's token lacks; then nothing else forbids the call. */
  missingScope?: string;
}

/** What the scopes of an access token give: capabilities on every platform, and those on single platforms. */
export interface ScopedAccess {
  everywhere: ReadonlySet<Capability>;
  on: ReadonlyMap<string, ReadonlySet<Capability>>;
  /** The scopes themselves, without those that mean nothing here. */
  granted: readonly string[];
}

/** `inner`: calls others, each of which meets its own gate. */
type Gated = Pick<PlatformDefinition, 'kind'> & { gate: PlatformDefinition['gate'] | 'inner' };

export function decide(settings: AccessSettings, platform: Gated, capability: Capability): Decision {
  if (capability === 'read' || capability === 'diagnostic') return { visible: true, allowed: true };
  const gate = gateState(settings, platform);
  const hidden = settings.readonly || settings.profile === 'safe-read-only';
  return { visible: !hidden, allowed: gate.state === 'enabled', gate };
}

/** Tools of this router itself: their toolset switches them, and there is no platform whose writes a gate could open. */
const LOCAL: Gated = { kind: 'toolset', gate: null };
/** The toolset of the tools that call tools. */
export const ROUTER_TOOLSET = 'router';
const ROUTER: Gated = { kind: 'toolset', gate: 'inner' };
/** The toolset of migration runs: both targets are one platform, so its gate is theirs. */
export const MIGRATION_TOOLSET = 'migration';
const MIGRATION_TARGET = 'mgmt';

/** What one principal may use of what the server permits: a field that is absent narrows nothing. */
export interface PrincipalAccess {
  profile?: AccessProfile;
  /** Platforms and toolsets. The toolsets that are always on stay: each call that their tools make is decided by itself. */
  platforms?: ReadonlySet<string>;
  capabilities?: ReadonlySet<Capability>;
  /** Gate variables; a platform without a gate of its own has no writes. */
  gates?: ReadonlySet<string>;
  /** Weight among the principals that wait for permits of one account; 1 when left out. */
  share?: number;
  /** Calls at a time; more are RATE_LIMITED. */
  maxInFlight?: number;
  /** Sessions of protocol 2025-11-25 at a time; more are answered with 503. */
  maxSessions?: number;
  /** Questions that wait for an operator at a time; more are APPROVAL_LIMIT. */
  maxPendingApprovals?: number;
  /** Writes to one platform in a clock hour; more are WRITE_QUOTA_USED_UP. */
  maxWritesPerHour?: number;
  /** Of a caller with an access token: what is not in its scopes is visible, and not allowed. */
  scopes?: ScopedAccess;
}

/** Of a caller whom nobody vouched for. */
export const NO_ACCESS: PrincipalAccess = Object.freeze({
  platforms: new Set<string>(),
  capabilities: new Set<Capability>(),
});

const HIDDEN: Decision = Object.freeze({ visible: false, allowed: false });

/**
 * The decision for a platform or local toolset by its id, for a principal where there are several: it can only take away from what the
 * server permits. An unknown id is neither visible nor callable.
 */
export function decideFor(
  config: Pick<Config, 'access' | 'known' | 'localToolsets'>,
  id: string,
  capability: Capability,
  principal?: PrincipalAccess,
): Decision {
  if (id === MIGRATION_TOOLSET) return decideFor(config, MIGRATION_TARGET, capability, principal);
  const decision = serverDecision(config, id, capability);
  if (principal === undefined) return decision;
  const own = narrowed(decision, principal, id, capability);
  if (principal.scopes === undefined || !own.allowed || isInScope(principal.scopes, id, capability)) return own;
  return { ...own, allowed: false, missingScope: scopeOf(id, capability) };
}

/** The least scope that admits a tool; those of the toolsets that are always on belong to no platform. */
const scopeOf = (id: string, capability: Capability): string => `${isAlwaysOn(id) ? 'mcp' : id}:${capability}`;

/**
 * The tools that call tools need no scope: each call inside has its own. The other toolsets that are always on belong to no platform, so
 * the capability on any platform is enough.
 */
function isInScope({ everywhere, on }: ScopedAccess, id: string, capability: Capability): boolean {
  if (id === ROUTER_TOOLSET) return true;
  if (everywhere.has(capability) || on.get(id)?.has(capability) === true) return true;
  return isAlwaysOn(id) && [...on.values()].some((capabilities) => capabilities.has(capability));
}

function narrowed(decision: Decision, principal: PrincipalAccess, id: string, capability: Capability): Decision {
  const { profile, platforms, capabilities, gates } = principal;
  const isElsewhere = platforms !== undefined && !platforms.has(id) && !isAlwaysOn(id);
  if (isElsewhere || capabilities?.has(capability) === false) return HIDDEN;
  const { gate } = decision;
  if (gate === undefined) return decision;
  const shut: GateState = { ...gate, state: 'disabled', source: 'principal' };
  if (profile === 'safe-read-only') return { visible: false, allowed: false, gate: shut };
  const isOpen =
    gates === undefined || gate.source === 'inner_calls' || (gate.env_var !== null && gates.has(gate.env_var));
  return isOpen || !decision.allowed ? decision : { ...decision, allowed: false, gate: shut };
}

const isAlwaysOn = (id: string): boolean => (ALWAYS_ON as readonly string[]).includes(id);

function serverDecision(
  config: Pick<Config, 'access' | 'known' | 'localToolsets'>,
  id: string,
  capability: Capability,
): Decision {
  const local = id === ROUTER_TOOLSET ? ROUTER : LOCAL;
  const platform = config.localToolsets.includes(id) ? local : config.known.find((known) => known.id === id);
  return platform ? decide(config.access, platform, capability) : { visible: false, allowed: false };
}

/** State of a platform's write gate under the profile, strongest rule first. */
export function gateState(settings: AccessSettings, platform: Gated): GateState {
  const { gate } = platform;
  const variable = gate === 'inner' ? null : (gate?.variable ?? null);
  const state = (enabled: boolean, source: GateSource): GateState => ({
    env_var: variable,
    state: enabled ? 'enabled' : 'disabled',
    source,
  });
  if (settings.readonly) return state(false, 'READONLY');
  if (settings.profile === 'safe-read-only') return state(false, 'ACCESS_PROFILE');
  if (settings.openBinding) return state(false, 'open_binding');
  if (gate === null) return state(false, 'no_gate');
  if (gate === 'inner') return state(true, 'inner_calls');
  if (settings.profile === 'full-read-write') return state(true, 'ACCESS_PROFILE');
  const explicit = settings.gates[gate.variable];
  if (explicit !== undefined) return state(explicit, 'platform_override');
  if (gate.default === 'off') return state(false, 'platform_default');
  return state(settings.productAccess === 'read-write', 'PRODUCT_ACCESS');
}
