import { describe, expect, test } from 'vitest';
import { buildTask, wholeListRefusal } from '../execution/seeded-task.ts';
import type { Scenario } from './scenario.ts';
import { drawSlots, fieldOf, fillCall, fillSlots, matchesWhere, secretSlots } from './seeded-slots.ts';

const APS = Array.from({ length: 20 }, (_, i) => ({ name: `ap-${i}`, site: i < 10 ? 'hq' : 'depot', clients: i }));
const read = async () => APS;
const scenario = (slots: Scenario['slots'], more: Partial<Scenario> = {}) =>
  ({ id: 'x/y', file: 'scenarios/x/y.yaml', suite: 'x', platform: 'mgmt', slots, ...more }) as Scenario;

describe('slots', () => {
  test('draw the same values for the same seed and others for another', async () => {
    const slots = { ap: { resource: 'aps' }, n: { invent: 'number', from: 1, to: 1_000 } } as const;
    const draw = (seed: number) => drawSlots(scenario(slots), seed, read);
    expect(await draw(1)).toEqual(await draw(1));
    const names = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => fieldOf((await draw(seed))['ap'], 'name')));
    expect(new Set(names).size).toBeGreaterThan(2);
  });

  test('do not depend on the order of the fixture', async () => {
    const reversed = async () => [...APS].reverse();
    const slots = { ap: { resource: 'aps' } };
    expect(await drawSlots(scenario(slots), 3, reversed)).toEqual(await drawSlots(scenario(slots), 3, read));
  });

  test('may be narrowed by earlier ones, and may be a count', async () => {
    const slots = {
      ap: { resource: 'aps' },
      near: { resource: 'aps', where: { site: '{{ap.site}}', name: { not: '{{ap.name}}' } }, take: 'count' },
    } as const;
    expect(await drawSlots(scenario(slots), 1, read)).toMatchObject({ near: 9 });
  });

  test('of a resource that the platform does not have are refused with file and slot', async () => {
    const unknown = async () => {
      throw new Error('404 {"code":"UNKNOWN_RESOURCE","message":"resource: expected one of aps, sites, got apps"}');
    };
    await expect(drawSlots(scenario({ ap: { resource: 'apps' } }), 1, unknown)).rejects.toThrow(
      'scenarios/x/y.yaml: slot `ap` has resource "apps" (string), expected one of aps, sites',
    );
  });

  test('that match nothing are refused with the query', async () => {
    const slots = { ap: { resource: 'aps', where: { site: 'moon' } } };
    await expect(drawSlots(scenario(slots), 1, read)).rejects.toThrow(
      /slot `ap` should match an object of aps \(20 in the fixture\).*"moon"/,
    );
  });

  test('fill text, and keep their type where they stand alone', () => {
    const slots = { ap: { name: 'ap-1', clients: 7 } };
    expect(fillSlots({ a: '{{ap.clients}}', b: ['on {{ap.name}}, {{ap.clients}}'] }, slots)).toEqual({
      a: 7,
      b: ['on ap-1, 7'],
    });
    expect(() => fillSlots('{{ap.nothing}}', slots)).toThrow(/\{\{ap.nothing\}\}/);
  });

  test.each([
    ['GET /a/{{n}}/b', 'GET /a/v%201%2F2/b'],
    ['GET /a/{{ n }}?x=1', 'GET /a/v%201%2F2?x=1'],
    ['GET /a?name={{n}}&x=1', 'GET /a?name=v%201%2F2&x=1'],
    ['GET /a/{{n}}:reboot', 'GET /a/v%201%2F2:reboot'],
  ])('fill a call, encoded where they stand: %s', (call, filled) => {
    expect(fillCall(call, { n: 'v 1/2' })).toBe(filled);
  });

  test('marked secret are handed to the recorder', async () => {
    const marked = scenario({ psk: { invent: 'passphrase', secret: true }, word: { invent: 'word' } });
    const values = await drawSlots(marked, 1, read);
    expect(secretSlots(marked, values)).toEqual({ psk: values['psk'] });
  });

  test.each([
    [{ clients: { min: 3 } }, 17],
    [{ clients: { max: 3 } }, 4],
    [{ site: { in: ['hq', 'moon'] } }, 10],
    [{ name: { contains: '-1' } }, 11],
    [{ site: { not: 'hq' }, clients: 12 }, 1],
  ])('conditions select: %j', (where, count) => {
    expect(APS.filter((ap) => matchesWhere(ap, where))).toHaveLength(count);
  });
});

describe('a task', () => {
  const lazy = (expected: unknown) =>
    buildTask(
      scenario(
        {},
        {
          intent: 'Which one?',
          write_gate: 'read',
          expect: { api_calls: ['GET /aps'], must_not_call: [], facts: { names: expected } },
          expected_tools: {},
          result_schema: {
            type: 'object',
            properties: {
              names: {
                type: 'array',
                description: 'names of them',
                items: { type: 'object', properties: { name: { type: 'string', description: 'name of one' } } },
              },
            },
          },
          digest: 'd',
        },
      ),
      {},
      'router',
    ).task;

  test('that a whole list satisfies is refused', () => {
    const names = APS.map(({ name }) => ({ name }));
    expect(() => wholeListRefusal(lazy(names)).refuse('aps', APS)).toThrow(/the whole list of aps satisfies/);
    expect(() => wholeListRefusal(lazy([]))).toThrow(/refuse an empty answer/);
    expect(() => wholeListRefusal(lazy(names.slice(1))).refuse('aps', APS)).not.toThrow();
  });

  test('a list that can satisfy is known by its length: one row, or as many as a list of facts has', () => {
    const { canSatisfy } = wholeListRefusal(lazy(APS.map(({ name }) => ({ name }))));
    const lengths = Array.from({ length: 30 }, (_, rows) => rows).filter(canSatisfy);
    expect(lengths).toEqual([1, APS.length]);
  });

  test.each([1, 2, 19])('no list of another length satisfies %i facts', (number) => {
    const { canSatisfy, refuse } = wholeListRefusal(lazy(APS.slice(0, number).map(({ name }) => ({ name }))));
    const others = APS.map((_, rows) => rows).filter((rows) => !canSatisfy(rows));
    expect(others.length).toBeGreaterThanOrEqual(17);
    for (const rows of others) expect(() => refuse('aps', APS.slice(0, rows))).not.toThrow();
  });
});
