import { expect, test } from 'vitest';
import { differencesOf } from '../grading/answer-facts.ts';
import { type Draft, fieldFact, scenarioOf } from './scenario-draft.ts';

const DOCUMENT = { cite: () => 'tasks.json:1@0123456789ab' } as unknown as Parameters<typeof scenarioOf>[1];
const scenarioAbout = (value: unknown) => {
  const fact = fieldFact('createdAt', value, 'answer', 'the task');
  return scenarioOf({ kind: 'read', name: 'a', wordings: [], values: {}, facts: [fact] } as unknown as Draft, DOCUMENT);
};
const isRight = (value: unknown, answer: unknown) =>
  differencesOf({ created_at: answer }, { created_at: value }, scenarioAbout(value).result_schema).length === 0;

test('a moment and a day are right in another spelling, and no other moment is', () => {
  const moment = '2026-02-18T03:51:21Z';
  expect(
    ['2026-02-18T03:51:21+00:00', '2026-02-18T04:51:21.000+01:00', '2026-02-18 03:51:21'].map((said) =>
      isRight(moment, said),
    ),
  ).toEqual([true, true, true]);
  expect(isRight(moment, '2026-02-18T03:51:21+01:00')).toBe(false);
  expect([isRight('2026-02-27', '2026-02-27T00:00:00'), isRight('2026-02-27', '2026-02-28')]).toEqual([true, false]);
  expect(isRight([moment], ['2026-02-18T03:51:21+00:00'])).toBe(true);
});

test('a text that only begins like one is compared as it stands', () => {
  expect(scenarioAbout('2026-02-18T03:51:21Z-7').result_schema.properties['created_at']).not.toHaveProperty('format');
  expect(isRight('2026-02', '2026-02-01')).toBe(false);
});
