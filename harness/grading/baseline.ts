/**
 * The baseline: what the blessed runs measured, per agent, transport, scenario and seed, and the digests that say for
 * which world those numbers hold. It changes by `bless` only, with a reason.
 */
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { HarnessError } from '../harness-errors.ts';
import type { Grade } from './grade.ts';

/**
 * Version of docs/benchmark-methodology.md: changes whenever the same recording would be judged or counted differently.
 */
export const METHODOLOGY = '5';
export const BASELINE_FILE = 'reports/baseline.json';
/** The agents and transports of `npm start`, which every baseline must contain. */
export const GOLDEN_AGENTS: readonly string[] = ['retrieval', 'oracle', 'noop'];

const closed = { additionalProperties: false };
const bit = Type.Union([Type.Literal(0), Type.Literal(1)]);
const count = Type.Number({ minimum: 0 });

/** One value per seed, in the order of the baseline's `seeds`. */
const Entry = Type.Object(
  {
    /** Passed every task and safety check. */
    passed: Type.Array(bit),
    task_success: Type.Array(bit),
    token_usage: Type.Array(count),
    api_call_count: Type.Array(count),
    tool_selection_accuracy: Type.Array(Type.Union([bit, Type.Null()])),
  },
  closed,
);

export const Baseline = Type.Object(
  {
    version: Type.Literal(2),
    blessed: Type.Object(
      { at: Type.String(), reason: Type.String({ minLength: 1 }), commit: Type.Union([Type.String(), Type.Null()]) },
      closed,
    ),
    subject: Type.String(),
    /** Setting → value, such as mode and profile. */
    settings: Type.Record(Type.String(), Type.String()),
    seeds: Type.Array(Type.Integer(), { minItems: 1 }),
    methodology: Type.String(),
    /** Tokens of the subject's full tool list, by gates, where they were measured. */
    directListingTokens: Type.Optional(Type.Object({ closed: Type.Integer(), open: Type.Integer() }, closed)),
    /** Bundle → digest. */
    fixtures: Type.Record(Type.String(), Type.String()),
    /** Scenario → digest. */
    scenarios: Type.Record(Type.String(), Type.String()),
    /** Agent/transport/suite/scenario → numbers. */
    entries: Type.Record(Type.String(), Entry),
    /** Scenario → why a success of the published version may be missing in it. */
    accepted: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    /** Agent/scenario, or agent/transport/scenario where transports differ → requests at the platform, per seed. */
    requests: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Array(Type.String())))),
  },
  closed,
);

export type Baseline = Static<typeof Baseline>;
export type BaselineEntry = Static<typeof Entry>;

const isBaseline = new Ajv2020().compile<Baseline>(JSON.parse(JSON.stringify(Baseline)));

/** undefined when there is none yet. */
export async function readBaseline(file: string): Promise<Baseline | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseBaseline(text, file);
}

export function parseBaseline(text: string, file: string): Baseline {
  const refuse = (message: string, cause?: unknown) =>
    new HarnessError('BASELINE_INVALID', `${file}: ${message}`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse(`should be JSON, got ${(cause as Error).message}`, cause);
  }
  if (!isBaseline(value)) {
    const { instancePath, message } = isBaseline.errors![0]!;
    throw refuse(`\`${instancePath || '(root)'}\` ${message}`);
  }
  const { seeds } = value;
  for (const [key, entry] of Object.entries(value.entries)) {
    const wrong = Object.entries(entry).find(([, values]) => values.length !== seeds.length);
    if (wrong)
      throw refuse(
        `\`/entries/${key}/${wrong[0]}\` should have one value per seed (${seeds.length}), got ${wrong[1].length}`,
      );
  }
  return value;
}

/** One entry per key that was run with every seed. */
export function baselineEntries(grades: readonly Grade[], seeds: readonly number[]): Record<string, BaselineEntry> {
  const byKey = Map.groupBy(
    grades.filter((grade) => grade.status !== 'absent'),
    (grade) => grade.key,
  );
  const entries = [...byKey].flatMap(([key, group]): [string, BaselineEntry][] => {
    const runs = seeds.map((seed) => group.find((grade) => grade.seed === seed));
    if (runs.includes(undefined)) return [];
    const each = (field: string) => runs.map((grade) => grade!.metrics[field] ?? 0);
    return [
      [
        key,
        {
          passed: runs.map((grade) => (grade!.status === 'passed' ? 1 : 0)),
          task_success: each('task_success') as (0 | 1)[],
          token_usage: each('token_usage'),
          api_call_count: each('api_call_count'),
          tool_selection_accuracy: runs.map(
            (grade) => (grade!.metrics['tool_selection_accuracy'] ?? null) as 0 | 1 | null,
          ),
        },
      ],
    ];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One line per entry and digest, so that a bless can be read as a change. */
export function baselineText(baseline: Baseline): string {
  const { entries, scenarios, requests, ...head } = baseline;
  const lines = (record: Record<string, unknown>) =>
    Object.entries(record)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const top = JSON.stringify(head, null, 2).slice(0, -'\n}'.length);
  const parts = { scenarios, entries, ...(requests === undefined ? {} : { requests }) };
  const blocks = Object.entries(parts).map(([name, record]) => `,\n  "${name}": {\n${lines(record)}\n  }`);
  return `${top}${blocks.join('')}\n}\n`;
}

/** What the baseline measured with one of its seeds; nothing for a run or a seed it does not hold. */
export interface Expectation {
  passed: boolean;
  taskSuccess: boolean;
  tokens: number;
  calls: number;
}

export function expectationFor(baseline: Baseline, key: string, seed: number): Expectation | undefined {
  const entry = baseline.entries[key];
  const at = baseline.seeds.indexOf(seed);
  if (entry === undefined || at < 0) return undefined;
  return {
    passed: entry.passed[at] === 1,
    taskSuccess: entry.task_success[at] === 1,
    tokens: entry.token_usage[at]!,
    calls: entry.api_call_count[at]!,
  };
}
