import { expect, test } from 'vitest';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { blobOf } from './binary-answer.ts';

/** Too short for a part of it to count. */
const SECRET = 'Harbour-8822';
const secrets = new KnownSecrets([SECRET]);
const blob = (bytes: Buffer) =>
  blobOf({ mediaType: 'application/octet-stream', bytes: new Uint8Array(bytes) }, 10_000, (text) =>
    secrets.scrub(text),
  );

const wide = Buffer.from(`key=${SECRET};`, 'utf16le');
const last = Buffer.from(`key=${SECRET}`, 'utf16le');

test.each([
  ['one byte a letter', Buffer.from(`key=${SECRET};`)],
  ['UTF-16', wide],
  ['UTF-16 behind an odd byte', Buffer.concat([Buffer.from([7]), wide])],
  ['UTF-16 with the high byte first', Buffer.from(wide).swap16()],
  ['the same behind an odd byte', Buffer.concat([Buffer.from([7]), Buffer.from(wide).swap16()])],
  ['UTF-16 at the end of the file', last],
  ['the same with the high byte first', Buffer.from(last).swap16()],
  ['both behind an odd byte', Buffer.concat([Buffer.from([7]), Buffer.from(last).swap16()])],
])('bytes that hold a credential of the router stay away: %s', (_, bytes) => {
  expect(blob(bytes)).toEqual({ left_out: 'it holds a credential of this router' });
});

test('others come', () => {
  expect(blob(Buffer.from('key=another;', 'utf16le'))).toMatchObject({ blob: expect.any(String) });
});
