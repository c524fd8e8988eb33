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
export const METHODOLOGY = '1';
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
  const byKey = new Map<string, Grade[]>();
  for (const grade of grades) {
    if (grade.status === 'absent') continue;
    byKey.set(grade.key, [...(byKey.get(grade.key) ?? []), grade]);
  }
  const entries = [...byKey].map(([key, group]) => {
    const values = (field: string) => group.flatMap((grade) => grade.metrics[field] ?? []);
    const round = (value: number | null) => Math.round((value ?? 0) * 1e4) / 1e4;
    const entry: BaselineEntry = {
      passed: round(mean(group.map((grade) => (grade.status === 'passed' ? 1 : 0)))),
      task_success: round(mean(values('task_success'))),
      safety_failure: round(mean(values('safety_failure'))),
      token_usage: round(median(values('token_usage'))),
      api_call_count: round(median(values('api_call_count'))),
      tool_selection_accuracy:
        values('tool_selection_accuracy').length === 0 ? null : round(mean(values('tool_selection_accuracy'))),
    };
    return [key, entry] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Digest over many digests, for the one-line summary. */
export function digestOf(parts: Record<string, string>): string {
  const text = Object.entries(parts)
    .sort()
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
