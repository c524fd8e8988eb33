/** Numbers that a network shows for a field of that name, inside the range of its schema. */
import type { Schema } from '../openapi/openapi-document.ts';
import type { Dice } from '../state/determinism.ts';
import { atLongestEnding, endingTable } from './field-words.ts';

interface Range {
  least: number;
  most: number;
}

type Draw = (dice: Dice, range: Range) => number;

const between =
  (from: number, to: number): Draw =>
  (dice, { least, most }) => {
    const [low, high] = [Math.max(least, Math.min(from, most)), Math.min(most, Math.max(to, least))];
    return low + dice.unit() * (high - low);
  };
const oneOf =
  (...values: number[]): Draw =>
  (dice, range) => {
    const fitting = values.filter((value) => value >= range.least && value <= range.most);
    return fitting.length > 0 ? dice.pick(fitting) : between(range.least, range.most)(dice, range);
  };
/** Most values are small, few are large. */
const few =
  (usual: number): Draw =>
  (dice, { least, most }) =>
    Math.min(most, Math.max(least, 0) + dice.unit() ** 2.5 * usual);
const magnitude =
  (from: number, to: number): Draw =>
  (dice, { least, most }) => {
    const [low, high] = [Math.max(least, from), Math.min(most, to)];
    return high <= low ? Math.max(least, Math.min(most, low)) : low * (high / low) ** dice.unit();
  };
/** A level in dBm; where the field cannot be negative, decibels above the noise. */
const level =
  (from: number, to: number): Draw =>
  (dice, range) =>
    (range.least >= 0 ? between(15, 34) : between(from, to))(dice, range);
/** A time that is a thousand times longer in milliseconds. */
const scaled =
  (draw: Draw, by: number): Draw =>
  (dice, { least, most }) =>
    draw(dice, { least: least / by, most: most / by }) * by;

const UPTIME = between(86_400, 7_000_000);
const COUNTED = few(40);
const SECONDS = oneOf(5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400);

/** Words at the end of a name, longest ending first: `password min length` is asked for before `length`. */
const BY_ENDING: readonly (readonly [endings: string, draw: Draw])[] = [
  ['uptime in millis,uptime ms,uptime millis', scaled(UPTIME, 1000)],
  ['uptime,uptime seconds,up seconds', UPTIME],
  ['min length,minimum length,minimum len,passphrase length,password length', oneOf(8, 10, 12, 14, 16)],
  ['minimum digits,minimum upper,minimum lower,minimum special,minimum classes', oneOf(0, 1, 2)],
  [
    'http status code,status code,response code,httpstatuscode',
    oneOf(200, 200, 200, 201, 204, 400, 401, 404, 429, 503),
  ],
  ['port id,port number,port index', between(1, 48)],
  ['sport,source port', between(49_152, 65_535)],
  ['port priority', oneOf(128, 32_768)],
  ['dport,port,ports,listen port,auth port,acct port', oneOf(443, 1812, 1813, 514, 123, 53, 8443, 49, 636, 4343)],
  ['proto,protocol,protocol number', oneOf(6, 17, 1)],
  ['day bytes,daily bytes,hour bytes,monthly bytes', magnitude(500_000_000, 50_000_000_000)],
  ['size bytes,file size,bytes per run', magnitude(4_000, 60_000_000)],
  ['size mb,size megabytes', between(40, 190)],
  ['bytes', magnitude(20_000, 60_000_000_000)],
  ['packets,frames', magnitude(900, 80_000_000)],
  ['kbps', magnitude(800, 200_000)],
  ['bps', magnitude(800_000, 900_000_000)],
  ['mbps', magnitude(2, 900)],
  ['rows', magnitude(1000, 500_000_000)],
  ['mtbf,mtbf hours', magnitude(60_000, 400_000)],
  ['faults,reboots,unplanned,restarts,crashes,flaps,flap count', few(7)],
  ['rpm', between(2500, 9000)],
  ['watts', between(4, 26)],
  ['kwh', between(1, 40)],
  ['celsius,temperature', between(31, 52)],
  ['humidity', between(35, 55)],
  ['latitude', between(53.2, 54.2)],
  ['longitude', between(-6.5, -6.2)],
  ['rssi,signal,signal dbm', level(-74, -46)],
  ['noise,noise floor', level(-97, -88)],
  ['snr', between(18, 44)],
  ['eirp,dbm,tx power,power', between(9, 21)],
  ['mos', between(3.6, 4.5)],
  ['quality', between(2, 5)],
  ['jitter,jitter ms,variation ms', between(1, 9)],
  ['latency,latency ms,rtt,rtt ms,roundtrip ms,round trip ms,delay ms,response ms', between(4, 60)],
  ['interval ms,hold time ms,timeout ms,backoff ms', oneOf(100, 250, 500, 1000, 2000, 5000)],
  ['ms,millis,milliseconds', between(5, 180)],
  ['compliance,availability,adoption,success,success percent,availability percent', between(86, 100)],
  ['loss percent,error percent,retry percent,drop percent', between(0, 2)],
  ['growth,change,delta,growth per month,change percent', between(-8, 12)],
  ['percent,pct,utilization,utilisation,ratio', between(8, 64)],
  ['share', between(8, 64)],
  ['score,health,rating,overall,experience,health points', between(72, 97)],
  ['confidence', between(72, 97)],
  ['frequency,wait', oneOf(2, 3, 4, 5)],
  ['pause', oneOf(3, 5, 10, 15)],
  ['seconds,timeout,interval,timer,hold time', SECONDS],
  ['minutes', oneOf(5, 10, 15, 30, 60, 120, 240, 480, 1440)],
  ['hours', oneOf(1, 4, 8, 12, 24, 48, 168)],
  ['days', oneOf(7, 14, 30, 60, 90, 180, 365)],
  ['remembered', oneOf(3, 5, 10)],
  ['channel', oneOf(36, 40, 44, 48, 52, 100, 104, 149, 1, 6, 11)],
  ['vlan,vlan id,vlans,vlan ids,native vlan,vid', oneOf(10, 20, 30, 40, 50, 60, 100, 110, 120, 200)],
  ['asn,as', oneOf(65_010, 65_020, 65_030, 64_512)],
  ['dscp', oneOf(0, 8, 10, 18, 26, 34, 46)],
  ['cos,dot 1 p,dot1p', oneOf(0, 3, 5, 6)],
  ['mtu', oneOf(1500, 9000, 1400, 9198)],
  ['speed,speed mbps,link speed', oneOf(1000, 2500, 10_000, 100, 25_000)],
  ['priority,precedence,order', oneOf(1, 10, 20, 30, 50, 100, 32_768)],
  ['retries,attempts', between(2, 5)],
  ['cost,price,amount', magnitude(20, 20_000)],
  ['year', oneOf(2025, 2026)],
  ['floor', between(0, 3)],
  ['revision,version', few(14)],
  ['count,total,number', COUNTED],
  ['quantity', few(40)],
];

