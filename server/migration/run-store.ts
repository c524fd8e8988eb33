/** The store of runs. A process must hold a run to change it, and a holder that lost the run can no longer write. */
import { RouterError } from '../errors.ts';
import { isRunId, RUN_LIMITS, type Run } from './migration-run.ts';

export interface ListedRun {
  run_id: string;
  run?: Run;
  /** Why what is kept under this name cannot be used. */
  problem?: string;
}

/** A run that is held; nobody else changes it meanwhile. */
export interface HeldRun {
  /** Kept when it returns, and whole: else MIGRATION_STORE_UNAVAILABLE or REDIS_GONE, or MIGRATION_RUN_LOST when somebody else holds the run. */
  write: (run: Run) => Promise<void>;
  /** Throws MIGRATION_RUN_LOST when the time for which it is held is over, as after a pause of this process. */
  mustHold: () => void;
}

export interface RunStore {
  /** The run; undefined when there is none. MIGRATION_RUN_DAMAGED when what is kept is not a run. */
  read: (id: string) => Promise<Run | undefined>;
  /** Malformed runs are listed with their faults. */
  list: () => Promise<ListedRun[]>;
  /** Runs `work` while no other process changes the run. Throws MIGRATION_RUN_BUSY when another one holds it. */
  hold: <T>(id: string, work: (held: HeldRun) => Promise<T>) => Promise<T>;
}

/** How long a holder that does not report is believed to live, and how often one reports, in ms. */
export interface HoldTimes {
  heldMs: number;
  reportMs: number;
}

export function textOf(run: Run): string {
  const text = `${JSON.stringify(run)}\n`;
  if (Buffer.byteLength(text) > RUN_LIMITS.fileBytes)
    throw new RouterError('MIGRATION_RUN_TOO_LARGE', `run ${run.run_id} takes more than ${RUN_LIMITS.fileBytes} bytes`);
  return text;
}

/** The run, or why the text is none. */
export function runIn(text: string, id: string): Run | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const run = value as Partial<Run> | null;
  if (typeof run !== 'object' || run === null || run.schema_version !== 1) return 'it is no run of version 1';
  if (run.run_id !== id) return 'it holds a run of another name';
  const entries = run.candidates;
  const whole = Array.isArray(entries) && entries.every((entry) => typeof entry?.key === 'string' && entry.candidate);
  return whole && typeof run.target === 'object' ? (run as Run) : 'it is not a whole run';
}

export function wholeRun(text: string, id: string): Run {
  const run = runIn(text, id);
  if (typeof run === 'string') throw new RouterError('MIGRATION_RUN_DAMAGED', `run ${id} cannot be used: ${run}`);
  return run;
}

export function listed(run_id: string, text: string): ListedRun {
  const run = runIn(text, run_id);
  return typeof run === 'string' ? { run_id, problem: run } : { run_id, run };
}

export function mustBeRunId(id: string): void {
  if (!isRunId(id))
    throw new RouterError('MIGRATION_RUN_ID', 'a run_id should be 1 to 64 letters, digits, ".", "_", "-"');
}

export const busy = (id: string) => new RouterError('MIGRATION_RUN_BUSY', `run ${id} is being changed by another call`);

export const lost = (id: string) =>
  new RouterError('MIGRATION_RUN_LOST', `run ${id} is no longer held by this call, and nothing was written to it`);
