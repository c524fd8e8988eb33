import { expect, test } from 'vitest';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import type { Choice, LocalContext } from '../registry.ts';
import plan from './plan-tool-workflow.ts';

const choice = (name: string, score: number, more: Partial<Choice> = {}): Choice => ({
  name,
  score,
  capability: 'read',
  params: ['id'],
  open: true,
  ...more,
});
const KNOWN: Record<string, Choice[]> = {
  list_sites: [choice('list_sites', 100), choice('list_sites_health', 40)],
  'reboot the access point': [choice('reboot_ap', 10, { capability: 'destructive', open: false })],
  'show the port': [choice('get_port', 10), choice('get_port_status', 9), choice('list_ports', 3)],
  lst_sites: [choice('list_sites', 8)],
};
// Like the search, it takes text only.
const choose = (hint: string) => KNOWN[hint.trim()] ?? [];
const run = plan.open({ choose } as unknown as LocalContext);

function planned(steps: object[]) {
  const whole = run({ steps: steps as never }, { call: {} } as never);
  if (!(whole instanceof WholeResult) || whole.result.kind !== 'done') throw new Error('expected a result');
  return { outcome: whole.result.outcome, ...(whole.result.result as object) } as Record<string, unknown>;
}

test('steps stand after what they depend on, otherwise as given, and say how each is called', () => {
  expect(
    planned([
      { id: 'reboot', hint: 'reboot the access point', depends_on: ['sites', 'port'] },
      { id: 'port', hint: 'show the port' },
      { id: 'sites', tool: 'list_sites' },
    ]),
  ).toEqual({
    outcome: 'success',
    ok: true,
    order: ['port', 'sites', 'reboot'],
    steps: [
      {
        id: 'port',
        tool: 'get_port',
        capability: 'read',
        dispatcher: 'invoke_read_tool',
        params: ['id'],
        ambiguous: true,
        candidates: ['get_port', 'get_port_status', 'list_ports'],
      },
      { id: 'sites', tool: 'list_sites', capability: 'read', dispatcher: 'invoke_read_tool', params: ['id'] },
      {
        id: 'reboot',
        depends_on: ['sites', 'port'],
        tool: 'reboot_ap',
        capability: 'destructive',
        dispatcher: 'invoke_tool',
        params: ['id'],
        gate: 'closed',
        needs: 'a preview, then its plan_token and the person',
      },
    ],
    next_action: expect.stringContaining('in this order'),
  });
});

test.each([
  [
    'waits for itself through another',
    [
      { id: 'a', tool: 'list_sites', depends_on: ['b'] },
      { id: 'b', tool: 'list_sites', depends_on: ['a'] },
    ],
    'the steps a, b wait for each other',
  ],
  [
    'depends on a step that is not there',
    [{ id: 'a', tool: 'list_sites', depends_on: ['x'] }],
    'a: there is no step "x"',
  ],
  [
    'has the id of another',
    [
      { id: 'a', tool: 'list_sites' },
      { id: 'a', tool: 'list_sites' },
    ],
    'a: another step has this id',
  ],
  ['names neither tool nor hint', [{ id: 'a' }], 'a: should have either tool or hint'],
  ['names both', [{ id: 'a', tool: 'list_sites', hint: 'show the port' }], 'a: should have either tool or hint'],
  ['names no tool there is', [{ id: 'a', tool: 'lst_sites' }], 'a: there is no tool "lst_sites"'],
  ['hints at nothing', [{ id: 'a', hint: 'brew coffee' }], 'a: no tool fits the hint'],
])('a step that %s is a problem, and the plan is not ok', (_, steps, problem) => {
  expect(planned(steps)).toMatchObject({ outcome: 'error', ok: false, problems: expect.arrayContaining([problem]) });
});

test('a step that names neither stands in the plan without a choice', () => {
  expect(planned([{ id: 'a' }, { id: 'b', hint: 'show the port', depends_on: ['a'] }])).toMatchObject({
    ok: false,
    steps: [{ id: 'a' }, { id: 'b', tool: 'get_port' }],
    problems: ['a: should have either tool or hint'],
  });
});

test('a misspelled name comes with suggestions', () => {
  expect(planned([{ id: 'a', tool: 'lst_sites' }])['steps']).toEqual([
    { id: 'a', problem: 'there is no tool "lst_sites"', suggestions: ['list_sites'] },
  ]);
});