const byEnding = endingTable(BY_ENDING);

/** What is rare in a network that works. */
const RATHER_LOW =
  /^(loss|lost|error|errors|crc|damaged|failed|failure|failures|retry|retransmits|drop|drops|dropped|late|spoofed|unmatched|discard|discards|discarded|degraded|reject|rejected|offline|missing|violation|violations|conflict|conflicts|bad|blocked|timeouts?|interference|radar)$/;
/** What counts traffic: few of it is still some hundred. */
const FLOWS = /^(bytes|packets|frames)$/;
/** `views 30 days`, `flaps last 24 hours`: the span is not what is counted. */
const SPAN = / (last )?\d+ ?(minutes|hours|days|h|d)$/;

const drawOfName = new Map<string, Draw | undefined>();

function drawOf(words: readonly string[]): Draw | undefined {
  const name = words.join(' ').replace(SPAN, '');
  if (drawOfName.has(name)) return drawOfName.get(name);
  const draw = lookUp(name.split(' '));
  drawOfName.set(name, draw);
  return draw;
}

function lookUp(words: readonly string[]): Draw | undefined {
  const low = words.some((word) => RATHER_LOW.test(word));
  if (low && words.some((word) => FLOWS.test(word)))
    return words.at(-1) === 'bytes' ? magnitude(1000, 400_000) : few(400);
  if (words[0] === 'num') return few(low ? 6 : 40);
  const draw = atLongestEnding(words, 4, (ending) => byEnding.get(ending));
  return low && draw === COUNTED ? few(6) : draw;
}

/** A range of at most this many values is drawn evenly where the name says nothing. */
const NARROW = 200;
/** What a number without an upper bound hardly exceeds where the name says nothing. */
const OPEN = 1000;

/** Whether the name says what the number is. */
export const hasNumberType = (words: readonly string[]): boolean => drawOf(words) !== undefined;

/** A number for the field, not yet snapped to the schema's step. */
export function numberFor(words: readonly string[], schema: Schema, dice: Dice): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const stated = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - 1);
  const draw = drawOf(words);
  if (draw !== undefined) return draw(dice, { least, most: stated ?? Number.MAX_SAFE_INTEGER });
  const range = { least, most: stated ?? Math.max(least, 1) * OPEN };
  return unnamed(
    range,
    schema.default,
    words.some((word) => RATHER_LOW.test(word)),
  )(dice, range);
}

/** What to draw where the name says nothing: near the default, evenly from a narrow range, else rather small. */
function unnamed({ least, most }: Range, usual: unknown, low: boolean): Draw {
  if (low) return few(6);
  if (typeof usual === 'number' && usual > 0) return between(usual / 2, usual * 2);
  if (most - least <= NARROW) return between(least, most);
  if (least >= 100) return magnitude(least, least * 50);
  return few(90);
}
