/**
 * Times of day for moments that are stated in whole days from the clock: not everything of a year happened at the minute of the clock. The same
 * distance always has the same time of day, so that two rows that state one moment agree, and more distant moments stay more distant.
 */
import { spanMs } from './clock.ts';
import { Dice } from './determinism.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Hours after the time of the clock in which things happen; what is planned begins at a quarter of an hour. */
const [HOURS, QUARTER] = [8, 15];

export type Distance = 'ago' | 'ahead';

const isWholeDays = (span: number): boolean => span >= DAY && span % DAY === 0;

/** Milliseconds from the time of the clock to that of the moment, below eight hours; 0 for a distance that is not in whole days. */
export function dayTimeMs(distance: Distance, span: number): number {
  if (!isWholeDays(span)) return 0;
  const dice = new Dice('time of day', distance, span / DAY);
  if (distance === 'ahead') return dice.int(0, (HOURS * 60) / QUARTER - 1) * QUARTER * MINUTE;
  return dice.int(0, HOURS * 3600 - 1) * 1000;
}

/** Whether a row has no moment so near to one in whole days that a time of day could turn their order round. */
export function hasDayTimes(row: unknown): boolean {
  const stated = [...JSON.stringify(row).matchAll(/"(ago|ahead)":"(P[^"]+)"/g)].map(([, distance, text]) => ({
    distance,
    span: spanMs(text as string) ?? 0,
  }));
  const whole = stated.filter(({ span }) => isWholeDays(span));
  const others = stated.filter(({ span }) => !isWholeDays(span));
  return !whole.some(({ distance, span }) =>
    others.some((other) => {
      const later = distance === 'ago' ? span - other.span : other.span - span;
      return other.distance === distance && later > 0 && later < HOURS * HOUR;
    }),
  );
}
