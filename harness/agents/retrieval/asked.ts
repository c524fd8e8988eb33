/** A fact with the part of the intent that asks for it, and what may be its value. */
import type { Fact } from './fact-fields.ts';
import type { Need } from './needs.ts';

export interface Asked {
  fact: Fact;
  need: Need;
  platform: string | undefined;
}

export interface Choice {
  fact: Fact;
  score: number;
  value: unknown;
  /** The field it stands in; two facts seldom share one. */
  place: string;
}
