import { describe, expect, it } from 'vitest';
import { smallTestbed } from '../../test/engine/small-platform.ts';
import { refuse } from '../http/platform-answer.ts';
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from '../state/platform-behaviour.ts';

const RADIUS = { type: 'RADIUS', host: 'one.example', 'shared-secret': 'long-enough' };

function started(world?: PlatformBehaviour) {
  const testbed = smallTestbed(world);
  testbed.call('POST', '/servers/one', RADIUS);
  return { testbed, start: testbed.call('POST', '/servers/one/test') };
}

describe('a task', () => {
  it('starts with 202, a location and INITIATED', () => {
    const { start } = started();
    expect(start.status).toBe(202);
    expect(start.json).toMatchObject({ status: 'INITIATED', startTime: '2026-03-02T09:00:01Z' });
    expect(start.headers['location']).toBe(start.json['location']);
    expect(start.json['location']).toBe(`/servers/one/test/async-operations/${start.json['taskId']}`);
  });

  it('advances by polls', () => {
    const { testbed, start } = started();
    const location = String(start.json['location']);
    testbed.state.clock.advance(100);
    expect(testbed.call('GET', location).json).toMatchObject({
      status: 'RUNNING',
      progressPercent: 50,
      endTime: null,
      output: null,
    });
    const done = testbed.call('GET', location);
    expect(done.json).toMatchObject({
      status: 'COMPLETED',
      progressPercent: 100,
      output: { outcome: expect.stringMatching(/accept|reject/) },
    });
    expect(testbed.call('GET', location).body).toBe(done.body);
  });

  it('is done at the first poll after two minutes', () => {
    const { testbed, start } = started();
    testbed.state.clock.advance(120);
    expect(testbed.call('GET', String(start.json['location'])).json).toMatchObject({
      status: 'COMPLETED',
      progressPercent: 100,
    });
  });

  it('has its effect when it completes and not before', () => {
    const effects: string[] = [];
    const world: PlatformBehaviour = {
      ...NO_PLATFORM_BEHAVIOUR,
      effect: (of, subject) => {
        effects.push(`${of.operationId} ${subject?.id}`);
        return {};
      },
    };
    const { testbed, start } = started(world);
    const location = String(start.json['location']);
    testbed.call('GET', location);
    expect(effects).toEqual([]);
    testbed.call('GET', location);
    testbed.call('GET', location);
    expect(effects).toEqual(['startServerTest one']);
  });

  it('is refused at the start when the world objects, and then there is no task', () => {
    const world: PlatformBehaviour = {
      ...NO_PLATFORM_BEHAVIOUR,
      objects: (call) => (call.operation.kind === 'diagnostic' ? refuse(409, 'DEVICE_OFFLINE', 'offline') : null),
    };
    const { testbed, start } = started(world);
    expect(start.status).toBe(409);
    expect(testbed.state.tasks.size).toBe(0);
  });

  it('belongs to the item it was started at', () => {
    const { testbed, start } = started();
    testbed.call('POST', '/servers/two', { ...RADIUS, host: 'two.example' });
    const elsewhere = String(start.json['location']).replace('/one/', '/two/');
    expect(testbed.call('GET', elsewhere).status).toBe(404);
  });

  it('cannot start at an item that does not exist', () => {
    expect(smallTestbed().call('POST', '/servers/ghost/test').status).toBe(404);
  });
});
