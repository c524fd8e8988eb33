/** One accepted request on its way through a behaviour: checked parameters and body, and the state it may change. */

import type { Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import type { PlatformBehaviour } from '../state/platform-behaviour.ts';
import type { State } from '../state/state.ts';
import type { Answer } from './platform-answer.ts';

export interface Call {
  platform: Platform;
  operation: Operation;
  state: State;
  world: PlatformBehaviour;
  /** Concrete path, as sent. */
  concretePath: string;
  /** Path values as text, in path order. */
  values: string[];
  path: Record<string, string | number>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

export type Behaviour = (call: Call) => Answer;
