/** Looks for a secret in whatever was written down: as it is, encoded in any of the usual ways, or a piece of it. */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const PIECE = 8;
const NO_HEX = 'ghjkmnpqrstvwxyz';
const CANARY_LENGTH = 40;
const MARKS = 2 ** 20;

/**
 * Letters and digits by turns, so that each of its pieces looks made by a machine; no letter of hexadecimal digits, or the
 * digests of an audit log would hold a piece of it by chance once in seven runs.
 */
export const newCanary = (): string =>
  Array.from({ length: CANARY_LENGTH }, (_, at) =>
    at % 2 === 0 ? NO_HEX[randomInt(NO_HEX.length)] : randomInt(10),
  ).join('');

/** The pieces of each secret that give it away, in every spelling; eight bytes of it are enough. */
export class Canaries {
  /** By their first eight characters; none is shorter. */
  readonly #pieces = new Map<string, string[]>();
  /** Marks of how pieces begin, so that a text of megabytes is cut only where one may stand. */
  readonly #beginnings = new Uint8Array(MARKS);

  constructor(secrets: readonly string[]) {
    for (const secret of secrets)
      for (let at = 0; at + PIECE <= secret.length; at++)
        for (const text of spelled(secret.slice(at, at + PIECE))) {
          const start = text.slice(0, PIECE);
          this.#pieces.set(start, [...(this.#pieces.get(start) ?? []), text]);
          this.#beginnings[markAt(text, 0)] = 1;
        }
  }

  /** The first piece found in a text, with what stands around it. */
  in(text: string): string | undefined {
    for (let at = 0; at + PIECE <= text.length; at++) {
      if (this.#beginnings[markAt(text, at)] === 0) continue;
      const found = this.#pieces.get(text.slice(at, at + PIECE))?.some((piece) => text.startsWith(piece, at));
      if (found) return `…${text.slice(Math.max(0, at - 40), at + 40)}…`;
    }
    return undefined;
  }
}

/** One of the marks for the four characters from there. */
function markAt(text: string, at: number): number {
  let mark = 0;
  for (let next = at; next < at + 4; next++) mark = Math.imul(mark, 31) + text.charCodeAt(next);
  return mark & (MARKS - 1);
}

function spelled(piece: string): string[] {
  const bytes = Buffer.from(piece);
  const hex = bytes.toString('hex');
  // The base64 text of a piece that does not depend on its neighbours, by the number of bytes before it.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + PIECE) * 8) / 6));
  });
  const pairs = hex.match(/../g) ?? [];
  return [
    piece,
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    pairs.map((pair) => `%${pair}`).join(''),
    pairs.map((pair) => `%${pair.toUpperCase()}`).join(''),
    pairs.map((pair) => `\\u00${pair}`).join(''),
    pairs.map((pair) => `\\\\u00${pair}`).join(''),
  ];
}

/** Every file below a folder, as text, packed ones unpacked. */
export function* filesBelow(folder: string): Generator<{ path: string; text: string }> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield { path, text: unpacked(readFileSync(path)) };
  }
}

function unpacked(bytes: Buffer): string {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (packed ? gunzipSync(bytes) : bytes).toString('latin1');
}
