/** A scenario with its slots filled in: what one run is asked, and what it will be judged by. */
import { differencesOf, factsIn } from '../grading/answer-facts.ts';
import { got, HarnessError } from '../harness-errors.ts';
import { isRead } from '../recording/call-class.ts';
import { statedBody } from '../recording/recorded-body.ts';
import type { Task } from '../recording/recording.ts';
import { splitCall, splitQuery } from '../scenario/path-pattern.ts';
import { isCallOn } from '../scenario/reference-checks.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Fault, Step } from '../scenario/scenario-schema.ts';
import { callsOf, singleSteps } from '../scenario/scenario-steps.ts';
import { type FixtureObject, fieldOf, fillCall, fillSlots, type SlotValues } from '../scenario/seeded-slots.ts';

export interface Built {
  task: Task;
  steps: Step[];
  faults: Fault[];
}

export function buildTask(scenario: Scenario, slots: SlotValues, subject: string): Built {
  try {
    return builtTask(scenario, slots, subject);
  } catch (error) {
    // Where a slot is filled in nothing is known of the file.
    const isBare = error instanceof HarnessError && !error.message.includes(scenario.file);
    throw isBare ? new HarnessError(error.code, `${scenario.file}: ${error.message}`, { cause: error }) : error;
  }
}

function builtTask(scenario: Scenario, slots: SlotValues, subject: string): Built {
  const filled = fillSlots(
    {
      intent: scenario.intent,
      end_state: scenario.expect.end_state ?? [],
      side_effects: scenario.expect.side_effects ?? [],
      facts: scenario.expect.facts,
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
    expected_tools: (scenario.expected_tools[subject] ?? []).map((tool) =>
      'any_of' in tool ? tool.any_of.map(({ name }) => name) : [tool.name],
    ),
    api_calls: expect.api_calls.map((route) => calls(callsOf(route))),
    ...failingCalls(scenario),
    must_not_call: calls(expect.must_not_call),
    allowed_reads: calls(expect.allowed_reads),
    end_state: filled.end_state,
    side_effects: filled.side_effects,
    bodies: Object.fromEntries(
      Object.entries(expect.bodies ?? {}).map(([call, body]) => [
        fillCall(call, slots),
        statedBody(fillSlots(body, slots)),
      ]),
    ),
    result_schema: scenario.result_schema,
    facts: Object.fromEntries(
      Object.entries(filled.facts).map(([fact, value]) => [fact, factValue(scenario, fact, value)]),
    ),
    ...(expect.refusal === undefined ? {} : { refusal: expect.refusal }),
  };
  return { task, steps: filled.steps, faults: filled.faults };
}

/** An expected change of which every step must fail: that the platform refuses it is then right. */
function failingCalls({ steps = [], expect }: Scenario): Pick<Task, 'failing'> {
  const expected = expect.api_calls.flatMap(callsOf).map((call) => splitQuery(call)[0]);
  const byCall = Map.groupBy(singleSteps(steps), ({ call }) => call);
  const failing = [...byCall].flatMap(([call, own]) =>
    own.every(({ fails, refused }) => fails !== undefined || refused === true) &&
    !isRead(splitCall(call)[0]) &&
    expected.some((one) => isCallOn(call, one))
      ? [call]
      : [],
  );
  return failing.length === 0 ? {} : { failing };
}

/** A list of rows is stated by the rows it is taken from and the field of each that counts. */
function factValue(scenario: Scenario, fact: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { each, fields } = value as { each?: unknown; fields?: unknown };
  // The name of a slot that has no value yet.
  if (typeof each === 'string') return value;
  if (!Array.isArray(each) || fields === undefined) {
    throw new HarnessError(
      'SCENARIO_INVALID',
      `${scenario.file}: \`expect.facts.${fact}\` should be a value, or {each: rows, fields: names}, got ${got(value)}`,
    );
  }
  const read = (row: unknown, field: string): unknown => {
    const found = fieldOf(row, field);
    if (found !== undefined) return found;
    throw new HarnessError(
      'SLOT_EMPTY',
      `${scenario.file}: \`expect.facts.${fact}\` should name fields of the rows, got no ${got(field)}`,
    );
  };
  return each.map((row) =>
    typeof fields === 'string'
      ? read(row, fields)
      : Object.fromEntries(
          Object.entries(fields as Record<string, string>).map(([name, field]) => [name, read(row, field)]),
        ),
  );
}

/**
 * Printing a resource unread is no answer: a scenario that such a list satisfies is refused before it is run. `canSatisfy` tells
 * by the number of rows which lists are worth reading: of several rows none is the answer, and a list of facts has its own length.
 */
export function wholeListRefusal(task: Task): {
  canSatisfy: (rows: number) => boolean;
  refuse: (resource: string, items: FixtureObject[]) => void;
} {
  const { result_schema, facts, file } = task;
  const solves = (answer: unknown) =>
    Object.keys(facts).length > 0 && differencesOf(factsIn(answer, result_schema), facts, result_schema).length === 0;
  // With the slots filled in, a list without rows could make the empty list an answer.
  if ([{}, [], { items: [] }].some(solves)) {
    throw new HarnessError(
      'SCENARIO_DEGENERATE',
      `${file}: \`expect.facts\` should refuse an empty answer, got facts that one satisfies`,
    );
  }
  const lengths = new Set([1, ...Object.values(facts).flatMap((fact) => (Array.isArray(fact) ? [fact.length] : []))]);
  return {
    canSatisfy: (rows) => rows > 0 && lengths.has(rows),
    refuse: (resource, items) => {
      if (items.length === 0 || ![items, { items }].some(solves)) return;
      throw new HarnessError(
        'SCENARIO_DEGENERATE',
        `${file}: \`expect.facts\` should be satisfied by an answer only, got facts that the whole list of ${resource} satisfies`,
      );
    },
  };
}
