/** Maintenance windows: when a write to a platform may be sent, by the wall clock of one time zone. */
import { DAY_NAMES, WEEK_MINUTES, type WeeklyInterval, type WriteSettings } from '../config/write-settings.ts';
import { RouterError } from '../errors.ts';

const MINUTE_MS = 60_000;

export class WriteWindows {
  readonly #settings: Pick<WriteSettings, 'windows' | 'zone' | 'outside'>;
  readonly #now: () => number;
  #format: Intl.DateTimeFormat | undefined;

  constructor(settings: Pick<WriteSettings, 'windows' | 'zone' | 'outside'>, now: () => number = Date.now) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Throws OUTSIDE_WRITE_WINDOW where writes outside of the windows are refused, with the time at which the next one opens. */
  mustBeOpen(platform: string): void {
    const closed = this.#settings.outside === 'refuse' ? this.#closed(platform) : undefined;
    if (closed === undefined) return;
    const opens_at = new Date(this.#opening(closed)).toISOString();
    throw new RouterError(
      'OUTSIDE_WRITE_WINDOW',
      `writes to ${platform} may be sent in a maintenance window alone; the next one opens at ${opens_at}. Nothing was sent.`,
      { details: { opens_at } },
    );
  }

  /** Whether a write needs a yes now that it would not need in a window. */
  requiresApproval(platform: string): boolean {
    return this.#settings.outside === 'ask' && this.#closed(platform) !== undefined;
  }

  /** The windows of a platform, if it has some and is in none of them. */
  #closed(platform: string): readonly WeeklyInterval[] | undefined {
    const { windows } = this.#settings;
    if (windows.length === 0) return undefined;
    const own = windows.filter((window) => window.platform === platform);
    const mine = own.length > 0 ? own : windows.filter((window) => window.platform === undefined);
    const intervals = mine.flatMap((window) => window.intervals);
    if (intervals.length === 0) return undefined;
    const minute = this.#minuteOfWeek(this.#now());
    return intervals.some((interval) => isWithin(minute, interval)) ? undefined : intervals;
  }

  /** A clock that is put forward or back on the way moves the opening with it. */
  #opening(intervals: readonly WeeklyInterval[]): number {
    const from = Math.floor(this.#now() / MINUTE_MS) * MINUTE_MS;
    const minute = this.#minuteOfWeek(from);
    const openings = intervals.map(({ start }) => {
      const at = from + ahead(minute, start) * MINUTE_MS;
      const off = ahead(this.#minuteOfWeek(at), start);
      return at + (off > WEEK_MINUTES / 2 ? off - WEEK_MINUTES : off) * MINUTE_MS;
    });
    return Math.min(...openings);
  }

  #minuteOfWeek(at: number): number {
    this.#format ??= new Intl.DateTimeFormat('en-US', {
      timeZone: this.#settings.zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = DAY_NAMES.indexOf(parts.get('weekday') as (typeof DAY_NAMES)[number]);
    return day * 1440 + Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  }
}

/** Minutes of a week from one minute on to another. */
const ahead = (from: number, to: number): number => (to - from + WEEK_MINUTES) % WEEK_MINUTES;

/** The minute of the end is outside. */
const isWithin = (minute: number, { start, end }: WeeklyInterval): boolean => ahead(start, minute) < ahead(start, end);
