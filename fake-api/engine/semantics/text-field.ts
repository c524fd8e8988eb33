/** A text that is to be drawn: whose field it is, and what is known of it. */
import type { Dice, Part } from '../state/determinism.ts';

export interface TextField {
  /** Lower-case words of the field's name. */
  words: readonly string[];
  /** Draws for this field alone. */
  dice: Dice;
  /** Seed, platform, resource and key: what the fields of one row share. */
  row: readonly Part[];
  /** Place of the row among its people, where the row is one. */
  turn?: number | undefined;
  /** Key of the site that the row's own name says, where it says one. */
  site?: string | undefined;
  /** Words of the object inside the row that the field stands in, none for a field of the row itself. */
  holder: readonly string[];
  /** What the model says of the field. */
  description: string;
}
