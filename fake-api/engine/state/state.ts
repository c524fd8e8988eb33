/** Everything that can change inside one namespace. The clock, the seed and the rows; nothing of it is shared. */
import type { Platform } from '../openapi/served-platform.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { VirtualClock } from './clock.ts';
import { Collection, type Row } from './collection.ts';
import { forgetRevisions, noteRevision } from './history.ts';
import { digestOf, isObject } from './json-value.ts';
import { sensibleValue } from './sensible-row.ts';
import type { Stage } from './stage-contents.ts';

/** Rows of each resource at the start: one start per bundle and seed, shared by all namespaces, never changed. */
export interface BaseRows {
  of(platform: string, resource: string): ReadonlyMap<string, Row>;
  /** How many these are, without the values of any. */
  count(platform: string, resource: string): number;
}

const NO_ROW: ReadonlyMap<string, Row> = new Map();
/** The start of a platform that has nothing yet. */
export const NO_ROWS: BaseRows = { of: () => NO_ROW, count: () => 0 };

/** One asynchronous operation. It advances when it is polled, and is done at the first poll after two minutes. */
export interface Task {
  id: string;
  operationId: string;
  /** Path the task was started at, with its values. */
  template: string;
  values: string[];
  startedAt: string;
  endedAt: string | null;
  polls: number;
  status: string;
  input: Record<string, unknown>;
  /** Worked out when the task completes. */
  output: Record<string, unknown> | null;
  /** Why it failed; absent while it has not. */
  reason?: string;
  /** Stage its changes land in; absent on platforms where a change takes effect at once. */
  stage?: string;
}

export interface IssuedToken {
  platform: string;
  /** Second secret of a session, which every write must carry. */
  csrf?: string;
  issuedAtMs: number;
  lifetimeSeconds: number;
  /** Set for a token of the token endpoint of a foreign document. */
  grant?: TokenGrant;
}

/** What a token endpoint granted. */
export interface TokenGrant {
  kind: 'access' | 'refresh' | 'code';
  scopes: readonly string[];
  /** Of a code: what the exchange has to repeat. */
  redirectUri?: string;
  /** Of a code: SHA-256 of the verifier in base64url (RFC 7636). */
  challenge?: string;
}

/** A client that was sent away stays away for some polls of its list. */
export interface Absence {
  resource: string;
  id: string;
  readsLeft: number;
}

interface Saved {
  collections: Map<string, Map<string, Map<string, Row | null>>>;
  tasks: Map<string, Task>;
  counters: Map<string, number>;
  absences: Absence[];
  notes: Map<string, unknown>;
  stages: Map<string, Stage>;
  clockMs: number;
}

export class State {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly platforms: ReadonlyMap<string, Platform>;
  /** Bundle facts that behaviours need, such as incidents. */
  readonly facts: Readonly<Record<string, unknown>>;
  tokens = new Map<string, IssuedToken>();
  tasks = new Map<string, Task>();
  absences: Absence[] = [];
  /** Small facts a behaviour leaves behind, such as the content of a console. */
  notes = new Map<string, unknown>();
  /** Stages that ever held an edit, by platform and key. */
  stages = new Map<string, Stage>();
  /** Name of the stage that edits land in, while a call is carried out that has one. */
  stage: string | null = null;
  enforced = false;
  /** Calls in the present rate window, per platform. */
  windows = new Map<string, { startMs: number; calls: number }>();
  #counters = new Map<string, number>();
  readonly #collections = new Map<string, Map<string, Collection>>();
  #memo = new Map<string, unknown>();

  constructor(
    platforms: ReadonlyMap<string, Platform>,
    base: BaseRows,
    start: { seed: number; clock: string; facts?: Record<string, unknown> },
  ) {
    this.seed = start.seed;
    this.clock = new VirtualClock(start.clock);
    this.facts = start.facts ?? {};
    const { notes } = this.facts;
    if (isObject(notes)) this.notes = new Map(Object.entries(notes));
    this.platforms = platforms;
    for (const [id, platform] of platforms) {
      const collections = new Map<string, Collection>();
      for (const resource of platform.resources.values()) {
        const own = { rows: () => base.of(id, resource.name), count: () => base.count(id, resource.name) };
        collections.set(resource.name, new Collection(own, resource.parentNames.length));
      }
      this.#collections.set(id, collections);
    }
  }

