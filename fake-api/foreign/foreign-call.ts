/** One accepted call of a foreign operation: checked parameters and body, and the things it may change. */
import type { State } from '../engine/state/state.ts';
import type { ForeignBody } from './foreign-body.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import type { Parameters } from './foreign-parameters.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import type { Things } from './foreign-resources.ts';

export interface ForeignCall {
  platform: ForeignPlatform;
  operation: ForeignOperation;
  state: State;
  things: Things;
  /** Concrete path, as sent. */
  path: string;
  values: string[];
  parameters: Parameters;
  body: ForeignBody;
}

export interface ForeignDone {
  kind: 'done';
  status: number;
  value: unknown;
  headers: Record<string, string>;
}

export interface ForeignRefusal {
  kind: 'refused';
  status: number;
  message: string;
  /** The status may be another one that the operation declares: the argument was wrong, whatever the number. */
  mayMove: boolean;
  headers?: Record<string, string>;
}

export type ForeignAnswer = ForeignDone | ForeignRefusal;

export function refused(status: number, message: string, mayMove: boolean): ForeignRefusal {
  return { kind: 'refused', status, message, mayMove };
}
