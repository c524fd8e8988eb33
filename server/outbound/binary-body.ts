/** Answers that are no text: images, archives, documents. Their bytes go on as they are, and a description stands for them. */
import { createHash } from 'node:crypto';

export interface BinaryBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type without its parameters. */
  mediaType: string;
}

/** What stands in an answer for a body that is no text. */
export interface BinaryDescription {
  content_type: string;
  bytes: number;
  sha256: string;
}

const STRICT = new TextDecoder('utf-8', { fatal: true });
/** Types whose charset parameter says how to read them. */
const TEXTUAL = /^text\/|json|xml|yaml|javascript|csv|x-www-form-urlencoded/i;

/** The bytes, where they are no text; undefined where they can be read as one. */
export function binaryOf(bytes: Uint8Array<ArrayBuffer>, contentType: string): BinaryBody | undefined {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream';
  if (bytes.byteLength === 0 || TEXTUAL.test(mediaType)) return undefined;
  if (!bytes.includes(0) && isUtf8(bytes)) return undefined;
  return { bytes, mediaType: /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream' };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function describeBinary({ bytes, mediaType }: BinaryBody): BinaryDescription {
  return {
    content_type: mediaType,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
