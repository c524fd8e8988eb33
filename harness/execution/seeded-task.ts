/** A scenario with its slots filled in: what one run is asked, and what it will be judged by. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { HarnessError } from '../harness-errors.ts';
import type { Task } from '../recording/recording.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Fault, Step } from '../scenario/scenario-schema.ts';
import { type FixtureObject, fillCall, fillSlots, type SlotValues } from '../scenario/seeded-slots.ts';

/** One for all tasks: making one costs more than a compilation. */
const ajv = new Ajv2020({ strict: false, addUsedSchema: false });

export interface Built {
  task: Task;
  steps: Step[];
  faults: Fault[];
}

export function buildTask(scenario: Scenario, slots: SlotValues, subject: string): Built {
  const filled = fillSlots(
    {
      intent: scenario.intent,
      end_state: scenario.expect.end_state ?? [],
      result_schema: scenario.result_schema,
      steps: scenario.steps ?? [],
      faults: scenario.faults ?? [],
    },
    slots,
  );
  const { expect } = scenario;
  const calls = (list: readonly string[] = []) => list.map((call) => fillCall(call, slots));
  const task: Task = {
    id: scenario.id,
    suite: scenario.suite,
    file: scenario.file,
    digest: scenario.digest,
    intent: filled.intent.trim(),
    platforms: [scenario.platform, ...(scenario.also ?? [])],
    write_gate: scenario.write_gate,
    approvals: calls(scenario.approvals),
    classify: scenario.classify ?? {},
    expected_tools: (scenario.expected_tools[subject] ?? []).map((tool) => tool.name),
    api_calls: calls(expect.api_calls),
    must_not_call: calls(expect.must_not_call),
    allowed_reads: calls(expect.allowed_reads),
    end_state: filled.end_state,
    result_schema: filled.result_schema,
  };
  return { task, steps: filled.steps, faults: filled.faults };
}

/** Printing a resource unread is no answer: a scenario that such a list satisfies is refused before it is run. */
export function wholeListRefusal(task: Task): (resource: string, items: FixtureObject[]) => void {
  const accepts = ajv.compile(task.result_schema as object);
  // With the slots filled in, a count of zero could make the empty list an answer.
  if ([{}, [], { items: [] }].some((empty) => accepts(empty))) {
    throw new HarnessError(
      'SCENARIO_DEGENERATE',
      `${task.file}: \`result_schema\` should refuse an empty answer, got one that accepts it`,
    );
  }
  return (resource, items) => {
    if (items.length === 0) return;
    const _pagination = { offset: 0, limit: items.length, total: items.length, truncated: false };
    if (![items, { items }, { items, _pagination }].some((value) => accepts(value))) return;
    throw new HarnessError(
      'SCENARIO_DEGENERATE',
      `${task.file}: \`result_schema\` should be satisfied by an answer only, got one that the whole list of ${resource} satisfies`,
    );
  };
}
