/** How a number is drawn inside the range of its schema. */
import type { Dice } from '../state/determinism.ts';

export interface Range {
  least: number;
  most: number;
}

export type NumberDraw = (dice: Dice, range: Range) => number;

export const between =
  (from: number, to: number): NumberDraw =>
  (dice, { least, most }) => {
    const [low, high] = [Math.max(least, Math.min(from, most)), Math.min(most, Math.max(to, least))];
    return low + dice.unit() * (high - low);
  };
export const oneOf =
  (...values: number[]): NumberDraw =>
  (dice, range) => {
    const fitting = values.filter((value) => value >= range.least && value <= range.most);
    return fitting.length > 0 ? dice.pick(fitting) : between(range.least, range.most)(dice, range);
  };
/** Most values are small, few are large. */
export const few =
  (usual: number): NumberDraw =>
  (dice, { least, most }) =>
    Math.min(most, Math.max(least, 0) + dice.unit() ** 2.5 * usual);
export const magnitude =
  (from: number, to: number): NumberDraw =>
  (dice, { least, most }) => {
    const [low, high] = [Math.max(least, from), Math.min(most, to)];
    return high <= low ? Math.max(least, Math.min(most, low)) : low * (high / low) ** dice.unit();
  };
/** A level in dBm; where the field cannot be negative, decibels above the noise. */
export const level =
  (from: number, to: number): NumberDraw =>
  (dice, range) =>
    (range.least >= 0 ? between(15, 34) : between(from, to))(dice, range);
/** A time that is a thousand times longer in milliseconds. */
export const scaled =
  (draw: NumberDraw, by: number): NumberDraw =>
  (dice, { least, most }) =>
    draw(dice, { least: least / by, most: most / by }) * by;
/** A setting that somebody moved: half of its default, twice of it, or the default. */
export const near = (usual: number): NumberDraw => oneOf(usual / 2, usual, usual, usual * 1.5, usual * 2);
