import { expect, test } from 'vitest';
import type { Change, Task } from '../recording/recording.ts';
import { rowsBefore, withNestedChanges } from './nested-changes.ts';

const task = (equals: object, fields: string[] = []) =>
  ({
    platforms: ['mgmt'],
    end_state: [{ resource: 'switches', where: { id: 1 }, equals }],
    side_effects: [{ resource: 'ports', fields }],
  }) as unknown as Task;
const config = { vlan: 10, password: 'x', poe: { on: true, watts: 30 } };
const ROWS = [
  { id: 1, name: 'a', config },
  { id: 2, name: 'b', config },
];
const changed = (value: object, fields: string[]): Change => ({
  ...{ platform: 'mgmt', resource: 'switches', kind: 'changed', fields },
  value: value as Change['value'],
});

test('only resources with a listed path inside a field are read before a run', async () => {
  const asked: string[] = [];
  const read = async (platform: string, resource: string) => {
    asked.push(`${platform}/${resource}`);
    return [];
  };
  await rowsBefore(task({ name: 'a' }, ['stamp']), read);
  expect(asked).toEqual([]);
  await rowsBefore(task({ 'config.vlan': 20 }, ['poe.watts']), read);
  expect(asked).toEqual(['mgmt/switches', 'mgmt/ports']);
});

test('a change names the paths that differ inside its fields, of the row that it is', async () => {
  const before = await rowsBefore(task({ 'config.vlan': 20 }), async () => ROWS);
  const inside = (value: object, fields = ['config']) => withNestedChanges([changed(value, fields)], before)[0]?.inside;
  expect(inside({ id: 1, name: 'a', config: { ...config, vlan: 20 } })).toEqual(['config.vlan']);
  expect(inside({ id: 2, name: 'b', config: { vlan: 20, poe: { on: true, watts: 15 } } })).toEqual([
    'config.vlan',
    'config.password',
    'config.poe.watts',
  ]);
  expect(inside({ id: 1, name: 'new', config }, ['name'])).toEqual([]);
  expect(inside({ id: 3, name: 'c', config: {} })).toBeUndefined();
});
