/**
 * The kill switch: while it is off, no router sends a write, whatever was approved. It is looked at before every write, so
 * it holds at once and needs no restart. It lies in a file of the state folder; where routers share a Redis, also there, and
 * each router keeps a copy in its own folder, so that a Redis that lost its memory does not resume the writes.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OperatorRecord } from '../audit/audit-record.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import type { RedisLink } from '../storage/redis-link.ts';
import type { Where } from './approval.ts';

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
    const since = new Date(state.at).toISOString();
    throw new RouterError('WRITES_STOPPED', `an operator stopped all writes at ${since}. Nothing was sent.`);
  }

  /** Undefined if it was never used. */
  async state(): Promise<SwitchState | undefined> {
    const own = this.#readFile();
    if (this.#redis === undefined) return own;
    const shared = stateIn(await this.#redis.run({ lua: READ, keys: [KEY], args: [] }));
    if (shared === undefined && own === undefined) return undefined;
    const newer = (shared?.number ?? 0) >= (own?.number ?? 0) ? shared : own;
    // The other one is brought up to date, so that neither a restart here nor one of Redis forgets it.
    if (newer !== undefined && own?.number !== newer.number) this.#writeFile(newer);
    if (newer !== undefined && shared?.number !== newer.number) await this.#writeRedis(newer);
    return newer;
  }

  /** Holds when it returns. A stop is made first and recorded then, a resumption is recorded first. */
  async change(change: SwitchChange): Promise<SwitchState> {
    const before = await this.state().catch((error: unknown) => {
      if (change.writes === 'stopped') return this.#readFile();
      throw error;
    });
    const state = { ...change, number: Math.max((before?.number ?? 0) + 1, this.#now()), at: this.#now() };
    if (change.writes === 'allowed') this.#record(lineOf(state));
    this.#writeFile(state);
    if (change.writes === 'stopped') this.#record(lineOf(state));
    if (this.#redis) await this.#writeRedis(state);
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
    return stateIn(text) ?? unreadable(this.#now());
  }

  #writeFile(state: SwitchState): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
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

/** What cannot be read stops writes: better one write too few. */
const unreadable = (at: number): SwitchState => ({
  number: 0,
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
    return known && Number.isInteger(state?.number) ? (state as SwitchState) : undefined;
  } catch {
    return undefined;
  }
}
