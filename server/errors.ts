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

/** Exit code of a process that ends with this error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof RouterError ? ((ERRORS[error.code] as ErrorRow).exit ?? 3) : 3;
}

/** Two lines a person can act on: what happened, what to do. */
export function explainError(error: unknown): string {
  if (error instanceof RouterError) return `${error.name} ${error.code}: ${error.message}\n  remedy: ${error.remedy}`;
  return `unexpected ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

/** The system's own name for a failure (ECONNREFUSED …), found along the chain of causes. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    if ('code' in e && typeof e.code === 'string') return e.code;
    if (e instanceof AggregateError && e.errors.length > 0) return systemCodeOf(e.errors[0]);
  }
  return undefined;
}
