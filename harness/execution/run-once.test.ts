import { expect, test } from 'vitest';
import type { Control } from '../sandbox/fake-control.ts';
import { endStateOf, StartingState } from './run-once.ts';

const refuse = async (): Promise<never> => Promise.reject(new Error('not asked for'));

test('two bundles with the same resource keep their own starting states, and each is read once', async () => {
  const asked: string[] = [];
  const control: Control = {
    reset: refuse,
    ledger: refuse,
    resources: refuse,
    changes: refuse,
    planFaults: refuse,
    state: async (namespace, platform, resource) => {
      asked.push(`${namespace}/${platform}/${resource}`);
      return [{ from: namespace }];
    },
  };
  const states = new StartingState(control);
  const [tiny, campus] = [states.reader('ns-tiny', 'tiny'), states.reader('ns-campus', 'small-campus')];
  expect(await tiny('mgmt', 'aps')).toEqual([{ from: 'ns-tiny' }]);
  expect(await campus('mgmt', 'aps')).toEqual([{ from: 'ns-campus' }]);
  expect(await states.reader('another', 'tiny')('mgmt', 'aps')).toEqual([{ from: 'ns-tiny' }]);
  expect(asked).toEqual(['ns-tiny/mgmt/aps', 'ns-campus/mgmt/aps']);
});

test('an end state keeps the resources of two platforms apart, and names the platform only there', async () => {
  const on = (resource: string, platform?: string) => ({ resource, ...(platform && { platform }), where: {} });
  const task = { end_state: [on('devices'), on('devices', 'b'), on('devices', 'a'), on('sites', 'b')] };
  const read = async (platform: string, resource: string) => [{ is: `${platform}/${resource}` }];
  expect(await endStateOf(task, 'a', read)).toEqual([
    { resource: 'devices', platform: 'a', items: [{ is: 'a/devices' }] },
    { resource: 'devices', platform: 'b', items: [{ is: 'b/devices' }] },
    { resource: 'sites', items: [{ is: 'b/sites' }] },
  ]);
});
