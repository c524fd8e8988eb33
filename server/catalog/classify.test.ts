import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';

const cell = (method: string, path: string, operationId: string | null = null, declared?: string) =>
  classify({ method, path, operationId, declared });

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
  expect(classify({ method: 'DELETE', path: '/x', operationId: 'deleteX', declared: 'destructive', override })).toEqual(
    {
      capability: 'diagnostic',
      evidence: { by: 'override', detail: override.why },
    },
  );
});
