import { expect, test } from 'vitest';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from './seeded-task.ts';

const scenario = {
  id: 'nac/one',
  suite: 'nac',
  file: 'scenarios/nac/one.yaml',
  digest: 'sha256:00',
  intent: 'Show {{device.name}}.',
  platform: 'nac',
  also: ['mgmt'],
  fixture: 'fake-api/fixtures/tiny',
  write_gate: 'read',
  expected_tools: { router: [{ name: 'nac_get_network_device', source: 'a:1@0000000' }] },
  expect: {
    api_calls: ['GET /api/network-device/name/{name}'],
    must_not_call: ['DELETE /**'],
    facts: { device: '{{device.name}}' },
  },
  evidence: 'a:1@0000000',
  result_schema: { type: 'object', properties: { device: { type: 'string', description: 'name of the device' } } },
  faults: [
    {
      operation: 'GET /api/network-device/name/{name}',
      fault: { kind: 'content-type', value: 'text/html', body: 'delete {{device.name}}' },
    },
  ],
} satisfies Scenario;

test('slots are filled in what is asked, what is judged and what goes wrong', () => {
  const { task, faults } = buildTask(scenario, { device: { name: 'ap-7' } }, 'router');
  expect(task.intent).toBe('Show ap-7.');
  expect(task.facts).toEqual({ device: 'ap-7' });
  expect(faults).toEqual([
    {
      operation: 'GET /api/network-device/name/{name}',
      fault: { kind: 'content-type', value: 'text/html', body: 'delete ap-7' },
    },
  ]);
});

test('a slot without the field that a scenario names is told with the file', () => {
  expect(() => buildTask(scenario, { device: { nam: 'ap-7' } }, 'router')).toThrow(
    'scenarios/nac/one.yaml: `{{device.name}}` should have a value',
  );
});

test('a value inside a call stays one segment of its path, so that it can be matched', () => {
  const pinned = {
    ...scenario,
    expect: { ...scenario.expect, api_calls: ['GET /api/network-device/name/{{device.name}}'] },
  };
  const { task } = buildTask(pinned, { device: { name: 'a b/c' } }, 'router');
  expect(task.api_calls).toEqual([['GET /api/network-device/name/a%20b%2Fc']]);
});

test('every platform that a scenario spans is in its task', () => {
  expect(buildTask(scenario, { device: { name: 'ap-7' } }, 'router').task.platforms).toEqual(['nac', 'mgmt']);
});

test('the rows of a list become its facts, field by field, and of several right calls all are kept', () => {
  const listed = {
    ...scenario,
    expect: {
      ...scenario.expect,
      api_calls: [{ any_of: ['GET /a/{{device.name}}', 'GET /a'] }],
      facts: { device: { each: '{{all}}', fields: { name: 'label', seen: 'last.at' } } },
      bodies: { 'POST /a': { name: '{{device.name}}' }, 'PUT /a': { note: { free: 'text' } } },
    },
  };
  const all = [{ label: 'x', last: { at: 1 } }];
  const { task } = buildTask(listed, { device: { name: 'ap-7' }, all }, 'router');
  expect(task.facts).toEqual({ device: [{ name: 'x', seen: 1 }] });
  expect(task.api_calls).toEqual([['GET /a/ap-7', 'GET /a']]);
  expect(task.bodies).toEqual({
    'POST /a': { body: { name: 'ap-7' }, hash: expect.stringMatching(/^sha256:/) },
    'PUT /a': { body: { note: { free: 'text' } } },
  });
  expect(() => buildTask(listed, { device: { name: 'ap-7' }, all: [{}] }, 'router')).toThrow(/no "label"/);
});

test('a change of which every step must fail is in the task as one that the platform refuses', () => {
  const call = 'PATCH /api/network-device/{id}';
  const failingIn = (
    steps: NonNullable<Scenario['steps']>,
    expected = 'PATCH /api/network-device/{{device.id}}?a=b',
  ) => {
    const expect = { ...scenario.expect, api_calls: [expected] };
    return buildTask({ ...scenario, expect, steps }, { device: { name: 'ap-7', id: 7 } }, 'router').task.failing;
  };
  expect(failingIn([{ call, fails: 'conflict' }])).toEqual([call]);
  expect(failingIn([{ any_of: [{ call, refused: true }] }])).toEqual([call]);
  expect(failingIn([{ call, fails: 'plan_stale' }, { call }])).toBeUndefined();
  expect(failingIn([{ call, fails: 'conflict' }], 'PATCH /api/role/{{device.id}}')).toBeUndefined();
  const read = 'GET /api/network-device/{id}';
  expect(failingIn([{ call: read, fails: 'not_found' }], read)).toBeUndefined();
});
