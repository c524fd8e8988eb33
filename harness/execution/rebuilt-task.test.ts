import { expect, test } from 'vitest';
import { sampleScenario, scenarioText } from '../test/sample-scenario.ts';
import { rebuildTask } from './rebuilt-task.ts';
import { buildTask } from './seeded-task.ts';

const ID = 'wlan-change/one';

test('a fact that is null in the fixture is rebuilt as null', async () => {
  const text = scenarioText(ID).replace("text: '{{words}}' }", "text: '{{wlan.note}}' }");
  const scenario = sampleScenario(ID, text);
  const slots = { wlan: { ssid: 'guest', note: null }, words: 'x', phrase: 'y' };
  const { task } = buildTask({ ...scenario, slots: { wlan: scenario.slots!['wlan']! } }, slots, 'sample');
  const recorded = { task, seed: 1, subject: { name: 'sample' } as never };
  const fixed = { ...scenario, slots: { ...scenario.slots, words: { one_of: ['x'] }, phrase: { one_of: ['y'] } } };
  expect(await rebuildTask(fixed, recorded)).toEqual({ task });
});
