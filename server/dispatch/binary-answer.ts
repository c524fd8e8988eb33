/** A binary answer as MCP carries it: a description for the model, and the bytes as an embedded resource beside it. */
import { type BinaryBody, describeBinary } from '../outbound/binary-body.ts';

/** An embedded resource of MCP with the bytes in base64. */
export interface Blob {
  uri: string;
  mimeType: string;
  blob: string;
}

/**
 * The resource, or why there is none: the bytes in base64 are longer than an answer may be, or hold a value that must not
 * leave, which cannot be masked in them.
 */
export function blobOf(
  body: BinaryBody,
  maxBytes: number,
  scrub: (text: string) => string,
): Blob | { left_out: string } {
  const { mediaType, bytes } = body;
  const length = 4 * Math.ceil(bytes.byteLength / 3);
  if (length > maxBytes)
    return { left_out: `its ${length} bytes in base64 are more than SVC_MCP_ROUTER_RESPONSE_MAX_BYTES (${maxBytes})` };
  const buffer = Buffer.from(bytes);
  if (textsIn(buffer).some((text) => scrub(text) !== text)) return { left_out: 'it holds a credential of this router' };
  return {
    uri: `svc-mcp://answer/sha256/${describeBinary(body).sha256}`,
    mimeType: mediaType,
    blob: buffer.toString('base64'),
  };
}

/**
 * As text of one byte a character, and of two: many files hold UTF-16, which begins at either byte and has either byte first. With one
 * byte more, so that the last letter counts wherever it begins.
 */
function textsIn(bytes: Buffer): string[] {
  const padded = Buffer.concat([bytes, Buffer.alloc(1)]);
  // `Buffer.toString('utf16le')` of Node 24.21 writes past its memory for bytes that begin at an odd address.
  const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });
  return [bytes.toString('latin1'), utf16.decode(padded), utf16.decode(padded.subarray(1))];
}
