/** What the description of a field says of its number: the unit, or what is counted. Asked where the name alone says little. */
import { between, level, magnitude, type NumberDraw, oneOf } from './number-draws.ts';

const LOST = /lost|loss|error|retr(y|ie)|drop|fail|refused|damaged|collision|unanswered|rejected|duplicate|wrong/;
const FULL =
  /success|availab|healthy|\bmet\b|complian|reach|accepted|\bup\b|answered|covered|coverage|agree|without|passed|complete|protected|known|sure|confiden/;
const RATED = /score|rating|quality|points|how (sure|good|well)|experience|health|part for|part of the score/;

/** First match decides: units before nouns, small ones before large. */
const SAYS: readonly (readonly [test: RegExp, draw: NumberDraw])[] = [
  [
    /http status|status (code )?of the (latest )?(answer|call|post|reply)/,
    oneOf(200, 200, 200, 201, 204, 401, 404, 503),
  ],
  [/\bper cent\b|percent|\bin %/, between(8, 64)],
  [/milliseconds|\bms\b/, between(5, 180)],
  [/micro-?seconds|\bµs\b/, between(80, 2400)],
  [
    /^seconds|in seconds|seconds (until|for|of|after|between|since|without|to|a|the|it|before|that)\b/,
    oneOf(5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600),
  ],
  [
    /^minutes|in minutes|minutes (until|for|of|after|between|without|to|a|the|it|before|that|must)\b/,
    oneOf(5, 10, 15, 30, 60, 120, 240),
  ],
  [/^hours|in hours|hours (until|for|of|after|between|without)\b/, oneOf(1, 2, 4, 8, 12, 24, 48)],
  [/^days|in days|days (until|for|of|after|between|without|that)\b/, oneOf(7, 14, 30, 60, 90, 180, 365)],
  [/^months|in months|months (of|since|for)\b/, oneOf(1, 3, 6, 12, 24, 36)],
  [/^years|in years/, oneOf(1, 3, 5)],
  [/kilobits|kbit\/s|kbps/, oneOf(512, 1000, 2000, 5000, 10_000, 20_000, 50_000)],
  [/megabits|mbit\/s|mbps/, magnitude(20, 900)],
  [/gigabits|gbit/, between(0.4, 9)],
  [/bits per second|bit\/s/, magnitude(800_000, 900_000_000)],
  [/kilobytes|kib\b|kbytes/, magnitude(2_000, 400_000)],
  [/megabytes|mib\b/, magnitude(20, 8_000)],
  [/gigabytes|gib\b/, magnitude(4, 500)],
  [/\bbytes\b|octets/, magnitude(4_000, 60_000_000)],
  [/square met/, magnitude(120, 4_000)],
  [/\bmet(re|er)s\b/, between(3, 60)],
  [/pixels/, oneOf(1024, 1600, 1920, 2480)],
  [/\bwatts?\b/, between(4, 26)],
  [/celsius|°c/, between(31, 52)],
  [/\bdbm\b/, level(-74, -52)],
  [/above noise|signal-to-noise/, between(18, 44)],
  [/\bdbi?\b/, between(2, 8)],
  [/degrees (north)/, between(53.2, 54.2)],
  [/degrees (east)/, between(-6.5, -6.2)],
  [/(tcp|udp|destination|source|listening) port\b/, oneOf(443, 1812, 514, 123, 53, 8443, 636)],
  [/\b(local )?hour (of|in|with)|hour of (the|that) day/, oneOf(1, 2, 3, 4, 9, 10, 11, 14, 22)],
  [/day of the (week|month)/, oneOf(1, 2, 3, 4, 5, 6)],
  [/prefix length|length of the (network|destination|prefix)/, oneOf(24, 24, 22, 26, 28, 30)],
];

const known = { share: new Map<string, NumberDraw | undefined>(), open: new Map<string, NumberDraw | undefined>() };

/** A draw for what the description says, undefined where it names no unit. */
export function saidNumber(description: string | undefined, share: boolean): NumberDraw | undefined {
  if (description === undefined) return undefined;
  const read = share ? known.share : known.open;
  if (read.has(description)) return read.get(description);
  const draw = drawOf(description.toLowerCase(), share);
  read.set(description, draw);
  return draw;
}

/** `share` says that the range ends at a hundred. */
function drawOf(description: string, share: boolean): NumberDraw | undefined {
  const [, draw] = SAYS.find(([test]) => test.test(description)) ?? [];
  const isShare = share && (draw === undefined || /percent|per cent|%|share/.test(description));
  if (!isShare) return draw;
  if (RATED.test(description)) return between(72, 97);
  if (LOST.test(description)) return between(0, 2.4);
  return FULL.test(description)
    ? between(86, 100)
    : /percent|per cent|%|share/.test(description)
      ? between(8, 64)
      : draw;
}
