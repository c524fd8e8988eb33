/**
 * principals.yaml: one entry per principal. An entry only narrows the settings of the server; one that asks for more than the
 * server has is refused, with file, line and field. Neither a hash nor a value beside names ever enters a message.
 */
import { readFileSync } from 'node:fs';
import type { Document, LineCounter } from 'yaml';
import { CAPABILITIES, type Capability, decideFor, isGated } from '../access/access-policy.ts';
import type { AccessProfile } from '../config/access-settings.ts';
import type { Config } from '../config/config.ts';
import { mustBePrivateKeyFile } from '../config/private-path.ts';
import { type Static, Type } from '../config/schema.ts';
import { firstProblem, schemaCheck } from '../config/schema-check.ts';
import { RouterError } from '../errors.ts';
import * as lazyImport from '../lazy-import.ts';
import { BEARER_HASH, bytesOf } from './bearer-hash.ts';
import { DEFAULT_LIMITS, type Principal } from './principal.ts';

/** Settings of the server that an entry narrows. */
export type ServerSettings = Pick<Config, 'access' | 'known' | 'platforms' | 'localToolsets' | 'confirmation'> &
  Partial<Pick<Config, 'oauth' | 'writes'>>;

const PROFILES: readonly AccessProfile[] = ['safe-read-only', 'custom', 'full-read-write'];
export const PRINCIPAL_NAME = /^[a-z][a-z0-9._-]{0,31}$/;
/** Names that the router gives to callers of its own. */
const TAKEN = ['local', 'anonymous'];
const MOST = { principals: 256, bearers: 4, bytes: 1 << 20 };

const names = () => Type.Optional(Type.Array(Type.String(), { uniqueItems: true }));
const Entry = Type.Object(
  {
    name: Type.String({ pattern: PRINCIPAL_NAME.source }),
    bearers: Type.Optional(
      Type.Array(Type.String({ pattern: BEARER_HASH.source }), { minItems: 1, maxItems: MOST.bearers }),
    ),
    oauth: Type.Optional(
      Type.Object(
        {
          claim: Type.String({ minLength: 1, maxLength: 64 }),
          value: Type.String({ minLength: 1, maxLength: 256 }),
        },
        { additionalProperties: false },
      ),
    ),
    profile: Type.Optional(Type.Unsafe<AccessProfile>({ type: 'string', enum: PROFILES })),
    platforms: names(),
    capabilities: Type.Optional(
      Type.Array(Type.Unsafe<Capability>({ type: 'string', enum: CAPABILITIES }), { uniqueItems: true }),
    ),
    gates: names(),
    share: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    max_in_flight: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    max_sessions: Type.Optional(Type.Integer({ minimum: 1, maximum: 512 })),
    max_pending_approvals: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    max_writes_per_hour: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    may_approve: Type.Optional(Type.Boolean()),
    metrics: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
const File = Type.Object(
  { principals: Type.Array(Entry, { maxItems: MOST.principals }) },
  { additionalProperties: false },
);
export type PrincipalEntry = Static<typeof Entry>;

const isFile = schemaCheck(File);

/** Where a value stands in the file. */
type Place = readonly (string | number)[];
type Refuse = (at: Place, what: string) => RouterError;

/** Throws PRINCIPALS_INVALID, or CONFIG_INVALID where others may read the file. */
export function readPrincipals(path: string, settings: ServerSettings): Principal[] {
  const { entries, refuse } = readEntries(path);
  const names = new Set<string>();
  const hashes = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    if (TAKEN.includes(entry.name))
      throw refuse([i, 'name'], `should not be ${entry.name}, which the router uses itself`);
    if (names.has(entry.name)) throw refuse([i, 'name'], `should be the only one, got ${entry.name} a second time`);
    names.add(entry.name);
    mustProveItself(entry, entries.slice(0, i), settings, (at, what) => refuse([i, ...at], what));
    for (const [at, hashed] of (entry.bearers ?? []).entries()) {
      if (hashes.has(hashed))
        throw refuse([i, 'bearers', at], 'should be the only one, got the hash of another bearer');
      hashes.add(hashed);
    }
    mustOnlyNarrow(entry, settings, (at, what) => refuse([i, ...at], what));
  }
  return entries.map(principalOf);
}

/** By bearers, by a claim that no other one has, or by both. */
function mustProveItself(
  { bearers, oauth }: PrincipalEntry,
  earlier: readonly PrincipalEntry[],
  settings: ServerSettings,
  refuse: Refuse,
): void {
  if (oauth === undefined) {
    if (bearers === undefined) throw refuse([], 'should have `bearers` or `oauth`, got neither');
    return;
  }
  if (settings.oauth === undefined)
    throw refuse(['oauth'], 'should not be there while SVC_MCP_OAUTH_ISSUER is not set: nobody could prove it');
  if (earlier.some((one) => one.oauth?.claim === oauth.claim && one.oauth.value === oauth.value))
    throw refuse(['oauth'], 'should be the only one, got the claim of another principal');
}

/** The entries as they stand in the file, in its order, without a look at the settings of the server. */
export function readEntries(path: string): { entries: readonly PrincipalEntry[]; refuse: Refuse } {
  mustBePrivateKeyFile(path);
  const text = textOf(path);
  const { LineCounter, parseDocument } = lazyImport.yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) throw invalid(path, lines.linePos(broken.pos[0]).line, `should be YAML (${broken.code})`);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isFile(value)) {
    const { pointer, expected } = firstProblem(isFile);
    const place = pointer
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    throw invalid(path, lineOf(document, lines, place), `\`${pointer || '/'}\` ${expected}`);
  }
  const refuse: Refuse = (at, what) => {
    const place = ['principals', ...at];
    return invalid(path, lineOf(document, lines, place), `\`/${place.join('/')}\` ${what}`);
  };
  return { entries: value.principals, refuse };
}

function textOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (Buffer.byteLength(text) <= MOST.bytes) return text;
  } catch (cause) {
    throw new RouterError('PRINCIPALS_INVALID', `${path} should be a file that this user may read`, { cause });
  }
  throw new RouterError('PRINCIPALS_INVALID', `${path} should have at most ${MOST.bytes} bytes`);
}

const invalid = (path: string, line: number, what: string): RouterError =>
  new RouterError('PRINCIPALS_INVALID', `${path}:${line}: ${what}`);

/** The line of a value, or of the nearest part above it that is there. */
function lineOf(document: Document.Parsed, lines: LineCounter, place: Place): number {
  for (let depth = place.length; depth > 0; depth--) {
    const node = document.getIn(place.slice(0, depth), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Throws where an entry asks for what the server does not have. */
function mustOnlyNarrow(entry: PrincipalEntry, settings: ServerSettings, refuse: Refuse): void {
  const { access, platforms, localToolsets, confirmation } = settings;
  const { profile } = entry;
  if (profile !== undefined && PROFILES.indexOf(profile) > PROFILES.indexOf(access.profile))
    throw refuse(['profile'], `should be no wider than SVC_MCP_ACCESS_PROFILE=${access.profile}, got ${profile}`);
  const served = [...platforms.map(({ id }) => id), ...localToolsets];
  for (const [i, id] of (entry.platforms ?? []).entries())
    if (!served.includes(id)) throw refuse(['platforms', i], `should be one of ${served.join(', ')}`);
  mustHaveWrites(entry, settings, refuse);
  for (const [i, gate] of (entry.gates ?? []).entries())
    mustBeOpen(gate, settings, (what) => refuse(['gates', i], what));
  const perHour = settings.writes?.perHour;
  if (perHour !== undefined && (entry.max_writes_per_hour ?? 0) > perHour)
    throw refuse(['max_writes_per_hour'], `should be at most SVC_MCP_WRITES_PER_HOUR=${perHour}`);
  if (entry.may_approve === false && confirmation === 'token')
    throw refuse(['may_approve'], 'should not be false while SVC_MCP_CONFIRMATION=token asks nobody');
}

function mustHaveWrites(
  { profile, capabilities = [] }: PrincipalEntry,
  { access }: ServerSettings,
  refuse: Refuse,
): void {
  const write = capabilities.findIndex(isGated);
  const isReadOnly = [profile, access.profile].includes('safe-read-only') || access.readonly || access.openBinding;
  if (write >= 0 && isReadOnly)
    throw refuse(['capabilities', write], 'should hold no writes, because the settings permit none');
}

function mustBeOpen(gate: string, settings: ServerSettings, refuse: (what: string) => RouterError): void {
  const platform = settings.known.find((one) => one.gate?.variable === gate);
  if (platform === undefined) throw refuse('should be a gate variable such as SVC_MCP_MGMT_WRITES');
  if (!decideFor(settings, platform.id, 'write').allowed)
    throw refuse(`should be open on the server, got ${gate}, which is closed`);
}

function principalOf(entry: PrincipalEntry): Principal {
  const { max_pending_approvals, max_writes_per_hour } = entry;
  const { share, max_in_flight = DEFAULT_LIMITS.maxInFlight, max_sessions = DEFAULT_LIMITS.maxSessions } = entry;
  const { name, profile, platforms, capabilities, gates, may_approve = true, metrics = false } = entry;
  const { bearers = [], oauth } = entry;
  return {
    name,
    hashes: bearers.map(bytesOf),
    ...(oauth === undefined ? {} : { claim: { name: oauth.claim, value: oauth.value } }),
    access: Object.freeze({
      ...(profile === undefined ? {} : { profile }),
      ...(platforms === undefined ? {} : { platforms: new Set(platforms) }),
      ...(capabilities === undefined ? {} : { capabilities: new Set(capabilities) }),
      ...(gates === undefined ? {} : { gates: new Set(gates) }),
      ...(share === undefined ? {} : { share }),
      maxInFlight: max_in_flight,
      maxSessions: max_sessions,
      ...(max_pending_approvals === undefined ? {} : { maxPendingApprovals: max_pending_approvals }),
      ...(max_writes_per_hour === undefined ? {} : { maxWritesPerHour: max_writes_per_hour }),
    }),
    mayApprove: may_approve,
    metrics,
  };
}
