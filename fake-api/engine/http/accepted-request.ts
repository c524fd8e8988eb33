/** One accepted request: checked parameters and body, and the state it may change. */
import type { Schema } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import type { State } from '../state/state.ts';

export interface AcceptedRequest {
  platform: Platform;
  operation: Operation;
  state: State;
  /** Concrete path, as sent. */
  concretePath: string;
  /** URL of the platform as the caller wrote it, without a trailing slash; absent for a call that came without a socket. */
  base?: string;
  /** Path values as text, in path order. */
  values: string[];
  path: Record<string, string | number>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  /** Declared schema of the body; null where none is declared or none was sent. */
  bodySchema: Schema | null;
  /** Media type of the body, without parameters. */
  bodyMedia: string;
}
