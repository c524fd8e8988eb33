import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import type { CallEnd } from './envelope.ts';
import { madeObject, withNextStep } from './next-step.ts';

const inPath = (name: string) => ({
  argument: name,
  name,
  in: 'path' as const,
  required: true,
  style: 'simple',
  explode: false,
});
const resource = { name: 'wlans', noun: 'WLAN', plural: 'WLANs', key: 'ssid' };
const list = toolOf({
  name: 'mgmt_list_wlans',
  path: '/sites/{site}/wlans',
  parameters: [inPath('site')],
  resource,
}).tool;
const entry = toolOf({
  name: 'mgmt_get_wlan',
  path: '/sites/{site}/wlans/{name}',
  parameters: [inPath('site'), inPath('name')],
  resource,
}).tool;
const create = toolOf({
  name: 'mgmt_create_wlan',
  method: 'POST',
  capability: 'write',
  path: '/sites/{site}/wlans',
  parameters: [inPath('site')],
  resource,
}).tool;
const key = (text: string) => text.replaceAll(/\{[^}]*\}/g, '{}');
const catalog = {
  wrapping: (operation: string): Tool[] =>
    [list, entry, create].filter((tool) => key(`${tool.method} ${tool.path}`) === key(operation)),
};
const done = (result: unknown, text?: string): CallEnd => ({
  kind: 'done',
  outcome: 'success',
  result,
  ...(text === undefined ? {} : { text }),
});

test('one entry: the call that reads it is exact', () => {
  const end = withNextStep(done({ items: [{ ssid: 'guest' }] }), { tool: list, values: { site: 's1' } }, catalog);
  expect(end).toMatchObject({
    result: { next_step: { tool: 'mgmt_get_wlan', arguments: { site: 's1', name: 'guest' } } },
  });
});

test('several entries: the arguments name the field that holds the key', () => {
  const items = [{ ssid: 'guest' }, { ssid: 'staff' }];
  const text = JSON.stringify({ items });
  const end = withNextStep(done({ items }, text), { tool: list, values: { site: 's1' } }, catalog);
  const next_step = { tool: 'mgmt_get_wlan', arguments: { site: 's1', name: 'items[].ssid' } };
  expect(end).toMatchObject({ result: { items, next_step } });
  expect(JSON.parse((end as { text: string }).text)).toEqual({ items, next_step });
});

test('entries without the key, an empty list and a single object have no next step', () => {
  const asked = { tool: list, values: { site: 's1' } };
  for (const result of [{ items: [{ color: 'red' }] }, { items: [] }, { ssid: 'guest' }, 'text', null])
    expect(withNextStep(done(result), asked, catalog)).toEqual(done(result));
});

test('the key is that of the last name in the path, in whatever order the document states its parameters', () => {
  const turned = { ...entry, parameters: entry.parameters.toReversed() };
  const reads = {
    wrapping: (operation: string) => catalog.wrapping(operation).map((it) => (it === entry ? turned : it)),
  };
  const values = { site: 's1' };
  const next_step = { tool: 'mgmt_get_wlan', arguments: { site: 's1', name: 'guest' } };
  expect(withNextStep(done({ items: [{ ssid: 'guest' }] }), { tool: list, values }, reads)).toMatchObject({
    result: { next_step },
  });
  expect(madeObject(done({ object: { ssid: 'guest' } }), { tool: create, values }, reads)).toEqual(next_step);
});

test('a created object is read back by the key that the platform or the caller gave', () => {
  const values = { site: 's1', body: { ssid: 'guest' } };
  expect(madeObject(done({ object: {} }), { tool: create, values }, catalog)).toEqual({
    tool: 'mgmt_get_wlan',
    arguments: { site: 's1', name: 'guest' },
  });
  expect(madeObject(done({ object: { name: 'w-7' } }), { tool: create, values: { site: 's1' } }, catalog)).toEqual({
    tool: 'mgmt_get_wlan',
    arguments: { site: 's1', name: 'w-7' },
  });
  expect(madeObject(done({ ok: true }), { tool: create, values: { site: 's1' } }, catalog)).toBeUndefined();
});

test.each([
  ['inside of an envelope', { success: true, result: { name: 'w-7', ssid: 'guest' } }, 'w-7'],
  [
    'inside of an envelope that has a name of its own',
    { name: 'request-9', data: { name: 'w-7', ssid: 'guest' } },
    'w-7',
  ],
  ['that is the whole answer', { name: 'w-7', ssid: 'guest', security: { name: 'psk' } }, 'w-7'],
])('the key of a created object is the one %s', (_, object, name) => {
  const values = { site: 's1', body: { ssid: 'guest' } };
  expect(madeObject(done({ object }), { tool: create, values }, catalog)).toEqual({
    tool: 'mgmt_get_wlan',
    arguments: { site: 's1', name },
  });
});
