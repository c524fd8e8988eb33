/** What a platform names new things where the document leaves few names: every one of them is used, and then no more are made. */
import { describe, expect, it } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

/** Slots whose path takes this key. */
function slots(key: Part, more: Part = {}): Part {
  // A word of a list is a key in a path alone.
  const { enum: _listed, ...id } = key;
  const slot = { type: 'object', required: ['id'], properties: { id, label: { type: 'string' } } };
  return foreignDocument({
    '/slots': {
      get: answering({ type: 'array', items: slot }, { parameters: [{ name: 'limit', in: 'query', schema: {} }] }),
      post: {
        requestBody: jsonBody({ type: 'object', properties: { label: { type: 'string' } } }),
        responses: { 201: { description: '', content: { 'application/json': { schema: slot } } }, ...more },
      },
    },
    '/slots/{slotId}': {
      parameters: [{ name: 'slotId', in: 'path', required: true, schema: key }],
      get: answering(slot),
      delete: { responses: { 204: { description: '' } } },
    },
  });
}

describe('a new thing', () => {
  it.each([
    ['whole numbers of a range', { type: 'integer', minimum: 1, maximum: 8 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['steps of a range', { type: 'integer', exclusiveMinimum: 0, maximum: 50, multipleOf: 10 }, [10, 20, 30, 40, 50]],
    ['listed words', { type: 'string', enum: ['blue', 'green', 'red', 'teal'] }, ['blue', 'green', 'red', 'teal']],
  ])('takes every key there is, then is refused: %s', async (_, key, all: unknown[]) => {
    await using testbed = await foreignTestbed(slots(key, { 422: { description: 'full' } }));
    let last = 201;
    for (let at = 0; at <= all.length && last === 201; at += 1)
      last = testbed.call('POST', '/slots', { label: `Slot ${at}` }).status;
    expect(last).toBe(422);
    const ids = testbed.call('GET', '/slots?limit=100').body.map(({ id }: { id: unknown }) => id);
    expect(new Set(ids)).toEqual(new Set(all));
    testbed.call('DELETE', `/slots/${all[0]}`);
    expect(testbed.call('POST', '/slots', { label: 'again' })).toMatchObject({ status: 201, body: { id: all[0] } });
  });

  it('is refused as a conflict where the document states no refusal', async () => {
    await using testbed = await foreignTestbed(slots({ type: 'integer', minimum: 1, maximum: 1 }));
    expect(testbed.call('POST', '/slots', { label: 'one more' })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/\/slots: expected room for another thing, got .* all taken/) },
    });
  });

  it('has a number of its own past the thousandth', async () => {
    await using testbed = await foreignTestbed(slots({ type: 'integer' }));
    for (let at = 0; at < 1100; at += 1)
      expect(testbed.call('POST', '/slots', { label: 'one of many' }).status).toBe(201);
    const ids = testbed.call('GET', '/slots?limit=2000').body.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(1103);
  });

  it('has a text of its own as long as there is one that is short enough', async () => {
    await using testbed = await foreignTestbed(slots({ type: 'string', maxLength: 1 }));
    const made = Array.from({ length: 30 }, () => testbed.call('POST', '/slots', { label: 'short' }));
    const ids = made.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(made.at(-1)?.status).toBe(409);
  });
});

describe('an identifier has the form of its example', () => {
  const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
  it.each([
    ['a UUID', '94cc56ab-9f02-409d-9f99-1037e9fe502f', UUID],
    ['hexadecimal digits', '9d385017c611228701d22104cc95c371', /^[\da-f]{32}$/],
    ['a code', 'AB-104407', /^AB-\d{6}$/],
    ['not where too few would be left', 'slot-7', /^value-\d+$/],
    ['not that of a word', 'blue', /^value-\d+$/],
  ])('%s', async (_, example, form) => {
    await using testbed = await foreignTestbed(slots({ type: 'string', example }));
    testbed.call('POST', '/slots', { label: 'new' });
    const ids: string[] = testbed.call('GET', '/slots?limit=100').body.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(form);
  });

  it('also where an example is all that is known of the answer', async () => {
    const note = { id: '94cc56ab-9f02-409d-9f99-1037e9fe502f', text: 'hello' };
    const response = { description: '', content: { 'application/json': { example: [note] } } };
    await using testbed = await foreignTestbed(
      foreignDocument({ '/notes': { get: { responses: { 200: response } } } }),
    );
    const ids: string[] = testbed.call('GET', '/notes').body.map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(1);
    for (const id of ids) expect(id).toMatch(UUID);
  });
});
