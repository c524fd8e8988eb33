/** Numbers and texts that keep to the limits of a schema. */
import type { Schema } from '../engine/openapi/openapi-document.ts';
import { textMatching } from '../engine/openapi/pattern.ts';
import { isoSeconds } from '../engine/state/clock.ts';
import type { Dice } from '../engine/state/determinism.ts';

/** Smallest and largest number that a schema takes, as far as it states them, and the distance between two. */
function limitsOf(schema: Schema, whole: boolean): { low: number; most: number; step: number } {
  const step = schema.multipleOf ?? (whole ? 1 : 0.5);
  const above = schema.exclusiveMinimum;
  const beneath = schema.exclusiveMaximum;
  const least = Math.max(
    schema.minimum ?? Number.NEGATIVE_INFINITY,
    above === undefined ? Number.NEGATIVE_INFINITY : above + step,
  );
  const most = Math.min(
    schema.maximum ?? Number.POSITIVE_INFINITY,
    beneath === undefined ? Number.POSITIVE_INFINITY : beneath - step,
  );
  const low = Number.isFinite(least) ? least : Number.isFinite(most) ? Math.min(1, most) : 1;
  return { low, most, step };
}

export function drawNumber(schema: Schema, dice: Dice, whole: boolean): number {
  const { low, most, step } = limitsOf(schema, whole);
  const high = Math.max(low, Math.min(most, low + 998));
  const drawn = Math.ceil((low + dice.unit() * (high - low)) / step) * step;
  const kept = drawn > high ? Math.ceil(low / step) * step : drawn;
  // Steps such as 0.1 leave dust behind the decimals that are meant.
  const clean = Number(kept.toPrecision(12));
  return whole ? Math.round(clean) : clean;
}

/** Values in order, the smallest number first, for where drawn values such as this one are all taken. */
export function valuesInOrder(schema: Schema, like: unknown, count: number): unknown[] {
  if (schema.enum !== undefined) return schema.enum.filter((value) => value !== null);
  const { low, step } = limitsOf(schema, true);
  return Array.from({ length: count }, (_, at) => {
    if (typeof like === 'number') return (Math.ceil(low / step) + at) * step;
    const ending = `-${at + 2}`;
    const room = Math.max(0, (schema.maxLength ?? Number.POSITIVE_INFINITY) - ending.length);
    return String(like).slice(0, room) + ending;
  });
}

const DAY = 86_400_000;

export function drawText(schema: Schema, dice: Dice, nowMs: number, path: readonly string[]): string {
  if (schema.pattern !== undefined) {
    const made = matching(schema, dice);
    if (made !== null) return made;
  }
  const made = formatted(schema, dice, nowMs) ?? likeExample(schema, dice);
  if (made !== null) return made;
  const name = path.findLast((step) => !/^\d+$/.test(step)) ?? 'value';
  const text = `${name.replace(/[^A-Za-z0-9_-]/g, '-')}-${dice.int(1, 9999)}`;
  const cut =
    schema.maxLength === undefined ? text : text.slice(-schema.maxLength || text.length).slice(0, schema.maxLength);
  return cut.padEnd(schema.minLength ?? 0, 'x');
}

/** Fewer would soon be taken. */
const FEWEST_DIGITS = 4;
const LONGEST_EXAMPLE = 200;

/** Another text in the form of the example: `AB-1234` gives `AB-7701`, a UUID another one. Null where the example shows no form. */
function likeExample(
  { example, examples, minLength = 0, maxLength = LONGEST_EXAMPLE }: Schema,
  dice: Dice,
): string | null {
  const told = examples?.[0] ?? example;
  if (typeof told !== 'string' || told.length > Math.min(maxLength, LONGEST_EXAMPLE) || told.length < minLength)
    return null;
  if (UUID.test(told)) return dice.uuid();
  if (HEX.test(told)) return told === told.toUpperCase() ? dice.hex(told.length).toUpperCase() : dice.hex(told.length);
  // A time, an amount or an address is more than its digits.
  if (!CODE.test(told) || (told.match(/\d/g) ?? []).length < FEWEST_DIGITS) return null;
  return told.replace(/\d/g, (digit, at: number) =>
    String(digit === '0' && at === 0 ? 0 : dice.int(at === 0 ? 1 : 0, 9)),
  );
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** With a digit and a letter, so that it is neither a number nor a word. */
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{12,}$/i;
const CODE = /^(?:[A-Za-z]+[-_])*[A-Za-z]*\d+$/;

function matching(schema: Schema, dice: Dice): string | null {
  const fits = (text: string): boolean =>
    text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
  for (const wanted of [8, 1, 20, 40, 64, 3]) {
    const made = textMatching(schema.pattern as string, dice, wanted);
    if (made !== null && fits(made)) return made;
  }
  return null;
}

function formatted(schema: Schema, dice: Dice, nowMs: number): string | null {
  switch (schema.format) {
    case 'date-time':
      return isoSeconds(Math.floor((nowMs - dice.int(60_000, 20 * DAY)) / 1000) * 1000);
    case 'date':
      return isoSeconds(nowMs - dice.int(1, 400) * DAY).slice(0, 10);
    case 'time':
    case 'iso-time':
      return `${String(dice.int(0, 23)).padStart(2, '0')}:00:00Z`;
    case 'duration':
      return `PT${dice.int(1, 59)}M`;
    case 'uuid':
      return dice.uuid();
    case 'ipv4':
      return `192.0.2.${dice.int(1, 254)}`;
    case 'ipv6':
      return `2001:db8::${dice.hex(4)}`;
    case 'email':
    case 'idn-email':
      return `person-${dice.int(1, 999)}@sample.example`;
    case 'hostname':
    case 'idn-hostname':
      return `host-${dice.int(1, 999)}.sample.example`;
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-reference':
    case 'iri-reference':
    case 'uri-template':
      return `https://sample.example/${dice.hex(8)}`;
    case 'json-pointer':
      return `/${dice.hex(4)}`;
    case 'relative-json-pointer':
      return '0';
    case 'regex':
      return '^[a-z]+$';
    case 'byte':
      return Buffer.from(dice.hex(12)).toString('base64');
    case 'binary':
      return dice.hex(16);
    default:
      return null;
  }
}

/** A null is taken only where nothing else is listed. */
export function drawEnum(values: readonly unknown[], dice: Dice, attempt: number): unknown {
  const solid = values.filter((entry) => entry !== null);
  return solid.length === 0 ? null : solid[(dice.int(0, solid.length - 1) + attempt) % solid.length];
}
