/**
 * Namespaces: isolated copies of all platforms over one shared, immutable start. A reset throws the copy away and
 * keeps what a running client holds on to: tokens that were valid stay valid.
 */
import type { Platform } from '../engine/openapi/served-platform.ts';
import { sha256 } from '../engine/state/json-value.ts';
import { type BaseRows, type SavedState, State } from '../engine/state/state.ts';
import { type Incident, readIncident } from '../incidents/incident-file.ts';
import { startIncident } from '../incidents/running-incident.ts';
import { FaultPlan } from './fault-plan.ts';
import type { FixtureIdentity, LimitMode, ResetAnswer, ResetRequest } from './ledger.ts';
import { LedgerBook } from './ledger-book.ts';

/** A bundle made ready for a seed. */
export interface PreparedFixture {
  identity: FixtureIdentity;
  seed: number;
  clock: string;
  rows: BaseRows;
  facts: Record<string, unknown>;
}

export type PrepareFixture = (bundle: string, seed: number | null) => Promise<PreparedFixture>;

export interface Namespace {
  name: string;
  state: State;
  ledger: LedgerBook;
  faults: FaultPlan;
  fixture: FixtureIdentity;
  limits: LimitMode;
  snapshots: Map<string, SavedState>;
  /** As it was after the reset, what the incident changed included. */
  start: SavedState;
}

export class Namespaces {
  readonly #platforms: ReadonlyMap<string, Platform>;
  readonly #prepare: PrepareFixture;
  readonly #start: { fixture: string; seed: number | null };
  readonly #byName = new Map<string, Namespace>();

  constructor(
    platforms: ReadonlyMap<string, Platform>,
    prepare: PrepareFixture,
    start: { fixture: string; seed: number | null },
  ) {
    this.#platforms = platforms;
    this.#prepare = prepare;
    this.#start = start;
  }

  get(name: string): Namespace | undefined {
    return this.#byName.get(name);
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }

  async reset(name: string, request: ResetRequest): Promise<ResetAnswer> {
    const fixture = await this.#prepare(request.fixture ?? this.#start.fixture, request.seed ?? this.#start.seed);
    const before = this.#byName.get(name);
    const limits = request.limits ?? 'announced';
    const state = new State(this.#platforms, fixture.rows, {
      seed: fixture.seed,
      clock: fixture.clock,
      facts: fixture.facts,
    });
    state.enforced = limits === 'enforced';
    const incident = request.incident === undefined ? null : await readIncident(request.incident);
    if (incident !== null) startIncident(state, incident);
    const identity = incident === null ? fixture.identity : identityWith(fixture.identity, incident);
    if (before !== undefined) state.tokens = carriedTokens(before.state, state);
    this.#byName.set(name, {
      name,
      state,
      ledger: new LedgerBook(),
      faults: new FaultPlan(),
      fixture: identity,
      limits,
      snapshots: new Map(),
      start: state.save(),
    });
    return { namespace: name, fixture: identity, seed: fixture.seed, clock: state.clock.iso() };
  }

  delete(name: string): boolean {
    return this.#byName.delete(name);
  }
}

/** Results of a bundle with an incident are not those of the bundle alone. */
function identityWith(own: FixtureIdentity, { name, digest }: Incident): FixtureIdentity {
  return {
    bundle: `${own.bundle}+${name}`,
    version: own.version,
    get digest() {
      return sha256(`${own.digest} ${digest}`);
    },
  };
}

/** Tokens not yet expired before the reset start their life again with the clock. */
function carriedTokens(before: State, after: State): State['tokens'] {
  const carried: State['tokens'] = new Map();
  for (const [token, issued] of before.tokens) {
    const expired = before.enforced && before.clock.ms >= issued.issuedAtMs + issued.lifetimeSeconds * 1000;
    if (!expired) carried.set(token, { ...issued, issuedAtMs: after.clock.ms });
  }
  return carried;
}
