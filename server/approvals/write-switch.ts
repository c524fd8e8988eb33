/**
 * The kill switch: while it is off, no router sends a write, whatever was approved. It is looked at before every write, so
 * it holds at once and needs no restart. It lies in a file of the state folder; where routers share a Redis, also there, and
 * each router keeps a copy in its own folder, so that a Redis that lost its memory does not resume the writes. A copy that
 * cannot be read may have been a stop, so it stops the writes, whatever the other one says, until an operator resumes them.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OperatorRecord } from '../audit/audit-record.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { RedisLink } from '../storage/redis-link.ts';
import type { Where } from './approval.ts';
import { APPROVAL_LIMITS } from './approval-service.ts';

export interface SwitchState {
  /** Grows with each change, so that a copy knows whether it is the older one. */
  number: number;
  writes: 'stopped' | 'allowed';
  /** Name of the operator. */
  by: string;
  where: Where;
  /** Milliseconds since 1970. */
  at: number;
  reason: string;
}

export type SwitchChange = Pick<SwitchState, 'writes' | 'by' | 'where' | 'reason'>;

const KEY = 'svc-mcp:write-switch';
const READ = `return redis.call('get', KEYS[1])`;
const WRITE = `return redis.call('set', KEYS[1], ARGV[1])`;

export interface WriteSwitchOptions {
  path: string;
  redis?: RedisLink | undefined;
  /** Throws where the line cannot be written. Stopping goes on without one; resuming does not. */
  record?: (line: Extract<OperatorRecord, { kind: 'writes' }>) => void;
  now?: () => number;
}

export class WriteSwitch {
  readonly #path: string;
  readonly #redis: RedisLink | undefined;
  readonly #record: NonNullable<WriteSwitchOptions['record']>;
  readonly #now: () => number;

  constructor({ path, redis, record = () => undefined, now = Date.now }: WriteSwitchOptions) {
    this.#path = path;
    this.#redis = redis;
    this.#record = record;
    this.#now = now;
  }

  /** Throws WRITES_STOPPED; REDIS_GONE where routers share a Redis that does not answer. */
  async mustAllow(): Promise<void> {
    const state = await this.state();
    if (state?.writes !== 'stopped') return;
    const why = isUnreadable(state)
      ? `${state.reason}, so all writes are stopped`
      : `an operator stopped all writes at ${new Date(state.at).toISOString()}`;
    throw new RouterError('WRITES_STOPPED', `${why}. Nothing was sent.`);
  }

  /** Undefined if it was never used. */
  async state(): Promise<SwitchState | undefined> {
    const own = this.#readFile();
    const shared = await this.#readRedis();
    const state = decisive(own, shared);
    if (state === undefined || isUnreadable(state)) return state;
    // The other one is brought up to date, so that neither a restart here nor one of Redis forgets it.
    if (own?.number !== state.number) this.#writeFile(state);
    if (shared?.number !== state.number) await this.#writeRedis(state);
    return state;
  }

  /**
   * Holds when it returns. A resumption is recorded first and ends at the first failure. A stop is recorded last, and a place
   * that fails does not keep it from the others; the first failure is thrown then. A long reason is cut.
   */
  async change(change: SwitchChange): Promise<SwitchState> {
    const stops = change.writes === 'stopped';
    const own = this.#readFile();
    const shared = await this.#readRedis().catch((error: unknown) => {
      if (stops) return undefined;
      throw error;
    });
    const latest = Math.max(own?.number ?? 0, shared?.number ?? 0);
    const reason = change.reason.trim().slice(0, APPROVAL_LIMITS.reason);
    const state = { ...change, reason, number: Math.max(latest + 1, this.#now()), at: this.#now() };
    const record = () => this.#record(lineOf(state));
    const keep = [() => this.#writeFile(state), () => this.#writeRedis(state)];
    const failures: unknown[] = [];
    for (const step of stops ? [...keep, record] : [record, ...keep]) {
      try {
        await step();
      } catch (error) {
        if (!stops) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return state;
  }

  #readFile(): SwitchState | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      return unreadable(this.#now());
    }
    return this.#stateIn(text);
  }

  async #readRedis(): Promise<SwitchState | undefined> {
    const text = await this.#redis?.run({ lua: READ, keys: [KEY], args: [] });
    return text === undefined || text === null ? undefined : this.#stateIn(text);
  }

  #stateIn(text: unknown): SwitchState {
    return stateIn(text) ?? unreadable(this.#now());
  }

  #writeFile(state: SwitchState): void {
    try {
      makeFolder(dirname(this.#path));
      writeAtomically(this.#path, `${JSON.stringify(state)}\n`);
    } catch (cause) {
      throw new RouterError('STATE_UNAVAILABLE', `the write switch cannot be kept in ${this.#path}`, { cause });
    }
  }

  async #writeRedis(state: SwitchState): Promise<void> {
    await this.#redis?.run({ lua: WRITE, keys: [KEY], args: [JSON.stringify(state)] });
  }
}

const lineOf = ({ writes, by, where, reason }: SwitchState): Extract<OperatorRecord, { kind: 'writes' }> => ({
  kind: 'writes',
  event: writes,
  operator: by,
  where,
  reason,
});

/** Of the copy here and the one in Redis: one that cannot be read, else the one of the later change. */
function decisive(own: SwitchState | undefined, shared: SwitchState | undefined): SwitchState | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  return [own, shared].find(isUnreadable) ?? (shared.number >= own.number ? shared : own);
}

/** No change has this number. */
const UNREADABLE = 0;
const isUnreadable = ({ number }: SwitchState): boolean => number === UNREADABLE;

/** What cannot be read stops writes: better one write too few. */
const unreadable = (at: number): SwitchState => ({
  number: UNREADABLE,
  writes: 'stopped',
  by: '',
  where: 'terminal',
  at,
  reason: 'the state of the write switch cannot be read',
});

function stateIn(text: unknown): SwitchState | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const state = JSON.parse(text) as Partial<SwitchState> | null;
    const known = state?.writes === 'stopped' || state?.writes === 'allowed';
    const numbered = Number.isInteger(state?.number) && state?.number !== UNREADABLE;
    return known && numbered ? (state as SwitchState) : undefined;
  } catch {
    return undefined;
  }
}
