import { describe, expect, it } from 'vitest';
import { smallBed } from '../../test/engine/small-platform.ts';
import { withPresence } from './secrets.ts';

const RADIUS = { type: 'RADIUS', host: 'one.example', 'shared-secret': 'long-enough' };

describe('a stored object', () => {
  it('is read as it was written, with defaults and times, and without its secret', () => {
    const bed = smallBed();
    const written = bed.call('POST', '/servers/one', RADIUS);
    expect(written.status).toBe(200);
    expect(bed.call('GET', '/servers/one').json).toEqual({
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
    expect(bed.call('GET', '/servers').body).not.toContain('long-enough');
  });

  it('shows the control port that a secret is present, never which one', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const row = bed.state.rows('small', 'servers').get('one');
    expect(JSON.stringify(row)).not.toContain('long-enough');
    expect(withPresence(row?.value ?? {}, row?.secrets ?? {})).toMatchObject({ 'shared-secret': { present: true } });
  });

  it('cannot be created twice under one name', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const again = bed.call('POST', '/servers/one', { ...RADIUS, host: 'two.example' });
    expect([again.status, again.json['errorCode']]).toEqual([409, 'ALREADY_EXISTS']);
  });

  it('cannot take a value that must be unique from another', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const twin = bed.call('POST', '/servers/two', RADIUS);
    expect(twin.status).toBe(409);
    expect(twin.json['message']).toMatch(/field "host": expected a value not in use, got "one.example"/);
  });

  it('is created or replaced by PUT, which resets what the body leaves out', () => {
    const bed = smallBed();
    expect(bed.call('PUT', '/servers/one', { ...RADIUS, port: 1645 }).status).toBe(200);
    expect(bed.call('PUT', '/servers/one', RADIUS).json['port']).toBe(1812);
    expect(bed.call('GET', '/servers/one').json).toMatchObject({
      'created-at': '2026-03-02T09:00:00Z',
      'updated-at': '2026-03-02T09:00:01Z',
    });
  });

  it('keeps what PATCH does not name, the secret included', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const changed = bed.call('PATCH', '/servers/one', { port: 1645 });
    expect(changed.json).toMatchObject({ port: 1645, host: 'one.example', 'shared-secret-configured': true });
  });

  it('refuses an empty PATCH', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    expect(bed.call('PATCH', '/servers/one', {}).json['message']).toMatch(
      /expected at least one field, got an empty object/,
    );
  });

  it('keeps what is set once', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const changed = bed.call('PATCH', '/servers/one', { type: 'LDAP', 'base-dn': 'dc=example' });
    expect([changed.status, changed.json['errorCode']]).toEqual([422, 'IMMUTABLE_FIELD']);
    expect(bed.call('PATCH', '/servers/one', { type: 'RADIUS', port: 1645 }).status).toBe(200);
  });

  it('meets the conditional rules after a change too', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/dir', { type: 'LDAP', host: 'dir.example', 'base-dn': 'dc=example' });
    expect(bed.call('PATCH', '/servers/dir', { 'base-dn': null }).status).toBe(400);
  });

  it('is not changed by a refused write', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const before = bed.state.hash();
    bed.call('PATCH', '/servers/one', { port: 0 });
    bed.call('PUT', '/servers/one', { type: 'RADIUS' });
    bed.call('POST', '/groups/g', { servers: ['ghost'] });
    expect(bed.state.hash()).toBe(before);
  });
});

describe('references', () => {
  const withGroup = () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    bed.call('POST', '/servers/two', { ...RADIUS, host: 'two.example' });
    bed.call('POST', '/groups/g', { servers: ['one'], backup: 'two' });
    return bed;
  };

  it('keep their target from being deleted and say who points at it', () => {
    const refused = withGroup().call('DELETE', '/servers/one');
    expect(refused.status).toBe(409);
    expect(refused.json['message']).toBe('servers entry "one": expected no reference to it, got 1 (groups/g)');
  });

  it('let their target go once they are gone', () => {
    const bed = withGroup();
    expect(bed.call('DELETE', '/groups/g').status).toBe(200);
    expect(bed.call('DELETE', '/servers/one').status).toBe(200);
    expect(bed.call('GET', '/servers/one').status).toBe(404);
  });

  it('are cleared when declared so', () => {
    const bed = withGroup();
    expect(bed.call('DELETE', '/servers/two').status).toBe(200);
    expect(bed.call('GET', '/groups/g').json).toMatchObject({ servers: ['one'], backup: null });
  });
});

describe('state', () => {
  it('comes back from a snapshot, later objects gone and deleted ones there again', () => {
    const bed = smallBed();
    bed.call('POST', '/servers/one', RADIUS);
    const saved = bed.state.save();
    const hash = bed.state.hash();
    bed.call('POST', '/servers/two', { ...RADIUS, host: 'two.example' });
    bed.call('DELETE', '/servers/one');
    expect(bed.state.hash()).not.toBe(hash);
    bed.state.restore(saved);
    expect(bed.state.hash()).toBe(hash);
    expect(bed.call('GET', '/servers/one').status).toBe(200);
    expect(bed.call('GET', '/servers/two').status).toBe(404);
  });
});
