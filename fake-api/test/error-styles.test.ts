/** Refusals and limits as each platform tells them. */
import { describe, expect, it } from 'vitest';
import { judgedTestbed } from './judged-testbed.ts';
import type { ModelTestbed } from './model-testbed.ts';

const keys = [
  'keys:',
  '  noun: [key, keys]',
  '  aliases: [opener]',
  '  questions: [who has a key]',
  '  distinguish: metal, not a card',
  '  impact: a door stays shut',
  '  key: tag str(1..9) -- Number on the key',
  '  ops: LGCPD',
  '  fields:',
  '    doors: int(1..9)! -- Doors it opens',
  '    ring: obj(Ring) -- Where it hangs',
].join('\n');

function testbedOf(errors: string, problem: string | null, parts: Record<string, string> = {}): ModelTestbed {
  const shapes = ['Ring: {colour: "enum(red|blue) -- Colour of the ring"}', ...(problem === null ? [] : [problem])];
  return judgedTestbed(keys, 'list: {paging: none}', { errors, objects: `\n  ${shapes.join('\n  ')}`, ...parts });
}

const codes = 'always: [400, 401, 429], item: [404], write: [409, 422]';

describe('a refusal', () => {
  it('is a problem document with one message per field', () => {
    const testbed = testbedOf(
      `{schema: Problem, media: application/problem+json, body: {type: type, title: title, status: status, detail: message, validation_messages: fields}, ${codes}}`,
      'Problem: {type: "url! -- Kind", title: "str! -- Status in words", status: "int! -- Status", detail: "str! -- What came", validation_messages: "map(str) -- By field"}',
    );
    const refused = testbed.call('POST', '/api/keys', { tag: 'k1', doors: 1, ring: { colour: 'green' } });
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect(refused.json).toMatchObject({
      title: 'Bad Request',
      status: 400,
      validation_messages: { 'ring.colour': expect.stringContaining('expected one of red, blue') },
    });
    expect(testbed.call('GET', '/api/keys/k9').json).not.toHaveProperty('validation_messages');
  });

  it('is a list of details that name the failing parameter', () => {
    const testbed = testbedOf(
      `{schema: Fault, body: {code: code, details: field-list, where: pointer}, ${codes}}`,
      'Detail: {field: "str -- Name", message: "str -- Reason"}\n  Fault: {code: "str! -- Code", details: "obj(Detail)[] -- What failed", where: "str -- Pointer"}',
    );
    expect(testbed.call('GET', '/api/keys?colour=red').json).toEqual({
      code: 'UNKNOWN_PARAMETER',
      details: [{ field: 'colour', message: expect.stringContaining('unknown name') }],
      where: '/colour',
    });
  });

  it('is plain text and nothing else', () => {
    const testbed = testbedOf(`{schema: null, media: text/plain, ${codes}}`, null);
    const refused = testbed.call('GET', '/api/keys/k9');
    expect([refused.status, refused.headers['content-type']]).toEqual([404, 'text/plain']);
    expect(refused.body).toContain('keys entry "k9": expected an existing one');
    expect(testbed.call('GET', '/api/nowhere').headers['content-type']).toBe('text/plain');
  });
});

describe('a limit', () => {
  const errors = `{schema: null, media: text/plain, ${codes}}`;

  it('of one minute is over after a minute, without headers where the platform has none', () => {
    const testbed = testbedOf(errors, null, { 'rate-limit': '{limit: 2, per: minute}' });
    testbed.state.enforced = true;
    testbed.call('GET', '/api/keys');
    testbed.call('GET', '/api/keys');
    const refused = testbed.call('GET', '/api/keys');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.body).toContain('calls per minute: expected at most 2');
    expect(Object.keys(refused.headers).filter((name) => name.startsWith('x-'))).toEqual([]);
    testbed.state.clock.advance(60);
    expect(testbed.call('GET', '/api/keys').status).toBe(200);
  });

  it('is announced under the names of the platform, and absent where there is none', () => {
    const announced = testbedOf(errors, null, {
      'rate-limit': '{limit: 9, per: second, headers: {Quota-Remaining: Calls left}}',
    });
    expect(announced.call('GET', '/api/keys').headers).toMatchObject({ 'quota-remaining': '8' });
    const free = testbedOf(errors, null);
    free.state.enforced = true;
    for (let at = 0; at < 20; at += 1) expect(free.call('GET', '/api/keys').status).toBe(200);
  });
});
