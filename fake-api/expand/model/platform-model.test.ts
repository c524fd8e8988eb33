import { describe, expect, test } from 'vitest';
import { readAsync, readStage } from './async-model.ts';
import { readAuth } from './auth-model.ts';
import { readErrors } from './error-model.ts';
import { parseModel, type Spot } from './model-file.ts';
import { readStyle } from './style-model.ts';

const spot = (text: string): Spot => parseModel(text, 'demo/platform.yaml');

describe('auth', () => {
  test.each([
    'kind: oauth2-client-credentials\ntoken: /token\nlifetime: 600\nworkspace-header: X-Workspace-Id',
    'kind: bearer',
    'kind: token-header\nheader: Authorization\nprefix: "Token "',
    'kind: token-header\nheader: X-Auth-Token\nprefix: ""',
    'kind: login-token\nlogin: /login\nlogout: /logout\nheader: AuthToken\nlifetime: 600',
    'kind: session\nlogin: /login\nlogout: /logout\nquery: uid\nheader: X-Csrf\nlifetime: 600',
  ])('is read: %s', (text) => {
    const { kind } = readAuth(spot(text));
    expect(text).toContain(`kind: ${kind}`);
  });

  test('refuses a key of another kind, and names the one that is missing', () => {
    expect(() => readAuth(spot('kind: bearer\nlifetime: 5'))).toThrow('got the key "lifetime"');
    expect(() => readAuth(spot('kind: session\nlogin: /a'))).toThrow('expected the key logout beside kind: session');
  });
});

describe('a style', () => {
  test('names what stands around a list and how it is paged', () => {
    const { list, search } = readStyle(
      'cloud',
      spot(
        'list: {property: null, paging: page, first: 1, parameters: {page: page_number}, headers: {X-Page-Total: total}, filter: wildcard, sort: signed}\nsearch: {method: get, list: {property: results, paging: cursor, extras: {found: total}}}',
      ),
    );
    expect(list).toMatchObject({ property: null, first: 1, parameters: { page: 'page_number', limit: 'limit' } });
    expect([...list.headers]).toEqual([['X-Page-Total', 'total']]);
    expect(search.list).toMatchObject({ property: 'results', paging: 'cursor', filter: 'wildcard' });
    expect([...search.list.extras]).toEqual([['found', 'total']]);
  });

  test('refuses properties beside a bare array, and a meaning that no list has', () => {
    expect(() => readStyle('x', spot('list: {property: null, extras: [total]}'))).toThrow(
      'expected headers rather than extras',
    );
    expect(() => readStyle('x', spot('list: {extras: {sum: amount}}'))).toThrow('expected one of count, total');
    expect(() => readStyle('x', spot('list: {paging: offset, first: 7}'))).toThrow('expected first: 0 or 1');
  });

  test('says how a delete and a set answer', () => {
    expect(readStyle('x', spot('delete: {body: task}')).delete).toEqual({ status: 202, body: 'task' });
    expect(readStyle('x', spot('set: {field: _action}')).set).toMatchObject({ add: 'add', status: 200 });
  });
});

describe('errors, tasks and the stage', () => {
  test('a body maps properties to meanings, plain text needs no object', () => {
    expect(readErrors(spot('schema: null\nmedia: text/plain')).schema).toBeNull();
    expect(() => readErrors(spot('schema: null'))).toThrow('expected an object beside media application/json');
    expect([...readErrors(spot('schema: P\nbody: {detail: message}')).body]).toEqual([['detail', 'message']]);
  });

  const task =
    'started: S\npolled: P\nparameter: {id: "uuid -- Number"}\nstates: [A, B]\nterminal: [B]\nfield: status\n';

  test('a poll of one path for all tasks needs its own words', () => {
    expect(readAsync(spot(task)).poll).toBe('{action}/async-operations/{id}');
    expect(() => readAsync(spot(`${task}poll: /tasks/{id}`))).toThrow('expected the key id');
    expect(() => readAsync(spot(`${task}poll: /tasks/{key}`))).toThrow('expected a path that holds {id}');
    const words = 'id: [Task, Tasks]\nnoun: [task, tasks]\nquestions: [is it done]';
    expect(readAsync(spot(`${task}poll: /tasks/{id}\n${words}`)).shared).toMatchObject({ singular: 'Task' });
  });

  test('a stage has a key or none, and a view or none', () => {
    expect(readStage(spot('key: null'))).toEqual({ key: null, view: null });
    expect(readStage(spot('key: id\nview: {parameter: type, edited: staging, committed: deployed}'))).toMatchObject({
      view: { committed: 'deployed' },
    });
    expect(() => readStage(spot('view: {parameter: type}'))).toThrow('expected the key edited');
  });
});
