import { expect, test } from 'vitest';
import { Utf8Lines } from './utf8-lines.ts';

function lines() {
  const refused: (string | undefined)[] = [];
  const passed: Buffer[] = [];
  const input = new Utf8Lines((answer) => refused.push(answer));
  input.on('data', (chunk: Buffer) => passed.push(chunk));
  return { input, refused, text: () => Buffer.concat(passed).toString() };
}
const latin = (text: string) => Buffer.from(text, 'latin1');

test('a message that is not UTF-8 is left out and answered, and those around it are passed on', async () => {
  const { input, refused, text } = lines();
  const sound = '{"id":1,"a":"é 主"}\n';
  const bytes = Buffer.concat([
    Buffer.from(sound),
    latin('{"id":2,"name":"café"}\n{"method":"é"}\né\n{"id":null,"a":"é"}\n'),
    Buffer.from(sound),
  ]);
  // Cut anywhere, also within a character.
  for (const byte of bytes) input.write(Buffer.of(byte));
  input.write(bytes);
  input.end();
  await new Promise((resolve) => input.on('end', resolve));
  expect(text()).toBe(sound.repeat(4));
  const answer =
    '{"jsonrpc":"2.0","id":2,"error":{"code":-32700,"message":"Parse error: the message should be UTF-8, got other bytes"}}';
  expect(refused).toEqual([answer, undefined, undefined, undefined, answer, undefined, undefined, undefined]);
});

test('a line that never ends is left to who reads it', () => {
  const { input, text } = lines();
  for (let sent = 0; sent < 11; sent++) input.write(Buffer.alloc(1024 * 1024, 'a'));
  expect(text().length).toBe(11 * 1024 * 1024);
});
