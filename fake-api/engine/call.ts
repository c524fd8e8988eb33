/** One accepted request on its way through a behaviour: checked parameters and body, and the state it may change. */
import type { Answer } from './answer.ts';
import type { Operation } from './operation.ts';
import type { Platform } from './platform.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

export interface Call {
  platform: Platform;
  operation: Operation;
  state: State;
  world: World;
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
