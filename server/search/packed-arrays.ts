/**
 * Arrays of numbers as one file, each on 8 bytes, behind a table of their lengths. It is read whole in one go and used
 * where it lies: nothing is parsed and nothing copied.
 */
type Part = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** The next array of the file, of the type that it was packed with. */
export type Next = <T extends Part>(Type: ArrayOf<T>) => T;
type ArrayOf<T> = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T;

/** @param magic tells this kind of file; `size` is a number of the caller's */
export function packArrays(magic: number, size: number, parts: readonly Part[]): Buffer {
  const head = new Uint32Array([magic, size, ...parts.map(({ length }) => length)]);
  return Buffer.concat([head, ...parts].map(padded));
}

/** @param count of the arrays, which `next` answers in their order */
export function unpackArrays(file: Buffer, count: number): { magic: number; size: number; next: Next } {
  // Typed views need a start on 8 bytes, which a pooled Buffer does not promise.
  const own = file.byteOffset % 8 === 0 ? file : new Uint8Array(file);
  const { buffer, byteOffset } = own;
  const head = new Uint32Array(buffer, byteOffset, 2 + count);
  let at = byteOffset + padding(head.byteLength);
  let part = 2;
  const next: Next = (Type) => {
    const view = new Type(buffer, at, head[part++] as number);
    at += padding(view.byteLength);
    return view;
  };
  return { magic: head[0] as number, size: head[1] as number, next };
}

const padding = (length: number) => Math.ceil(length / 8) * 8;

function padded(part: Part): Buffer {
  const whole = Buffer.alloc(padding(part.byteLength));
  whole.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  return whole;
}
