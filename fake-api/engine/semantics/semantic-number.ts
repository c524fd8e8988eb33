/** Numbers that a network shows for a field of that name, inside the range of its schema. */
import type { Schema } from '../openapi/openapi-document.ts';
import type { Dice } from '../state/determinism.ts';

type Draw = (dice: Dice, least: number, most: number) => number;

const oneOf =
  (...values: number[]): Draw =>
  (dice, least, most) => {
    const fitting = values.filter((value) => value >= least && value <= most);
    return fitting.length > 0 ? dice.pick(fitting) : between(least, most)(dice, least, most);
  };
const between =
  (from: number, to: number): Draw =>
  (dice, least, most) => {
    const [low, high] = [Math.max(least, Math.min(from, most)), Math.min(most, Math.max(to, least))];
    return low + dice.unit() * (high - low);
  };
/** Most values are small, few are large. */
const few =
  (usual: number): Draw =>
  (dice, least, most) =>
    Math.min(most, least + dice.unit() ** 2.5 * usual);
const magnitude =
  (from: number, to: number): Draw =>
  (dice, least, most) => {
    const [low, high] = [Math.max(least, from), Math.min(most, to)];
    return high <= low ? Math.max(least, Math.min(most, low)) : low * (high / low) ** dice.unit();
  };

const RATHER_LOW =
  /^(loss|error|errors|failed|failure|failures|retry|retries|drop|drops|dropped|discard|discards|degraded|reject|rejected|down|offline|missing|violation|violations|conflict|conflicts|bad|blocked|timeouts?|interference)$/;

/** The first entry that has one of the words decides. */
const BY_WORD: readonly (readonly [words: string, draw: Draw])[] = [
  ['rssi signal', between(-74, -46)],
  ['noise', between(-97, -88)],
  ['snr', between(18, 44)],
  ['dbm eirp', between(9, 21)],
  ['latitude', between(53.2, 54.2)],
  ['longitude', between(-6.5, -6.2)],
  ['temperature celsius', between(31, 52)],
  ['humidity', between(35, 55)],
  ['mos', between(3.6, 4.5)],
  ['channel', oneOf(36, 40, 44, 48, 52, 100, 104, 149, 1, 6, 11)],
  ['vlan vlans', oneOf(10, 20, 30, 40, 50, 60, 100, 110, 120, 200)],
  ['asn as', oneOf(65010, 65020, 65030, 64512)],
  ['dscp', oneOf(0, 8, 10, 18, 26, 34, 46)],
  ['cos dot1p', oneOf(0, 3, 5, 6)],
  ['mtu', oneOf(1500, 9000, 1400, 9198)],
  ['httpstatuscode', oneOf(400, 404, 409, 422)],
  ['port ports', oneOf(443, 1812, 1813, 514, 123, 53, 8443, 49, 636, 4343)],
  ['speed', oneOf(1000, 2500, 10_000, 100, 25_000, 1)],
  ['jitter', between(1, 9)],
  ['latency roundtrip rtt delay response', between(4, 60)],
  ['percent pct utilization utilisation share ratio', between(8, 64)],
  ['score health rating confidence', between(62, 97)],
  ['bytes', magnitude(20_000, 60_000_000_000)],
  ['kbps', magnitude(800, 200_000)],
  ['bps', magnitude(800_000, 900_000_000)],
  ['mbps', magnitude(2, 900)],
  ['packets frames', magnitude(900, 80_000_000)],
  ['uptime', between(86_400, 7_000_000)],
  ['watts', between(4, 26)],
  ['priority precedence order', oneOf(1, 10, 20, 30, 50, 100, 32_768)],
  ['retries attempts', between(2, 5)],
  ['seconds timeout interval expiry hold timer', oneOf(5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400)],
  ['minutes', oneOf(5, 10, 15, 30, 60, 120, 240, 480, 1440)],
  ['hours', oneOf(1, 4, 8, 12, 24, 48, 168)],
  ['days', oneOf(7, 14, 30, 60, 90, 180, 365)],
  ['ms milliseconds', between(5, 180)],
  ['year', oneOf(2025, 2026)],
  ['floor', between(0, 3)],
  ['revision version', few(14)],
];
const COUNTED = /^(count|total|number|quantity)$/;
/** What flows is never few, whichever direction its name says. */
const FLOWS = /^(bytes|packets|frames|bps|kbps|mbps)$/;

const drawOfName = new Map<string, Draw | undefined>();

function drawOf(words: readonly string[]): Draw | undefined {
  const name = words.join(' ');
  if (drawOfName.has(name)) return drawOfName.get(name);
  const counted = COUNTED.test(words.at(-1) ?? '') || words[0] === 'num';
  const [, found] =
    BY_WORD.find(([known]) =>
      known.split(' ').some((word) => words.includes(word) && !(word === 'ports' && words.length > 1)),
    ) ?? [];
  const draw = counted && !words.some((word) => FLOWS.test(word)) ? few(40) : found;
  drawOfName.set(name, draw);
  return draw;
}

/** A range of at most this many values is drawn evenly where the name says nothing. */
const NARROW = 200;

/** A number for the field, not yet snapped to the schema's step. */
export function numberFor(words: readonly string[], schema: Schema, dice: Dice): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const most =
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? Math.max(least, 1) * 1000 : schema.exclusiveMaximum - 1);
  const low = words.some((word) => RATHER_LOW.test(word)) && !words.some((word) => FLOWS.test(word));
  const draw = drawOf(words);
  if (draw !== undefined) {
    const drawn = draw(dice, least, most);
    return low && most - least > 5 && least >= 0
      ? Math.min(drawn, least + dice.unit() ** 2 * (most - least) * 0.04)
      : drawn;
  }
  if (most - least <= NARROW) return least + dice.unit() * (most - least);
  return few(low ? 6 : 90)(dice, least, most);
}
