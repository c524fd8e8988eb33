/** The ways in which one value can be written down, and how much of each gives it away. */
import { escapeInvisible, visibleText } from './invisible.ts';

export interface Spelling {
  text: string;
  /** Shortest part that is masked where it stands alone. */
  least: number;
  /** A part counts only if it looks made by a machine: a password may hold ordinary words. */
  mixedOnly: boolean;
}

/** Eight bytes of a value let nobody log in, but they say which value it is. */
const PIECE_BYTES = 8;
const GENERATED_LENGTH = 16;
/** Whole characters that eight bytes give in base64, wherever in a group of three they begin: ten. */
const BASE64_PER_BYTE = 10 / PIECE_BYTES;

/** The same in base32, wherever in a group of five. */
const BASE32_PER_BYTE = 12 / PIECE_BYTES;
/** More than any spelling holds: only the whole of it counts. */
const LONGEST = 1_000_000;

/** Share of neighbours of another kind (small, capital, digit, other) from which on no words stand in a value. */
const CHANGES = 0.3;

/** Whether a value is so mixed throughout that a machine must have made it. */
export function isGenerated(secret: string): boolean {
  if (secret.length < GENERATED_LENGTH) return false;
  if (/^(?=.*\d)[\da-f-]+$/i.test(secret)) return true;
  const kinds = [...secret].map((letter) => [/[a-z]/, /[A-Z]/, /\d/].findIndex((kind) => kind.test(letter)));
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes / secret.length >= CHANGES;
}

/** `generated`: no part of it can be an ordinary word, so every part that is long enough counts. */
export function spellingsOf(secret: string, generated = isGenerated(secret)): Spelling[] {
  const bytes = Buffer.from(secret);
  const inParts = secret.length >= GENERATED_LENGTH;
  const found = new Map<string, Spelling>();
  const add = (text: string, charactersPerByte: number, mixedOnly = false): void => {
    const least = inParts ? Math.min(text.length, Math.ceil(PIECE_BYTES * charactersPerByte)) : text.length;
    if (text.length >= 6 && !found.has(text)) found.set(text, { text, least, mixedOnly });
  };
  const url = encodeURIComponent(secret);
  const smallUrl = url.replace(/%../g, (code) => code.toLowerCase());
  // As an answer shows what nobody sees of it, in a text and in JSON.
  const shown = visibleText(secret);
  for (const text of [secret, inJson(secret), url, shown, inJson(shown)])
    for (const told of [text, escapeInvisible(text)]) add(told, 1, !generated);
  // A value that holds no letter to be encoded looks the same in these, and is added once.
  for (const text of [
    encodeURIComponent(url),
    smallUrl,
    encodeURIComponent(smallUrl),
    asHtml(secret),
    backwards(secret),
  ])
    add(text, 1, !generated);
  for (const text of base32Of(bytes)) {
    add(text, BASE32_PER_BYTE);
    add(text.toLowerCase(), BASE32_PER_BYTE);
  }
  // The whole value only: its parts differ by what stands before them twice.
  add(
    Buffer.from(bytes.toString('base64'))
      .toString('base64')
      .replace(/={1,2}$/, ''),
    LONGEST,
  );
  for (const text of base64Of(bytes)) {
    add(text, BASE64_PER_BYTE);
    add(text.replaceAll('+', '-').replaceAll('/', '_'), BASE64_PER_BYTE);
    // JSON may escape the slash.
    add(text.replaceAll('/', '\\/'), BASE64_PER_BYTE);
  }
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const letters = [...secret].flatMap((letter) =>
    Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at).toString(16).padStart(4, '0')),
  );
  for (const turn of [(text: string) => text, (text: string) => text.toUpperCase()]) {
    add(turn(hex.join('')), 2);
    add(hex.map((pair) => `%${turn(pair)}`).join(''), 3);
    add(letters.map((code) => `\\u${turn(code)}`).join(''), 6);
    add(letters.map((code) => `\\\\u${turn(code)}`).join(''), 7);
  }
  return [...found.values()];
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** As a page of HTML writes it: entities only where it must. */
const asHtml = (secret: string): string => secret.replace(/[&<>"']/g, (letter) => NAMED[letter] as string);

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const backwards = (secret: string): string => [...secret].reverse().join('');

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * RFC 4648, by the number of bytes before the value in a group of five. Characters that depend on neighbouring bytes
 * are left out.
 */
function base32Of(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((before) => {
    const bits = [...Buffer.concat([Buffer.alloc(before), bytes])]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('');
    const groups = bits.match(/.{5}/g) ?? [];
    return groups
      .slice(Math.ceil((before * 8) / 5))
      .map((group) => BASE32[Number.parseInt(group, 2)])
      .join('');
  });
}

/**
 * The base64 text of a value depends on the number of bytes before it. Characters that depend on neighbouring bytes
 * are left out.
 */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(before === 0 ? 0 : before + 1, whole);
  });
}
