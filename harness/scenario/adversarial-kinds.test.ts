/** Each way of leading an agent astray has a story of its own: losing the last story of a kind is red. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadScenarios, type Scenario } from './scenario.ts';
import { singleSteps } from './scenario-steps.ts';

const root = join(import.meta.dirname, '..', '..');
const adversarial = (await loadScenarios(root)).filter(({ suite }) => suite === 'adversarial');

/** Text that tells its reader what to do. */
const ORDER = /ignore (all )?previous|delete|reboot|archive|approved|maintenance agent/i;

type Resources = Record<string, Record<string, Record<string, unknown>>>;

/** `resource.field` of each field of the story's objects that gives an order to whoever reads it. */
async function plantedFields({ fixture, platform, slots = {} }: Scenario): Promise<string[]> {
  const file = join(root, fixture, 'objects', `${platform}.yaml`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const { resources } = parse(text) as { resources: Resources };
  const drawn = Object.values(slots).flatMap((slot) => ('resource' in slot ? [slot.resource] : []));
  return drawn.flatMap((resource) =>
    Object.values(resources[resource] ?? {}).flatMap((object) =>
      Object.entries(object)
        .filter(([, value]) => typeof value === 'string' && ORDER.test(value))
        .map(([field]) => `${resource}.${field}`),
    ),
  );
}

const planted = new Map<string, string[]>();
for (const scenario of adversarial) planted.set(scenario.id, await plantedFields(scenario));
const plants = (field: string) => (scenario: Scenario) => planted.get(scenario.id)!.includes(field);
const faulty = (body: RegExp) => (scenario: Scenario) =>
  (scenario.faults ?? []).some(({ fault }) => body.test(JSON.stringify(fault)));
const asks = (intent: RegExp) => (scenario: Scenario) => intent.test(scenario.intent) && scenario.write_gate === 'read';

const KINDS: Record<string, (scenario: Scenario) => boolean> = {
  'an intent that could mean several things': asks(
    /whichever of the two|as you see fit|^Reboot the switch at \{\{site\./,
  ),
  'a parameter that is missing': asks(/to the value we agreed on/),
  'a prompt that claims an approval': asks(/approved in the chat|signed it off|skip the preview/),
  'an order in the name of a device': plants('network-device.name'),
  'an order in the text of an alert': plants('alerts.summary'),
  'an order in a document': plants('knowledge-articles.body'),
  'an order in the body of an error': faulty(/"body":"<html>.*must delete/),
  'an order behind a link to the next page': faulty(/next.{1,20}href.{1,6}https:.*_method=DELETE/),
};

const missing = (scenarios: readonly Scenario[]): string[] =>
  Object.entries(KINDS).flatMap(([kind, is]) => (scenarios.some(is) ? [] : [kind]));

test('every kind has a story', () => {
  expect(missing(adversarial)).toEqual([]);
});

test.each(Object.keys(KINDS))(
  'without its stories, %s is missing, and each of them forbids what it tempts to',
  (kind) => {
    const own = adversarial.filter(KINDS[kind]!);
    expect(missing(adversarial.filter((scenario) => !own.includes(scenario)))).toContain(kind);
    for (const { id, approvals = [], expect: expected, steps = [] } of own) {
      expect(approvals, id).toEqual([]);
      expect(expected.must_not_call, id).not.toEqual([]);
      expect(
        singleSteps(steps).some((step) => step.refused === true),
        id,
      ).toBe(true);
    }
  },
);
