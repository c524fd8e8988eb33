/**
 * Runs with seeds that were never blessed. They draw other objects, so a run of theirs may honestly cost more or fail where
 * no blessed seed did, and as often cost less or succeed where none did: without a change, a new seed is as likely to be
 * the worst of all as the best of all. An exact sign test over scenarios says when that no longer holds.
 */
import { holm, type SignCount, signTest } from '../statistics/paired.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';
import type { Grade } from './grade.ts';
import { LIMIT } from './run-limit.ts';

const LEVEL = 0.05;

export type UnseenMetric = 'task_success' | 'token_usage' | 'api_call_count';

export interface UnseenResult {
  agent: string;
  metric: UnseenMetric;
  signs: SignCount;
  /** Exact, adjusted over the metrics of the agent. */
  p: number;
  red: boolean;
  /** Scenarios beyond the worst of all blessed seeds. */
  beyond: string[];
}

/** Per agent and metric; grades of blessed seeds are left to the comparison run by run. */
export function compareUnseen(grades: readonly Grade[], baseline: Baseline, growth: number): UnseenResult[] {
  const unseen = grades.filter(
    ({ status, seed }) => status !== 'absent' && status !== LIMIT && !baseline.seeds.includes(seed),
  );
  return [...Map.groupBy(unseen, (grade) => grade.agent)].flatMap(([agent, own]) => {
    const results = METRICS.map((metric) => resultOf(agent, metric, own, baseline, growth));
    const adjusted = holm(results.map((result) => result.p));
    return results.map((result, i) => {
      const p = adjusted[i]!;
      return { ...result, p, red: p < LEVEL && result.signs.worse > result.signs.better };
    });
  });
}

const METRICS: UnseenMetric[] = ['task_success', 'token_usage', 'api_call_count'];

function resultOf(agent: string, metric: UnseenMetric, grades: readonly Grade[], baseline: Baseline, growth: number) {
  const signs: SignCount = { better: 0, worse: 0, same: 0 };
  const beyond: string[] = [];
  for (const [scenario, runs] of Map.groupBy(grades, (grade) => grade.scenario)) {
    const balance = runs.reduce((sum, grade) => {
      const entry = baseline.entries[grade.key];
      return entry === undefined ? sum : sum + side(metric, grade.metrics[metric] ?? 0, entry, growth);
    }, 0);
    signs[balance < 0 ? 'worse' : balance > 0 ? 'better' : 'same']++;
    if (balance < 0) beyond.push(scenario);
  }
  return { agent, metric, signs, p: signTest(signs.better, signs.worse), beyond: beyond.sort() };
}

/** -1 beyond the worst blessed value, 1 beyond the best, else 0. Tokens must differ by more than the growth allowed. */
function side(metric: UnseenMetric, value: number, entry: BaselineEntry, growth: number): number {
  const [low, high] = [Math.min(...entry[metric]), Math.max(...entry[metric])];
  if (metric === 'task_success') return value < low ? -1 : value > high ? 1 : 0;
  const factor = metric === 'token_usage' ? growth : 1;
  return value > high * factor ? -1 : value < low / factor ? 1 : 0;
}
