/** What a change does to a thing, by the media type of its body: fields, a merge patch (RFC 7396) or steps (RFC 6902). */
import { describe, expect, it } from 'vitest';
import {
  answering,
  type ForeignTestbed,
  foreignDocument,
  foreignTestbed,
  jsonBody,
  type Part,
} from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const moment = { type: 'string', format: 'date-time' };
const place: Part = { type: 'object', properties: { x: number, y: number, floor: { ...text, readOnly: true } } };
const task: Part = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { ...number, readOnly: true },
    name: text,
    note: text,
    place,
    tags: { type: 'array', items: text },
    createdAt: { ...moment, readOnly: true },
  },
};
const MERGE = { 'content-type': 'application/merge-patch+json' };
const STEPS = { 'content-type': 'application/json-patch+json' };

/** Tasks that are changed with these bodies. */
function tasks(bodies: Part = {}, shown = task): Promise<ForeignTestbed> {
  const content = {
    'application/json': { schema: { type: 'object' } },
    'application/merge-patch+json': { schema: { type: 'object' } },
    'application/json-patch+json': { schema: { type: 'array' } },
    ...bodies,
  };
  return foreignTestbed(
    foreignDocument({
      '/tasks': { get: answering({ type: 'array', items: shown }) },
      '/tasks/{taskId}': {
        parameters: [{ name: 'taskId', in: 'path', required: true, schema: number }],
        get: answering(shown),
        patch: { requestBody: { content }, ...answering(shown) },
        put: { requestBody: jsonBody(shown), ...answering(shown) },
        delete: { responses: { 204: { description: '' } } },
      },
    }),
  );
}

/** A task of the list as it is, its address and changes of it. */
async function oneTask(testbed: ForeignTestbed) {
  const [before] = testbed.call('GET', '/tasks').body;
  const at = `/tasks/${before.id}`;
  const read = () => testbed.call('GET', at).body;
  const patch = (body: unknown, media: Record<string, string>) => testbed.call('PATCH', at, body, media);
  return { before, at, read, patch };
}

describe('a merge patch', () => {
  it('takes away what is null, merges objects and replaces all else', async () => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    const answered = patch({ note: null, place: { x: 900_001 }, tags: ['a', 'b'] }, MERGE);
    const { note: _note, ...rest } = before;
    const after = { ...rest, place: { ...before.place, x: 900_001 }, tags: ['a', 'b'] };
    expect(answered).toMatchObject({ status: 200, body: after });
    expect(read()).toEqual(after);
    patch({ place: { y: null } }, MERGE);
    expect(read().place).toEqual({ x: 900_001, floor: before.place.floor });
  });

  it('is refused where a required field would be gone, and changes nothing', async () => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    expect(patch({ name: null, note: 'new' }, MERGE).status).toBe(422);
    expect(read()).toEqual(before);
  });
});

describe('a change by fields', () => {
  it('merges objects and replaces all else; what it does not say stays', async () => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    const after = { ...before, place: { ...before.place, x: 900_001 }, tags: ['a'] };
    expect(patch({ place: { x: 900_001 }, tags: ['a'] }, {})).toMatchObject({ status: 200, body: after });
    expect(read()).toEqual(after);
  });

  it('keeps nothing of another form of the value', async () => {
    const form = (kind: string, name: string) => ({
      type: 'object',
      required: ['kind', name],
      properties: { kind: { const: kind }, [name]: text },
      additionalProperties: false,
    });
    const login = { oneOf: [form('password', 'user'), form('certificate', 'subject')] };
    await using testbed = await tasks({}, { ...task, properties: { ...(task['properties'] as Part), login } });
    const { read, patch } = await oneTask(testbed);
    patch({ login: { kind: 'password', user: 'ann' } }, {});
    patch({ login: { kind: 'certificate', subject: 'CN=ann' } }, {});
    expect(read().login).toEqual({ kind: 'certificate', subject: 'CN=ann' });
  });
});

describe('steps', () => {
  it.each([
    ['a test fails', [{ op: 'test', path: '/name', value: 'another' }], 409],
    ['a place is not there', [{ op: 'remove', path: '/nothing/here' }], 422],
    ['an entry is past the end', [{ op: 'add', path: '/tags/99', value: 'z' }], 422],
    ['a value does not fit', [{ op: 'replace', path: '/name', value: 42 }], 422],
  ])('are all left undone where %s', async (_, steps, status) => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    expect(patch([{ op: 'add', path: '/note', value: 'first' }, ...steps], STEPS).status).toBe(status);
    expect(read()).toEqual(before);
  });

  it('move, copy, test and replace', async () => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    const steps = [
      { op: 'test', path: '/name', value: before.name },
      { op: 'copy', from: '/name', path: '/note' },
      { op: 'add', path: '/tags', value: ['a', 'b', 'c'] },
      { op: 'move', from: '/tags/2', path: '/tags/0' },
      { op: 'replace', path: '/tags/1', value: 'A' },
      { op: 'remove', path: '/tags/2' },
    ];
    expect(patch(steps, STEPS).status).toBe(200);
    expect(read()).toEqual({ ...before, note: before.name, tags: ['c', 'A'] });
  });
});

