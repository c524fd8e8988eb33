import { describe, expect, test } from 'vitest';
import { type Classifiable, classify } from './classify.ts';

const cell = (method: string, path: string, operationId: string | null = null, declared?: string) =>
  classify({ method, path, operationId, declared, foreign: false });
const foreign = (method: string, path: string, operationId: string | null = null, more: Partial<Classifiable> = {}) =>
  classify({ method, path, operationId, foreign: true, ...more });

describe('by method', () => {
  test.each([
    ['GET', 'read'],
    ['HEAD', 'read'],
    ['POST', 'write'],
    ['PUT', 'write'],
    ['PATCH', 'write'],
    ['DELETE', 'destructive'],
  ])('%s is %s', (method, capability) => {
    expect(cell(method, '/sites/{id}')).toMatchObject({ capability, evidence: { by: 'method', detail: method } });
  });

  test('a method without a rule is destructive and reported', () => {
    expect(cell('LINK', '/sites')).toMatchObject({
      capability: 'destructive',
      evidence: { by: 'unknown' },
      note: expect.stringContaining('LINK /sites'),
    });
  });
});

describe('by word', () => {
  test.each([
    ['POST', '/clients/search', 'searchClients', 'read'],
    ['POST', '/clients/search', null, 'read'],
    ['POST', '/devices/{id}/ping', 'pingDevice', 'diagnostic'],
    ['POST', '/devices/{id}/ping', null, 'diagnostic'],
    ['POST', '/devices/{id}/show-commands', 'showCommands', 'diagnostic'],
    ['POST', '/devices/{id}/reboot', 'rebootDevice', 'destructive'],
    ['POST', '/devices/{id}/factory-reset', null, 'destructive'],
    ['POST', '/certificates/revoke', null, 'destructive'],
    ['GET', '/session/logout', null, 'write'],
    ['GET', '/cache', 'refreshCache', 'write'],
  ])('%s %s (%s) is %s', (method, path, operationId, capability) => {
    expect(cell(method, path, operationId)).toMatchObject({ capability, evidence: { by: 'word' } });
  });

  test.each([
    ['/search-rules', 'createSearchRule'],
    ['/search-rules', null],
    ['/allow-list', null],
    ['/devices/test', 'createTest'],
    ['/export-profiles', 'addExportProfile'],
    ['/search/{id}', null],
  ])('POST %s (%s) stays a write: the word is not its verb', (path, operationId) => {
    expect(cell('POST', path, operationId).capability).toBe('write');
  });
});

describe('by the document', () => {
  test('a POST may be lowered, any operation may be raised', () => {
    expect(cell('POST', '/reports', 'getReport', 'read')).toMatchObject({
      capability: 'read',
      evidence: { by: 'document' },
    });
    expect(cell('POST', '/devices/{id}/swap', 'swapDevice', 'destructive').capability).toBe('destructive');
    expect(cell('GET', '/debug/crash', 'crash', 'destructive').capability).toBe('destructive');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s that calls itself a read is not believed, and said so', (method) => {
    const found = cell(method, '/sites/{id}', 'site', 'read');
    expect(['write', 'destructive']).toContain(found.capability);
    expect(found.note).toContain('declares read');
  });
});

test('an override by hand comes before everything', () => {
  const override = { capability: 'diagnostic', why: 'asks the device and changes nothing' } as const;
  const deleteX = { method: 'DELETE', path: '/x', operationId: 'deleteX', declared: 'destructive' };
  expect(classify({ ...deleteX, foreign: false, override })).toEqual({
    capability: 'diagnostic',
    evidence: { by: 'override', detail: override.why },
  });
  expect(classify({ ...deleteX, foreign: true, override: { ...override, operator: true } }).evidence.by).toBe(
    'operator',
  );
});

describe('a document of a user only raises', () => {
  test.each<[string, string, string | null, string]>([
    ['POST', '/reports', null, 'read'],
    ['POST', '/reports', null, 'diagnostic'],
    ['PUT', '/reports/{id}', null, 'read'],
    ['GET', '/delete/{id}', null, 'read'],
  ])(
    '%s %s (%s) that declares %s stays what its method and words make it, and is said',
    (method, path, id, declared) => {
      const found = foreign(method, path, id, { declared });
      expect(['write', 'destructive']).toContain(found.capability);
      expect(found.note).toMatch(new RegExp(`declares ${declared}, .*--read-operation`));
    },
  );

  test.each([
    ['/clients/search', 'searchClients'],
    ['/graphql/query', 'query'],
    ['/jobs/test', 'testJob'],
    ['/things/export', null],
    ['/devices/{id}/ping', 'pingDevice'],
    ['/lookup', 'lookup'],
    ['/render', null],
    ['/preview', 'previewChange'],
    ['/validate', 'validateConfig'],
    ['/listUsers', 'listUsers'],
  ])('POST %s (%s) is a write', (path, id) => {
    expect(foreign('POST', path, id).capability).toBe('write');
  });

  test.each([
    ['POST', '/devices/{id}/reboot', 'rebootDevice'],
    ['POST', '/devices/factory-reset/{id}', null],
    ['PUT', '/ports/{id}/disable', null],
    ['PATCH', '/users/{id}', 'removeUser'],
    ['POST', '/geraete/loeschen', null],
    ['POST', '/purge;x=/{id}', null],
    ['POST', '/machines/{id}/reinstall', 'reinstallMachine'],
    ['POST', '/servers/{id}/actions/rebuild', null],
    ['POST', '/containers/prune', 'ContainerPrune'],
    ['POST', '/clients/{mac}/kick', null],
    ['PUT', '/groups/{id}/bans/{user}', 'ban_user'],
    ['POST', '/invoices/{id}/void', null],
    ['POST', '/switch/ports/cycle', 'cyclePorts'],
    ['POST', '/trash/empty', null],
    ['POST', '/vms/{id}/deallocate', null],
  ])('%s %s (%s) is raised to destructive', (method, path, id) => {
    expect(foreign(method, path, id).capability).toBe('destructive');
  });

  test.each([
    ['Bulk delete users', ''],
    ['Permanently removes what is in the trash', ''],
    ['Empty trash', 'Permanently delete all documents in the trash.'],
    ['', 'Disables or deletes sessions.'],
  ])('a POST that is called %j and told as %j is destructive', (summary, description) => {
    expect(foreign('POST', '/things/many', null, { summary, description }).capability).toBe('destructive');
  });

  test.each(['Deleted users, restored', 'Upgrades the request to a stream', 'Creates a job that deletes users'])(
    'a POST that is told as %j is a write',
    (description) => {
      expect(foreign('POST', '/things/many', null, { description }).capability).toBe('write');
    },
  );

  test.each([
    ['POST', '/swap', 'destructive'],
    ['GET', '/debug/crash', 'write'],
    ['PUT', '/x', 'destructive'],
  ])('%s %s may call itself %s', (method, path, declared) => {
    expect(foreign(method, path, null, { declared })).toEqual({
      capability: declared,
      evidence: { by: 'document', detail: `x-svc-capability: ${declared}` },
    });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is a word like any other, wherever it stands',
    (word) => {
      const more = {
        declared: word,
        summary: `${word} all`,
        choices: [{ name: word, in: 'query' as const, required: true, values: [word] }],
      };
      expect(foreign('GET', `/${word}`, word, more)).toEqual({
        capability: 'read',
        evidence: { by: 'method', detail: 'GET' },
      });
      expect(foreign(word, `/${word}`, word, more).capability).toBe('destructive');
      expect(foreign('POST', `/${word}`, word, more).capability).toBe('write');
    },
  );
});
