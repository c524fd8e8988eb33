/** Bodies with files (RFC 7578, and OpenAPI 3.1, 4.8.14.2). The same values and files give the same bytes, so what a digest covers is what is sent. */
import { createHash } from 'node:crypto';
import type { FieldEncoding, ToolBody } from '../catalog/tool.ts';
import { quoted } from '../telemetry/invisible.ts';
import type { Payload } from './payload.ts';
import { fieldStyle, givenFields, queryParts, valueText } from './serialise-parameter.ts';
import { MOST_REQUEST_BYTES, readUpload, type UploadFile } from './upload-folder.ts';

/** A file as a preview names it. */
export interface ShownFile {
  field: string;
  file: string;
  bytes: number;
  sha256: string;
}

/** `names` are those of the parts. */
export type Encoded =
  | { payload: Payload; files: ShownFile[]; names: string[] }
  | { pointer: string; expected: string; got: string };

interface Part {
  name: string;
  contentType?: string;
  value: string | UploadFile;
}

/** The body of a call whose operation takes files. `folder` is undefined where the operator named none. */
export function uploadPayload(body: unknown, tool: ToolBody, folder: string | undefined): Encoded {
  if (tool.file) return wholeFile(String(body), tool.contentType, folder);
  const parts: Part[] = [];
  let bytesLeft = MOST_REQUEST_BYTES;
  for (const [name, value] of givenFields(body as object, tool.encoding)) {
    const encoding = tool.encoding?.find((one) => one.name === name);
    if (!tool.files?.includes(name)) {
      parts.push(...valueParts(name, value, encoding));
      continue;
    }
    for (const path of [value].flat()) {
      const read = readUpload(folder, String(path));
      if ('expected' in read)
        return { pointer: `/body/${name}`, ...read, got: JSON.stringify(String(path).slice(0, 200)) };
      bytesLeft -= read.bytes.byteLength;
      if (bytesLeft < 0)
        return {
          pointer: `/body/${name}`,
          expected: `should keep the files of a request below ${MOST_REQUEST_BYTES} bytes together`,
          got: 'more',
        };
      parts.push({ name, contentType: fileType(encoding?.contentType ?? '', read.name), value: read });
    }
  }
  const boundary = `svc-${createHash('sha256')
    .update(JSON.stringify(parts.map(describable)))
    .digest('hex')
    .slice(0, 40)}`;
  const bytes = Buffer.concat([...parts.map((part) => partBytes(part, boundary)), Buffer.from(`--${boundary}--\r\n`)]);
  const text = parts.map(partLine).join('\n');
  return {
    payload: { contentType: `multipart/form-data; boundary=${boundary}`, text, bytes },
    files: shown(parts),
    names: parts.map(({ name }) => name),
  };
}

function wholeFile(path: string, stated: string, folder: string | undefined): Encoded {
  const read = readUpload(folder, path);
  if ('expected' in read) return { pointer: '/body', ...read, got: JSON.stringify(path.slice(0, 200)) };
  const contentType = stated.includes('*') ? fileType(stated, read.name) : stated;
  const part = { name: 'body', contentType, value: read };
  return { payload: { contentType, text: partLine(part), bytes: read.bytes }, files: shown([part]), names: [] };
}

const shown = (parts: readonly Part[]): ShownFile[] =>
  parts.flatMap(({ name, value }) =>
    typeof value === 'string'
      ? []
      : [{ field: name, file: value.path, bytes: value.bytes.byteLength, sha256: value.sha256 }],
  );

/** Endings of file names that differ from the subtype of their media type (IANA, media types). */
const SUBTYPES = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['svg', 'svg+xml'],
  ['ico', 'vnd.microsoft.icon'],
  ['mp3', 'mpeg'],
  ['mpg', 'mpeg'],
  ['mov', 'quicktime'],
]);
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const RANGE = /^(?:image|audio|video|font|model)\/(?=\*$)/i;

/**
 * The type of a file, of a list of media types that the document offers: the one with the file's ending, else the first without a
 * wildcard, else that of the ending in a range such as `image/*`.
 */
function fileType(offered: string, file: string): string {
  const types = offered.split(',').map((type) => type.trim());
  const ending = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  const subtype = SUBTYPES.get(ending) ?? ending;
  const plain = types.filter((type) => PLAIN_TYPE.test(type));
  const named = plain.find((type) => type.toLowerCase().endsWith(`/${subtype}`)) ?? plain[0];
  if (named !== undefined) return named;
  const [range] = types.flatMap((type) => RANGE.exec(type) ?? []);
  return range !== undefined && subtype !== '' ? `${range}${subtype}` : 'application/octet-stream';
}

/** A list is several parts, an object and a list in a list are JSON, and a `style` writes as in a form. */
function valueParts(name: string, value: unknown, encoding: FieldEncoding | undefined): Part[] {
  if (encoding?.style !== undefined)
    return queryParts(fieldStyle(name, value, [encoding]), value).map((pair) => {
      const at = pair.indexOf('=');
      return { name: decodeURIComponent(pair.slice(0, at)), value: decodeURIComponent(pair.slice(at + 1)) };
    });
  const stated = encoding?.contentType ?? '';
  const json = /json/i.test(stated);
  return Array.isArray(value) && !json
    ? value.map((entry) => valuePart(name, entry, stated))
    : [valuePart(name, value, stated)];
}

/** Of a text the type that the document states, where that is one. */
function valuePart(name: string, value: unknown, stated: string): Part {
  const json = /json/i.test(stated);
  const structured = typeof value === 'object' && value !== null;
  const contentType = json || structured ? 'application/json' : PLAIN_TYPE.test(stated) ? stated : undefined;
  const text = json ? JSON.stringify(value) : valueText(value);
  return { name, value: text, ...(contentType === undefined ? {} : { contentType }) };
}

const describable = ({ name, contentType, value }: Part) => [
  name,
  contentType,
  typeof value === 'string' ? value : [value.name, value.sha256],
];

/** Names in a part are percent-encoded where they would end it (WHATWG HTML, multipart/form-data). */
const escaped = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function partBytes({ name, contentType, value }: Part, boundary: string): Buffer {
  const file = typeof value === 'string' ? '' : `; filename="${escaped(value.name)}"`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n${type}\r\n`;
  return Buffer.concat([
    Buffer.from(head),
    typeof value === 'string' ? Buffer.from(value) : value.bytes,
    Buffer.from('\r\n'),
  ]);
}

/** One line for the person: a value as it is sent, a file by its name, size and digest. */
function partLine({ name, contentType, value }: Part): string {
  const type = contentType === undefined ? '' : ` (${contentType})`;
  if (typeof value === 'string') return `${quoted(name)}${type}: ${quoted(value)}`;
  return `${quoted(name)}${type}: file ${quoted(value.path)}, ${value.bytes.byteLength} bytes, SHA-256 ${value.sha256}`;
}