describe('the key and what is readOnly', () => {
  it.each([
    ['fields', { id: 5, createdAt: '2001-01-01T00:00:00Z', name: 'new' }, {}],
    ['a merge patch', { id: null, createdAt: '2001-01-01T00:00:00Z', place: { floor: 'other' }, name: 'new' }, MERGE],
    [
      'steps',
      [
        { op: 'remove', path: '/id' },
        { op: 'remove', path: '/createdAt' },
        { op: 'replace', path: '/name', value: 'new' },
      ],
      STEPS,
    ],
  ])('stay through a change by %s', async (_, body, media) => {
    await using testbed = await tasks();
    const { before, read, patch } = await oneTask(testbed);
    expect(patch(body, media)).toMatchObject({ status: 200, body: { ...before, name: 'new' } });
    expect(read()).toEqual({ ...before, name: 'new' });
    expect(testbed.call('GET', '/tasks').body[0]).toEqual({ ...before, name: 'new' });
  });

  it('stay when the thing is replaced, and all else goes', async () => {
    await using testbed = await tasks();
    const { before, at, read } = await oneTask(testbed);
    const after = { id: before.id, name: 'new', createdAt: before.createdAt };
    expect(testbed.call('PUT', at, { name: 'new' })).toMatchObject({ status: 200, body: after });
    expect(testbed.call('PUT', at, { name: 'new', createdAt: '2001-01-01T00:00:00Z' }).body).toEqual(after);
    expect(read()).toEqual(after);
  });

  it('stay with what the body has no place for when the thing is replaced', async () => {
    const shown = {
      type: 'object',
      required: ['id', 'name', 'state', 'made'],
      properties: { id: number, name: text, note: text, state: { enum: ['on', 'off', 'lost'] }, made: moment },
    };
    const at = { name: 'taskId', in: 'path', required: true, schema: number };
    const body = jsonBody({ type: 'object', properties: { name: text, note: text } });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/tasks': { get: answering({ type: 'array', items: shown }) },
        '/tasks/{taskId}': { parameters: [at], get: answering(shown), put: { requestBody: body, ...answering(shown) } },
      }),
    );
    for (const { id, state, made } of testbed.call('GET', '/tasks').body) {
      const place = `/tasks/${id}`;
      testbed.call('PUT', place, { name: 'old', note: 'gone after the next one' });
      expect(testbed.call('PUT', place, { name: 'new' }).body).toEqual({ id, name: 'new', state, made });
    }
  });

  it('stay with all else where a PUT takes no body', async () => {
    const at = { name: 'taskId', in: 'path', required: true, schema: number };
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/tasks': { get: answering({ type: 'array', items: task }) },
        '/tasks/{taskId}': { parameters: [at], get: answering(task), put: answering(task) },
      }),
    );
    const { before, at: place, read } = await oneTask(testbed);
    expect(testbed.call('PUT', place)).toMatchObject({ status: 200, body: before });
    expect(read()).toEqual(before);
  });

  it('are no part of what is made, whoever sends them', async () => {
    const made = { 201: { description: '', content: { 'application/json': { schema: task } } } };
    const at = { name: 'taskId', in: 'path', required: true, schema: number };
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/tasks': {
          get: answering({ type: 'array', items: task }),
          post: { requestBody: jsonBody(task), responses: made },
        },
        '/tasks/{taskId}': {
          parameters: [at],
          get: answering(task),
          put: { requestBody: jsonBody(task), ...answering(task) },
          delete: { responses: { 204: { description: '' } } },
        },
      }),
    );
    const sent = { id: 5, name: 'new', createdAt: '2001-01-01T00:00:00Z' };
    const { body } = testbed.call('POST', '/tasks', sent);
    expect(body).toEqual({ id: expect.any(Number), name: 'new', createdAt: '2026-03-02T09:00:00Z' });
    expect(body.id).not.toBe(5);
    testbed.call('DELETE', `/tasks/${body.id}`);
    const again = { id: body.id, name: 'new', createdAt: '2026-03-02T09:00:02Z' };
    expect(testbed.call('PUT', `/tasks/${body.id}`, sent).body).toEqual(again);
  });

  it('say when the thing was made and changed', async () => {
    const note: Part = {
      type: 'object',
      properties: { id: number, name: text, created_at: moment, lastModified: moment, updated_at: moment },
    };
    const body = jsonBody({ type: 'object', properties: { name: text, updated_at: moment } });
    const made = { 201: { description: '', content: { 'application/json': { schema: note } } } };
    const at = { name: 'id', in: 'path', required: true, schema: number };
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/notes': { get: answering({ type: 'array', items: note }), post: { requestBody: body, responses: made } },
        '/notes/{id}': { parameters: [at], get: answering(note), patch: { requestBody: body, ...answering(note) } },
      }),
    );
    const first = testbed.call('POST', '/notes', { name: 'new' }).body;
    const now = (second: number) => `2026-03-02T09:00:0${second}Z`;
    expect(first).toEqual({ id: first.id, name: 'new', created_at: now(0), lastModified: now(0) });
    testbed.call('PATCH', `/notes/${first.id}`, { name: 'other', updated_at: '2020-01-01T00:00:00Z' });
    const after = { ...first, name: 'other', lastModified: now(1), updated_at: '2020-01-01T00:00:00Z' };
    expect(testbed.call('GET', `/notes/${first.id}`).body).toEqual(after);
  });

  it('begin anew where a removed thing is made again', async () => {
    await using testbed = await tasks();
    const { at, read } = await oneTask(testbed);
    testbed.call('PUT', at, { name: 'old', place: { x: 1 } });
    testbed.call('DELETE', at);
    expect(testbed.call('PUT', at, { name: 'new' }).status).toBe(200);
    expect(read()).toMatchObject({ name: 'new' });
    expect(read().place).toBeUndefined();
  });

  it('is changed where the body may have it, whatever the schema of a read says', async () => {
    const reads = { ...task, properties: { ...(task['properties'] as Part), note: { ...text, readOnly: true } } };
    const schema = { type: 'object', properties: { note: text } };
    await using testbed = await tasks({ 'application/json': { schema } }, reads);
    const { read, patch } = await oneTask(testbed);
    patch({ note: 'ours' }, {});
    expect(read().note).toBe('ours');
  });
});