  /** Rows of a resource; empty for one the platform does not keep. */
  rows(platform: string, resource: string): Collection {
    return this.#collections.get(platform)?.get(resource) ?? EMPTY;
  }

  put(resource: Resource, row: Row): void {
    this.#keepImage(resource, row.id);
    const rows = this.rows(resource.platform, resource.name);
    const sensible = { ...row, value: sensibleValue(resource, row.value, this.clock.ms) };
    noteRevision(this.notes, this.clock.ms, resource, rows.get(row.id), sensible);
    rows.put(sensible);
    this.touch();
  }

  /** A row as it once was, as it stands: it is neither brought into line nor noted as a revision. */
  putBack(resource: Resource, row: Row): void {
    this.rows(resource.platform, resource.name).put(row);
    this.touch();
  }

  remove(resource: Resource, id: string): void {
    this.#keepImage(resource, id);
    this.rows(resource.platform, resource.name).delete(id);
    forgetRevisions(this.notes, resource, id);
    this.touch();
  }

  #keepImage(resource: Resource, id: string): void {
    if (this.stage === null || !resource.staged) return;
    const { platform, name } = resource;
    const stage = this.stages.get(this.stage) ?? { platform, key: this.stage, pending: new Map(), versions: [] };
    this.stages.set(this.stage, stage);
    const row = `${name} ${id}`;
    const known = stage.pending.get(row);
    const before = known === undefined ? (this.rows(platform, name).get(id) ?? null) : known.before;
    stage.pending.set(row, { resource: name, id, before, at: this.clock.iso() });
  }

  /** Worked-out values hold until the next change. */
  memo<T>(name: string, work: () => T): T {
    if (this.#memo.has(name)) return this.#memo.get(name) as T;
    const value = work();
    this.#memo.set(name, value);
    return value;
  }

  touch(): void {
    if (this.#memo.size > 0) this.#memo = new Map();
  }

  /** Whole numbers from 1, one series per name. */
  next(name: string): number {
    const value = (this.#counters.get(name) ?? 0) + 1;
    this.#counters.set(name, value);
    return value;
  }

  save(): Saved {
    const collections: Saved['collections'] = new Map();
    for (const [id, own] of this.#collections) {
      collections.set(id, new Map([...own].map(([name, collection]) => [name, collection.changes()])));
    }
    return {
      collections,
      tasks: structuredClone(this.tasks),
      counters: new Map(this.#counters),
      absences: structuredClone(this.absences),
      notes: structuredClone(this.notes),
      stages: copied(this.stages),
      clockMs: this.clock.ms,
    };
  }

  restore(saved: Saved): void {
    for (const [id, own] of this.#collections) {
      for (const [name, collection] of own) collection.restore(saved.collections.get(id)?.get(name) ?? new Map());
    }
    this.tasks = structuredClone(saved.tasks);
    this.#counters = new Map(saved.counters);
    this.absences = structuredClone(saved.absences);
    this.notes = structuredClone(saved.notes);
    this.stages = copied(saved.stages);
    this.clock.ms = saved.clockMs;
    this.touch();
  }

  /** One hash over everything a later answer can depend on, tokens and rate windows excepted. */
  hash(): string {
    const rows = [...this.#collections].flatMap(([id, own]) =>
      [...own].map(([name, collection]) => [id, name, collection.digest()]),
    );
    return digestOf({
      rows,
      tasks: [...this.tasks.values()],
      absences: this.absences,
      notes: [...this.notes],
      stages: [...this.stages.values()].map(asPlain),
      clock: this.clock.ms,
    });
  }
}

export type SavedState = Saved;

/** Edits and versions never change once made, so their holders are all that needs a copy. */
function copied(stages: ReadonlyMap<string, Stage>): Map<string, Stage> {
  return new Map(
    [...stages].map(([name, stage]) => [
      name,
      { ...stage, pending: new Map(stage.pending), versions: [...stage.versions] },
    ]),
  );
}

function asPlain(stage: Stage): unknown {
  return { ...stage, pending: [...stage.pending.values()] };
}

const EMPTY = new Collection({ rows: () => NO_ROW, count: () => 0 }, 0);
