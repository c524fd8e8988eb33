/** In what the plans of two runs differ, and their models: whoever reads what changed between them has to know it first. */
import { differences } from '../recording/campaign-plan.ts';
import { setupOf } from '../recording/transcript.ts';
import { canonicalJson } from '../scenario/sorted-json.ts';
import { type ReportMeta, seedsOf } from './run-report.ts';
import { temperatureText } from './sent-settings.ts';
import type { StoredRun } from './stored-run.ts';

export interface PlanDifference {
  field: string;
  before: unknown;
  after: unknown;
}

type Planned = Pick<StoredRun, 'meta' | 'recordings'>;

export function planDifferences(a: Planned, b: Planned): PlanDifference[] {
  const fields = [...new Set(differences(a.meta, b.meta).map((field) => (field === 'runs' ? 'seed' : field)))];
  const ofPlan = fields.map((field): PlanDifference => {
    if (field === 'seed') return { field: 'seeds', before: seedsOf(a.meta), after: seedsOf(b.meta) };
    if (field !== 'scenarios')
      return { field, before: a.meta[field as keyof ReportMeta], after: b.meta[field as keyof ReportMeta] };
    const other = (own: ReportMeta, others: ReportMeta) =>
      Object.fromEntries(Object.entries(own.scenarios).filter(([id, digest]) => others.scenarios[id] !== digest));
    return { field, before: other(a.meta, b.meta), after: other(b.meta, a.meta) };
  });
  const [before, after] = [modelsOf(a), modelsOf(b)];
  return before.join() === after.join() ? ofPlan : [...ofPlan, { field: 'model', before, after }];
}

/** One line each. */
export function differenceLine({ field, before, after }: PlanDifference): string {
  if (field !== 'scenarios') return `other ${field}: ${shown(before)} → ${shown(after)}`;
  const ids = [...new Set([before, after].flatMap((digests) => Object.keys(digests as object)))].sort();
  return `other scenarios: ${ids.length} (${ids.slice(0, MOST_SHOWN).join(', ')}${ids.length > MOST_SHOWN ? ', …' : ''})`;
}

const MOST_SHOWN = 5;

function shown(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.length > MOST_SHOWN ? `${value[0]} to ${value.at(-1)} (${value.length})` : value.join(', ') || 'none';
}

function modelsOf({ recordings }: Planned): string[] {
  const asked = recordings.flatMap(({ model }) => (model === undefined ? [] : setupOf(model)));
  return [...new Set(asked.map(modelText))].sort();
}

const modelText = ({ model, temperature, prompt, extra_body }: ReturnType<typeof setupOf>): string =>
  [
    `${model}, temperature ${temperatureText(temperature)}, prompt ${prompt}`,
    ...(extra_body === undefined ? [] : [`extra body ${canonicalJson(extra_body)}`]),
  ].join(', ');
