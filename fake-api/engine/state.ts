/** Everything that can change inside one namespace. The clock, the seed and the rows; nothing of it is shared. */
import { VirtualClock } from './clock.ts';
import { Collection, type Row } from './collection.ts';
import { digestOf, isObject } from './json.ts';
import type { Platform } from './platform.ts';
import type { Resource } from './resource.ts';

/** Rows of each resource at the start: one start per bundle and seed, shared by all namespaces, never changed. */
export interface BaseRows {
  of(platform: string, resource: string): ReadonlyMap<string, Row>;
}

const NO_ROW: ReadonlyMap<string, Row> = new Map();
/** The start of a platform that has nothing yet. */
export const NO_ROWS: BaseRows = { of: () => NO_ROW };

/** One asynchronous operation. It advances when it is polled, never with time. */
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
}

export interface IssuedToken {
  issuedAtMs: number;
  lifetimeSeconds: number;
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
        const rows = () => base.of(id, resource.name);
        collections.set(resource.name, new Collection(rows, resource.parentNames.length));
      }
      this.#collections.set(id, collections);
    }
  }

  /** Rows of a resource; empty for one the platform does not keep. */
  rows(platform: string, resource: string): Collection {
    return this.#collections.get(platform)?.get(resource) ?? EMPTY;
  }

  put(resource: Resource, row: Row): void {
    this.rows(resource.platform, resource.name).put(row);
    this.touch();
  }

  remove(resource: Resource, id: string): void {
    this.rows(resource.platform, resource.name).delete(id);
    this.touch();
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
    this.clock.ms = saved.clockMs;
    this.touch();
  }

  /** One hash over everything a later answer can depend on, tokens and rate windows excepted. */
  hash(): string {
    const rows: Record<string, unknown> = {};
    for (const [id, own] of this.#collections) {
      for (const [name, collection] of own) {
        for (const row of collection.all()) rows[`${id} ${name} ${row.id}`] = [row.value, row.secrets];
      }
    }
    return digestOf({
      rows,
      tasks: [...this.tasks.values()],
      absences: this.absences,
      notes: [...this.notes],
      clock: this.clock.ms,
    });
  }
}

export type SavedState = Saved;

const EMPTY = new Collection(() => NO_ROW, 0);
