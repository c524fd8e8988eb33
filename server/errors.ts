/** The errors of the router: each has a code of the table, a cause and a next step. */
import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.ts';

export { ERRORS, type ErrorCode, type Outcome } from './error-table.ts';

export interface ErrorExtra {
  cause?: unknown;
  remedy?: string;
  /** Further fields for the reader; never a secret. */
  details?: Record<string, unknown>;
}

/** A surprise with a code, a cause and a next step. Expected refusals are values of the same table instead. */
export class RouterError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    // The specification names this one error class; everything else is told apart by its code.
    this.name = code === 'UNSAFE_HTTP_BINDING' ? 'UnsafeHttpBindingError' : 'RouterError';
    this.code = code;
    this.remedy = extra.remedy ?? ERRORS[code].remedy;
    this.details = extra.details ?? {};
  }
}

/** What every command of the router says to the shell, as docs/errors.md lists it. */
export const EXIT_MEANING: Readonly<Record<number, string>> = {
  0: 'done; the doctor: nothing failed',
  1: 'what was checked or asked for is not right; the printed lines name it',
  2: 'usage or configuration: a bad option, setting or file',
  3: 'surroundings: disk, port, network, documents or catalog',
  130: 'interrupted, where a command asks a person',
};

/** Exit code of a process that ends with this error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RouterError ? ((ERRORS[error.code] as ErrorRow).exit ?? 3) : 3;
}

/** Two lines a person can act on: what happened, what to do. */
export function explainError(error: unknown): string {
  if (error instanceof RouterError) return `${error.name} ${error.code}: ${error.message}\n  remedy: ${error.remedy}`;
  const disk = diskProblem(error);
  if (disk !== undefined) return explainError(new RouterError('DISK_UNUSABLE', disk));
  return `unexpected ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

/** What a system says of a disk, and SQLite by its result codes (sqlite.org/rescode.html). */
const DISK_PROBLEMS: Readonly<Record<string | number, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not',
  8: 'the disk is read-only',
  13: 'the disk is full',
  14: 'the file cannot be opened',
};

/** Why nothing can be written, in words; undefined where an error is about something else. */
export function diskProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, path, syscall } = error as Partial<Record<'code' | 'path' | 'syscall', string>> & {
    errcode?: number;
  };
  // An address may be refused as well, which is not about a disk.
  if (/^(listen|bind|connect|spawn)/.test(syscall ?? '')) return undefined;
  // Below a read-only disk Node finds no folder to make another in.
  const unmade = code === 'ENOENT' && syscall === 'mkdir' ? 'the folder cannot be made' : undefined;
  const why = unmade ?? DISK_PROBLEMS[code === 'ERR_SQLITE_ERROR' ? (errcode ?? 0) & 0xff : (code ?? '')];
  return why && `${path ?? 'a file of the catalog or of the state'} cannot be used (${errcode ?? code}): ${why}`;
}

/** The system's own name for a failure (ECONNREFUSED …), found along the chain of causes. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    if ('code' in e && typeof e.code === 'string') return e.code;
    if (e instanceof AggregateError && e.errors.length > 0) return systemCodeOf(e.errors[0]);
  }
  return undefined;
}
