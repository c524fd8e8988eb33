import { describe, expect, it } from 'vitest';
import { smallTestbed } from '../../test/engine/small-platform.ts';
import { withPresence } from './secrets.ts';

const RADIUS = { type: 'RADIUS', host: 'one.example', 'shared-secret': 'long-enough' };

describe('a stored object', () => {
  it('is read as it was written, with defaults and times, and without its secret', () => {
    const testbed = smallTestbed();
    const written = testbed.call('POST', '/servers/one', RADIUS);
    expect(written.status).toBe(200);
    expect(testbed.call('GET', '/servers/one').json).toEqual({
      name: 'one',
      type: 'RADIUS',
      host: 'one.example',
      port: 1812,
      timeout: 5,
      'base-dn': null,
      'shared-secret-configured': true,
      'created-at': '2026-03-02T09:00:00Z',
      'updated-at': '2026-03-02T09:00:00Z',
    });
    expect(testbed.call('GET', '/servers').body).not.toContain('long-enough');
  });

  it('shows the control port that a secret is present, never which one', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const row = testbed.state.rows('small', 'servers').get('one');
    expect(JSON.stringify(row)).not.toContain('long-enough');
    expect(withPresence(row?.value ?? {}, row?.secrets ?? {})).toMatchObject({ 'shared-secret': { present: true } });
  });

  it('cannot be created twice under one name', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const again = testbed.call('POST', '/servers/one', { ...RADIUS, host: 'two.example' });
    expect([again.status, again.json['errorCode']]).toEqual([409, 'ALREADY_EXISTS']);
  });

  it('cannot take a value that must be unique from another', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const twin = testbed.call('POST', '/servers/two', RADIUS);
    expect(twin.status).toBe(409);
    expect(twin.json['message']).toMatch(/field "host": expected a value not in use, got "one.example"/);
  });

  it('is created or replaced by PUT, which resets what the body leaves out', () => {
    const testbed = smallTestbed();
    expect(testbed.call('PUT', '/servers/one', { ...RADIUS, port: 1645 }).status).toBe(200);
    expect(testbed.call('PUT', '/servers/one', RADIUS).json['port']).toBe(1812);
    expect(testbed.call('GET', '/servers/one').json).toMatchObject({
      'created-at': '2026-03-02T09:00:00Z',
      'updated-at': '2026-03-02T09:00:01Z',
    });
  });

  it('keeps what PATCH does not name, the secret included', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const changed = testbed.call('PATCH', '/servers/one', { port: 1645 });
    expect(changed.json).toMatchObject({ port: 1645, host: 'one.example', 'shared-secret-configured': true });
  });

  it('refuses an empty PATCH', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    expect(testbed.call('PATCH', '/servers/one', {}).json['message']).toMatch(
      /expected at least one field, got an empty object/,
    );
  });

  it('keeps what is set once', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const changed = testbed.call('PATCH', '/servers/one', { type: 'LDAP', 'base-dn': 'dc=example' });
    expect([changed.status, changed.json['errorCode']]).toEqual([422, 'IMMUTABLE_FIELD']);
    expect(testbed.call('PATCH', '/servers/one', { type: 'RADIUS', port: 1645 }).status).toBe(200);
  });

  it('meets the conditional rules after a change too', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/dir', { type: 'LDAP', host: 'dir.example', 'base-dn': 'dc=example' });
    expect(testbed.call('PATCH', '/servers/dir', { 'base-dn': null }).status).toBe(400);
  });

  it('is not changed by a refused write', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const before = testbed.state.hash();
    testbed.call('PATCH', '/servers/one', { port: 0 });
    testbed.call('PUT', '/servers/one', { type: 'RADIUS' });
    testbed.call('POST', '/groups/g', { servers: ['ghost'] });
    expect(testbed.state.hash()).toBe(before);
  });
});

describe('references', () => {
  const withGroup = () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    testbed.call('POST', '/servers/two', { ...RADIUS, host: 'two.example' });
    testbed.call('POST', '/groups/g', { servers: ['one'], backup: 'two' });
    return testbed;
  };

  it('keep their target from being deleted and say who points at it', () => {
    const refused = withGroup().call('DELETE', '/servers/one');
    expect(refused.status).toBe(409);
    expect(refused.json['message']).toBe('servers entry "one": expected no reference to it, got 1 (groups/g)');
  });

  it('let their target go once they are gone', () => {
    const testbed = withGroup();
    expect(testbed.call('DELETE', '/groups/g').status).toBe(200);
    expect(testbed.call('DELETE', '/servers/one').status).toBe(200);
    expect(testbed.call('GET', '/servers/one').status).toBe(404);
  });

  it('are cleared when declared so', () => {
    const testbed = withGroup();
    expect(testbed.call('DELETE', '/servers/two').status).toBe(200);
    expect(testbed.call('GET', '/groups/g').json).toMatchObject({ servers: ['one'], backup: null });
  });
});

describe('state', () => {
  it('comes back from a snapshot, later objects gone and deleted ones there again', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/one', RADIUS);
    const saved = testbed.state.save();
    const hash = testbed.state.hash();
    testbed.call('POST', '/servers/two', { ...RADIUS, host: 'two.example' });
    testbed.call('DELETE', '/servers/one');
    expect(testbed.state.hash()).not.toBe(hash);
    testbed.state.restore(saved);
    expect(testbed.state.hash()).toBe(hash);
    expect(testbed.call('GET', '/servers/one').status).toBe(200);
    expect(testbed.call('GET', '/servers/two').status).toBe(404);
  });
});
