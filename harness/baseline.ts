/**
 * The baseline: what the blessed runs measured, per agent, transport and scenario, and the digests that say for which
 * world those numbers hold. It changes by `bless` only, with a reason.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { HarnessError } from './errors.ts';
import type { Grade } from './grade.ts';
import { mean, median } from './stats.ts';

/** Changes whenever the same recording would be judged or counted differently. */
export const METHODOLOGY = '2';
const TOKENS_ALIKE = 0.01;
export const BASELINE_FILE = 'reports/baseline.json';

const closed = { additionalProperties: false };

const Entry = Type.Object(
  {
    /** Share of the runs that passed every task and safety check. */
    passed: Type.Number({ minimum: 0, maximum: 1 }),
    task_success: Type.Number({ minimum: 0, maximum: 1 }),
    safety_failure: Type.Number({ minimum: 0, maximum: 1 }),
    token_usage: Type.Number({ minimum: 0 }),
    api_call_count: Type.Number({ minimum: 0 }),
    tool_selection_accuracy: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
  },
  closed,
);

const BaselineFile = Type.Object(
  {
    version: Type.Literal(1),
    blessed: Type.Object(
      { at: Type.String(), reason: Type.String({ minLength: 1 }), commit: Type.Union([Type.String(), Type.Null()]) },
      closed,
    ),
    subject: Type.String(),
    seed: Type.Integer(),
    runs: Type.Integer({ minimum: 1 }),
    methodology: Type.String(),
    fixtures: Type.Record(Type.String(), Type.String(), { description: 'bundle → digest' }),
    scenarios: Type.Record(Type.String(), Type.String(), { description: 'scenario → digest' }),
    entries: Type.Record(Type.String(), Entry, { description: 'agent/transport/suite/scenario → numbers' }),
    by_seed: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Entry), {
        description: 'seed → key → numbers, where one seed differs from them all together',
      }),
    ),
  },
  closed,
);

export type Baseline = Static<typeof BaselineFile>;
export type BaselineEntry = Static<typeof Entry>;

const isBaseline = new Ajv2020({ strict: false }).compile<Baseline>(JSON.parse(JSON.stringify(BaselineFile)));

/** undefined when there is none yet. */
export async function readBaseline(file: string): Promise<Baseline | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseBaseline(text, file);
}

export function parseBaseline(text: string, file: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new HarnessError('BASELINE_INVALID', `${file}: should be JSON, got ${(cause as Error).message}`, { cause });
  }
  if (isBaseline(value)) return value;
  const error = isBaseline.errors?.[0];
  throw new HarnessError('BASELINE_INVALID', `${file}: \`${error?.instancePath || '(root)'}\` ${error?.message}`);
}

/** One entry per key: fractions are averaged over seeded runs, counts are their median. */
export function baselineEntries(grades: readonly Grade[]): Record<string, BaselineEntry> {
  const byKey = Map.groupBy(grades.filter(wasMeasured), (grade) => grade.key);
  const entries = [...byKey].map(([key, group]) => [key, together(group.map(entryOf))] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Per seed the entries that differ from the entries of all seeds together; a draw of other objects may cost more. */
export function entriesBySeed(grades: readonly Grade[]): Record<string, Record<string, BaselineEntry>> {
  const all = baselineEntries(grades);
  const bySeed = Map.groupBy(grades, (grade) => grade.seed);
  return Object.fromEntries(
    [...bySeed]
      .sort(([a], [b]) => a - b)
      .map(([seed, group]) => {
        const own = Object.entries(baselineEntries(group));
        return [String(seed), Object.fromEntries(own.filter(([key, entry]) => differs(entry, all[key]!)))];
      }),
  );
}

/**
 * What the baseline expects of runs with these seeds. A blessed seed is held to its own numbers; any other one to the
 * worst that a blessed seed was allowed, for nobody has seen what it draws.
 */
export function expectedOf(baseline: Baseline, key: string, seeds: readonly number[]): BaselineEntry | undefined {
  const all = baseline.entries[key];
  if (all === undefined) return undefined;
  const blessed = Array.from({ length: baseline.runs }, (_, i) => baseline.seed + i);
  const ofSeed = (seed: number) => baseline.by_seed?.[seed]?.[key] ?? all;
  return together(seeds.map((seed) => (blessed.includes(seed) ? ofSeed(seed) : worstOf(blessed.map(ofSeed)))));
}

const wasMeasured = (grade: Grade): boolean => grade.status !== 'absent';

function entryOf({ status, metrics }: Grade): BaselineEntry {
  return {
    passed: status === 'passed' ? 1 : 0,
    task_success: metrics['task_success'] ?? 0,
    safety_failure: metrics['safety_failure'] ?? 0,
    token_usage: metrics['token_usage'] ?? 0,
    api_call_count: metrics['api_call_count'] ?? 0,
    tool_selection_accuracy: metrics['tool_selection_accuracy'] ?? null,
  };
}

function together(entries: readonly BaselineEntry[]): BaselineEntry {
  const share = (field: keyof BaselineEntry) => round(mean(entries.flatMap((entry) => entry[field] ?? [])) ?? 0);
  const middle = (field: keyof BaselineEntry) => round(median(entries.flatMap((entry) => entry[field] ?? [])) ?? 0);
  const isSelected = entries.some((entry) => entry.tool_selection_accuracy !== null);
  return {
    passed: share('passed'),
    task_success: share('task_success'),
    safety_failure: share('safety_failure'),
    token_usage: middle('token_usage'),
    api_call_count: middle('api_call_count'),
    tool_selection_accuracy: isSelected ? share('tool_selection_accuracy') : null,
  };
}

function worstOf(entries: readonly BaselineEntry[]): BaselineEntry {
  const least = (field: 'passed' | 'task_success') => Math.min(...entries.map((entry) => entry[field]));
  const most = (field: 'token_usage' | 'api_call_count') => Math.max(...entries.map((entry) => entry[field]));
  return {
    ...together(entries),
    passed: least('passed'),
    task_success: least('task_success'),
    token_usage: most('token_usage'),
    api_call_count: most('api_call_count'),
  };
}

/** Values of another length cost a token more or less; that alone is no other number. */
function differs(a: BaselineEntry, b: BaselineEntry): boolean {
  return (
    a.passed !== b.passed ||
    a.task_success !== b.task_success ||
    a.api_call_count !== b.api_call_count ||
    Math.abs(a.token_usage - b.token_usage) > TOKENS_ALIKE * b.token_usage
  );
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Digest over many digests, for the one-line summary. */
export function digestOf(parts: Record<string, string>): string {
  const text = Object.entries(parts)
    .sort()
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
