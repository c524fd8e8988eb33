/**
 * Values as OpenAPI writes them into a request: `style` and `explode` of path, query, header and cookie parameters and of
 * the fields of a form (OpenAPI 3.1, 4.8.12.5; RFC 6570), and the `collectionFormat`s of Swagger 2 that have no style. What
 * the specification leaves open is written as most servers read it: `deepObject` nests by `[name]` and `[index]`.
 */
import type { FieldEncoding, ToolParameter } from '../catalog/tool.ts';

export type Style = Pick<ToolParameter, 'name' | 'style' | 'explode' | 'allowReserved'>;

/** The percent-encoded separator of list values in a style; a comma in every other style. */
const SEPARATORS = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
  ['tabDelimited', '%09'],
]);

type Entries = readonly (readonly [string, unknown])[];
type Encode = (text: string) => string;

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that has no structure of its own here: what is inside a list or an object becomes JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Reserved characters that neither end a query nor part its pairs (RFC 3986, 3.4). */
const KEPT = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g;

const encoderOf = ({ allowReserved }: Pick<Style, 'allowReserved'>): Encode =>
  allowReserved ? (text) => encodeURIComponent(text).replace(KEPT, decodeURIComponent) : encodeURIComponent;

/** Pairs of a query or of a form: `name=value` each, percent-encoded. */
export function queryParts(style: Style, value: unknown): string[] {
  const { name } = style;
  const encode = encoderOf(style);
  const pair = (key: string, text: string) => `${encodeURIComponent(key)}=${encode(text)}`;
  if (style.style === 'json') return [pair(name, typeof value === 'string' ? value : JSON.stringify(value))];
  if (style.style === 'deepObject') return deepPairs(name, value).map(([key, text]) => pair(key, text));
  if (Array.isArray(value)) {
    if (style.explode) return value.map((entry) => pair(name, valueText(entry)));
    return [`${encodeURIComponent(name)}=${joined(value, separatorOf(style), encode)}`];
  }
  if (!isRecord(value)) return [pair(name, valueText(value))];
  const entries = Object.entries(value);
  if (style.explode) return entries.map(([key, inner]) => pair(key, valueText(inner)));
  return [`${encodeURIComponent(name)}=${joined(entries.flat(), separatorOf(style), encode)}`];
}

const separatorOf = ({ style }: Pick<Style, 'style'>): string => SEPARATORS.get(style) ?? ',';

const joined = (values: readonly unknown[], separator: string, encode: Encode): string =>
  values.map((value) => encode(valueText(value))).join(separator);

function deepPairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((entry, at) => deepPairs(`${name}[${at}]`, entry));
  if (!isRecord(value)) return [[name, value === null ? '' : valueText(value)]];
  return Object.entries(value).flatMap(([key, inner]) => deepPairs(`${name}[${key}]`, inner));
}

/** What stands in the place of `{name}` in a path. */
export function pathText(style: Style, value: unknown): string {
  const encode = encoderOf({});
  if (style.style === 'label')
    return `.${expanded(value, style.explode, { between: style.explode ? '.' : ',', encode })}`;
  if (style.style === 'matrix') return matrixText(style, value, encode);
  return simpleText(style, value, encode, separatorOf(style));
}

function matrixText({ name, explode }: Style, value: unknown, encode: Encode): string {
  const key = encodeURIComponent(name);
  const pair = (left: string, right: string) => (right === '' ? `;${left}` : `;${left}=${right}`);
  if (explode && Array.isArray(value)) return value.map((entry) => pair(key, encode(valueText(entry)))).join('');
  if (explode && isRecord(value))
    return Object.entries(value)
      .map(([inner, entry]) => pair(encode(inner), encode(valueText(entry))))
      .join('');
  return pair(key, expanded(value, false, { between: ',', encode }));
}

function simpleText({ style, explode }: Style, value: unknown, encode: Encode, between: string): string {
  return style === 'json' ? encode(valueText(value)) : expanded(value, explode, { between, encode });
}

/** A list as its entries, an object as `key,value` or, exploded, `key=value`. */
function expanded(value: unknown, explode: boolean, { between, encode }: { between: string; encode: Encode }): string {
  if (Array.isArray(value)) return joined(value, between, encode);
  if (!isRecord(value)) return encode(valueText(value));
  const entries: Entries = Object.entries(value);
  if (!explode) return joined(entries.flat(), between, encode);
  return entries.map(([key, inner]) => `${encode(key)}=${encode(valueText(inner))}`).join(between);
}

/** The value of a header. Nothing is encoded, because a header has no encoding of its own. */
export function headerText(style: Style, value: unknown): string {
  return simpleText(style, value, (text) => text, decodeURIComponent(separatorOf(style)));
}

/** `name=value` pairs of the Cookie header, which parts them by `; `: a value that is exploded becomes several. */
export function cookieParts(style: Style, value: unknown): string[] {
  return queryParts(style, value);
}

/** How a field of a form is written. Without an encoding a list repeats its field, and an object is JSON. */
export function fieldStyle(name: string, value: unknown, encodings: readonly FieldEncoding[] = []): Style {
  const encoding = encodings.find((one) => one.name === name);
  if (encoding?.style !== undefined) return { ...encoding, style: encoding.style, explode: encoding.explode === true };
  const whole = /json/i.test(encoding?.contentType ?? '');
  return { ...encoding, name, style: whole || isRecord(value) ? 'json' : 'form', explode: true };
}

/** Whether a list or an object without entries would leave no trace of itself in a query, a header or a cookie. */
export function losesEmpty({ style }: Pick<Style, 'style'>, value: unknown): boolean {
  if (style === 'json' || typeof value !== 'object' || value === null) return false;
  const inner = Object.values(value);
  return inner.length === 0 || (style === 'deepObject' && inner.some((entry) => losesEmpty({ style }, entry)));
}

/** The first field of which the same is true in a form, or in a body of several parts. */
export const emptyField = (body: object, encodings?: readonly FieldEncoding[]): [string, unknown] | undefined =>
  Object.entries(body).find(([name, value]) => losesEmpty(fieldStyle(name, value, encodings), value));

/** The fields of a form that are sent. Only JSON has a null: elsewhere RFC 6570, 2.3, leaves out what has no value. */
export const givenFields = (body: object, encodings?: readonly FieldEncoding[]): [string, unknown][] =>
  Object.entries(body).filter(
    ([name, value]) => value !== undefined && (value !== null || fieldStyle(name, value, encodings).style === 'json'),
  );

/** A form (`application/x-www-form-urlencoded`), its fields written as their encodings say. */
export function formText(body: object, encodings?: readonly FieldEncoding[]): string {
  return givenFields(body, encodings)
    .flatMap(([name, value]) => queryParts(fieldStyle(name, value, encodings), value))
    .map((pair) => pair.replaceAll('%20', '+'))
    .join('&');
}
