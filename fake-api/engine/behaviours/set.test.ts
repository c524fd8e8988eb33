import { describe, expect, it } from 'vitest';
import { type ModelTestbed, modelTestbed, VLANS } from '../../test/model-testbed.ts';

const PARTS = {
  styles: `
    plain:
      set: {field: _action}
      list: {property: items, paging: none}`,
  errors:
    '{schema: Problem, always: [400, 401], item: [404], write: [409, 422], inside: {codes: [404, 409, 422], status: 200}}',
};
const SETTINGS = `
  clock:
    noun: [clock, clocks]
    aliases: [time settings]
    questions: [which time server is asked]
    distinguish: the clock of the controller
    singleton: true
    ops: GS
    fields: {server: "str(1..40)=one -- Time server", zone: "str(1..40)! -- Time zone"}
`;

function objects(): ModelTestbed {
  return modelTestbed(`${VLANS}    ops: LS\n${SETTINGS}`, PARTS);
}

const verdict = (answer: { json: Record<string, unknown> }) =>
  answer.json['_global_result'] as { status: number; status_str: string };
const rows = (testbed: ModelTestbed) => testbed.call('GET', '/api/vlans').json['items'] as Record<string, unknown>[];

describe('one POST for everything', () => {
  it('adds, changes and deletes as its field says', () => {
    const testbed = objects();
    const added = testbed.call('POST', '/api/vlans', { _action: 'add', name: 'guests', number: 20 });
    expect([added.status, added.json]).toEqual([
      200,
      {
        _global_result: { status: 0, status_str: 'Success' },
        _result: { key: 'guests', action: 'add', status: 0, status_str: 'Success' },
      },
    ]);
    testbed.call('POST', '/api/vlans', { _action: 'modify', name: 'guests', mtu: 9000 });
    expect(rows(testbed)).toMatchObject([{ name: 'guests', number: 20, mtu: 9000, enabled: true }]);
    testbed.call('POST', '/api/vlans', { _action: 'delete', name: 'guests' });
    expect(rows(testbed)).toEqual([]);
  });

  it('without the field adds what is missing and changes what is there', () => {
    const testbed = objects();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans', { name: 'guests', mtu: 9000 });
    expect(rows(testbed)).toMatchObject([{ name: 'guests', number: 20, mtu: 9000 }]);
  });

  it('tells a refusal inside a success, and then nothing happened, not even time', () => {
    const testbed = objects();
    testbed.call('POST', '/api/vlans', { _action: 'add', name: 'guests', number: 20 });
    const before = testbed.state.hash();
    const again = testbed.call('POST', '/api/vlans', { _action: 'add', name: 'guests', number: 30 });
    expect([again.status, verdict(again)]).toEqual([
      200,
      { status: 409, status_str: 'vlans entry "guests": expected a name not in use, got one that exists' },
    ]);
    expect(verdict(testbed.call('POST', '/api/vlans', { _action: 'modify', name: 'ghost', mtu: 9000 })).status).toBe(
      404,
    );
    expect(verdict(testbed.call('POST', '/api/vlans', { _action: 'delete', name: 'ghost' })).status).toBe(404);
    expect(testbed.state.hash()).toBe(before);
  });

  it('is refused by status when it is malformed', () => {
    const testbed = objects();
    const word = testbed.call('POST', '/api/vlans', { _action: 'destroy', name: 'guests' });
    expect([word.status, word.json['message']]).toEqual([
      400,
      'request body at /_action: expected one of add, modify, delete, got "destroy" (string)',
    ]);
    const lacking = testbed.call('POST', '/api/vlans', { _action: 'add', name: 'guests' });
    expect([lacking.status, lacking.json['message']]).toEqual([
      400,
      'field "number": expected a value, it is required when _action is "add", got nothing',
    ]);
    expect(testbed.call('POST', '/api/vlans', { _action: 'delete' }).status).toBe(400);
  });

  it('weighs in the ledger what its field says', () => {
    const testbed = objects();
    testbed.call('POST', '/api/vlans', { _action: 'add', name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans', { _action: 'delete', name: 'guests' });
    testbed.call('POST', '/api/vlans', '{"_action":');
    expect(testbed.records.map((record) => record.capability)).toEqual(['write', 'destructive', 'write']);
  });

  it('changes an object there is always one of', () => {
    const testbed = objects();
    testbed.call('POST', '/api/clock', { zone: 'Europe/Dublin' });
    testbed.call('POST', '/api/clock', { server: 'two' });
    expect(testbed.call('GET', '/api/clock').json).toEqual({ server: 'two', zone: 'Europe/Dublin' });
  });

  it('is declared with its words, what raises it, and where a refusal is told', () => {
    const post = objects().documents['things']?.paths['/api/vlans']?.['post'] as Record<string, unknown>;
    expect(post).toMatchObject({
      operationId: 'setVlan',
      'x-svc-kind': 'set',
      'x-svc-capability': 'write',
      'x-svc-set': { field: '_action', add: 'add', modify: 'modify', delete: 'delete' },
      'x-svc-escalates': { field: '_action', values: { delete: 'destructive' } },
      'x-svc-outcome': { status: '_global_result.status', ok: 0, message: '_global_result.status_str' },
    });
    expect(Object.keys(post['responses'] as object)).toEqual(['200', '400', '401']);
  });
});
