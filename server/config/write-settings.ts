/** When writes may be sent, and how many of them in an hour. */
import { RouterError } from '../errors.ts';
import type { ApprovalSettings } from './approval-settings.ts';
import { type Environment, invalid, unlisted } from './environment.ts';

/** An interval of every week, in minutes since Monday 00:00 local time; an end before the start lies in the next week. */
export interface WeeklyInterval {
  start: number;
  end: number;
}

/** A maintenance window of one platform, or of every platform that has none of its own. */
export interface WriteWindow {
  platform: string | undefined;
  /** One for each day of the window. */
  intervals: readonly WeeklyInterval[];
}

export interface WriteSettings {
  /** Writes to one platform in a clock hour, for each principal; undefined for as many as it sends. */
  perHour: number | undefined;
  /** Empty where writes may be sent at any time. */
  windows: readonly WriteWindow[];
  /** IANA time zone of the windows. */
  zone: string;
  /** What becomes of a write outside of them. */
  outside: 'refuse' | 'ask';
}

export const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const WEEK_MINUTES = 7 * 1440;
const DAY = DAY_NAMES.join('|');
const TIME = '([01]\\d|2[0-4]):([0-5]\\d)';
const WINDOW = new RegExp(`^(?:([a-z][a-z0-9_-]*):\\s*)?(?:(${DAY})(?:-(${DAY}))?\\s+)?${TIME}-${TIME}$`);
const FORM = 'a list of windows such as Sat-Sun 22:00-04:00 or mgmt: Tue 02:00-05:00';

/** Throws CONFIG_INVALID or CONFIG_CONTRADICTION. */
export function readWriteSettings(
  environment: Environment,
  known: readonly { id: string }[],
  approvals: Pick<ApprovalSettings, 'mode'>,
): WriteSettings {
  const ids = known.map(({ id }) => id);
  const windows = environment.list('SVC_MCP_WRITE_WINDOWS').map((text) => windowOf(text, ids));
  const outside = environment.choice<WriteSettings['outside']>('SVC_MCP_WRITES_OUTSIDE_WINDOWS');
  if (windows.length === 0 && outside === 'ask')
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      `SVC_MCP_WRITES_OUTSIDE_WINDOWS=${outside} is set, but SVC_MCP_WRITE_WINDOWS names no window`,
    );
  const alwaysAsked = environment.choice('SVC_MCP_CONFIRMATION') === 'elicit' && approvals.mode === 'client';
  if (outside === 'ask' && alwaysAsked)
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      'SVC_MCP_WRITES_OUTSIDE_WINDOWS=ask changes nothing: the same person is asked about every write, and there is no operator',
      { remedy: 'set SVC_MCP_WRITES_OUTSIDE_WINDOWS=refuse, or SVC_MCP_APPROVALS=operator' },
    );
  return {
    perHour: environment.number('SVC_MCP_WRITES_PER_HOUR') || undefined,
    windows,
    zone: zoneOf(environment.text('SVC_MCP_WRITE_WINDOWS_ZONE')),
    outside,
  };
}

function windowOf(text: string, ids: readonly string[]): WriteWindow {
  const [, platform, first, last = first, ...times] = WINDOW.exec(text) ?? [];
  const [fromHour, fromMinute, toHour, toMinute] = times.map(Number) as [number, number, number, number];
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  const fits = times.length === 4 && from !== to && from < 1440 && to <= 1440;
  if (!fits) throw invalid('SVC_MCP_WRITE_WINDOWS', FORM, text);
  if (platform !== undefined && !ids.includes(platform)) throw unlisted('SVC_MCP_WRITE_WINDOWS', ids, platform);
  const length = (to - from + 1440) % 1440 || 1440;
  return {
    platform,
    intervals: daysOf(first, last).map((day) => {
      const start = day * 1440 + from;
      return { start, end: (start + length) % WEEK_MINUTES };
    }),
  };
}

/** From the first to the last day, also over the end of the week; all seven where none is named. */
function daysOf(first: string | undefined, last: string | undefined): number[] {
  const from = DAY_NAMES.indexOf(first as (typeof DAY_NAMES)[number]);
  const to = DAY_NAMES.indexOf(last as (typeof DAY_NAMES)[number]);
  const length = first === undefined ? 7 : ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, i) => (Math.max(from, 0) + i) % 7);
}

function zoneOf(zone: string): string {
  // The runtime's data of time zones costs a start several milliseconds.
  if (zone === 'UTC') return zone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw invalid('SVC_MCP_WRITE_WINDOWS_ZONE', 'an IANA time zone such as Europe/Zurich', zone);
  }
}
