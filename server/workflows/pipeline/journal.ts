/** The journal of a pipeline, one SQLite file per run. Each step is synced to the disk before the next one begins. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RouterError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { ToolCall } from '../../migration/adapters/adapter.ts';

export type StepStatus = 'pending' | 'in_progress' | 'success' | 'failed' | 'skipped';

export interface StepRow {
  serial: string;
  stage: string;
  status: StepStatus;
  message: string;
  at: string;
}

export type DeviceValues = Readonly<Record<string, string>>;

const RUN_ID = /^run_\d{8}T\d{6}Z_[0-9a-f]{6}$/;

export function newRunId(now = new Date()): string {
  return `run_${now.toISOString().replace(/[-:]|\.\d+/g, '')}_${randomBytes(3).toString('hex')}`;
}

export class Journal implements Disposable {
  readonly #db: DatabaseSync;

  /** A run is bound to the text of its table: another table would be another migration. */
  constructor(folder: string, runId: string, table: string, { resume }: { resume: boolean }) {
    if (!RUN_ID.test(runId)) throw new RouterError('USAGE', 'a run should be named as run_20260101T000000Z_0a1b2c');
    const path = join(folder, `pipeline_${runId}.db`);
    if (resume && !existsSync(path)) throw new RouterError('USAGE', `there is no run ${runId} below ${folder}`);
    try {
      makeFolder(folder);
      const umask = process.umask(0o077);
      this.#db = new DatabaseSync(path);
      process.umask(umask);
      this.#db.exec(`PRAGMA synchronous=FULL; PRAGMA busy_timeout=0;
        CREATE TABLE IF NOT EXISTS run (digest TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS step (serial TEXT, stage TEXT, status TEXT, message TEXT, at TEXT, PRIMARY KEY (serial, stage));
        CREATE TABLE IF NOT EXISTS sent (serial TEXT, what TEXT, job TEXT NOT NULL, PRIMARY KEY (serial, what));
        CREATE TABLE IF NOT EXISTS fact (serial TEXT PRIMARY KEY, facts TEXT NOT NULL);`);
      // Held to the end: two of them over one run would do everything twice.
      this.#db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
    } catch (cause) {
      throw new RouterError(
        'STATE_UNAVAILABLE',
        `run ${runId} cannot be stored below ${folder}, or another process runs it`,
        {
          cause,
        },
      );
    }
    const digest = createHash('sha256').update(table).digest('hex');
    const known = this.#db.prepare('SELECT digest FROM run').get() as { digest: string } | undefined;
    if (known !== undefined && known.digest !== digest)
      throw new RouterError('USAGE', `run ${runId} was begun with another --input`);
    if (known === undefined) this.#db.prepare('INSERT INTO run VALUES (?)').run(digest);
  }

  record(serial: string, stage: string, status: StepStatus, message = ''): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO step VALUES (?, ?, ?, ?, ?)')
      .run(serial, stage, status, message, new Date().toISOString());
  }

  status(serial: string, stage: string): StepStatus {
    const row = this.#db.prepare('SELECT status FROM step WHERE serial = ? AND stage = ?').get(serial, stage);
    return (row as { status: StepStatus } | undefined)?.status ?? 'pending';
  }

  steps(): StepRow[] {
    return this.#db.prepare('SELECT serial, stage, status, message, at FROM step').all() as unknown as StepRow[];
  }

  /** A write that starts a job is out, or is about to be; `job` reads how it goes, once the platform has named it. */
  noteSent(serial: string, what: string, job?: ToolCall): void {
    this.#db.prepare('INSERT OR REPLACE INTO sent VALUES (?, ?, ?)').run(serial, what, JSON.stringify({ job }));
  }

  /** What an interrupted run had sent; undefined when nothing is open. */
  sent(serial: string, what: string): { job?: ToolCall } | undefined {
    const row = this.#db.prepare('SELECT job FROM sent WHERE serial = ? AND what = ?').get(serial, what);
    return row === undefined ? undefined : (JSON.parse(String(row['job'])) as { job?: ToolCall });
  }

  forgetSent(serial: string, what: string): void {
    this.#db.prepare('DELETE FROM sent WHERE serial = ? AND what = ?').run(serial, what);
  }

  learn(serial: string, facts: DeviceValues): void {
    const all = { ...this.facts(serial), ...facts };
    this.#db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(serial, JSON.stringify(all));
  }

  facts(serial: string): DeviceValues {
    const row = this.#db.prepare('SELECT facts FROM fact WHERE serial = ?').get(serial) as
      | { facts: string }
      | undefined;
    return row === undefined ? {} : (JSON.parse(row.facts) as DeviceValues);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
