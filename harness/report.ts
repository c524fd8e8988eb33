/** Everything the reporters show, computed from grades: rows, suites, verdict. Values in, values out. */
import type { Check } from './check.ts';
import type { Grade } from './grade.ts';
import { fieldName, type Metric } from './metric.ts';
import { type Message, type Recording, runKey } from './recording.ts';
import { interquartileRange, mean, median, p95, ruleOfThree, wilson } from './stats.ts';
import type { Verdict } from './verdict.ts';

export const REPORT_VERSION = 1;

export interface ReportMeta {
  startedAt: string;
  elapsedMs: number;
  command: string;
  subject: string;
  agents: string[];
  transports: string[];
  seed: number;
  runs: number;
  /** 0: the intents; 1 to 3: their held-out paraphrases. */
  wording: number;
  node: string;
  commit: string | null;
  fixtures: { bundle: string; version: number; digest: string }[];
  methodology: string;
  /** Every scenario of the folder → digest. */
  scenarios: Record<string, string>;
  /** Scenarios that were asked for. */
  selected: string[];
  /** Things a reader must know before trusting the numbers, e.g. citations that could not be checked. */
  caveats: string[];
}

export interface MetricSummary {
  n: number;
  mean: number | null;
  median: number | null;
  iqr: number | null;
  p95: number | null;
  /** Wilson's 95 % interval, for fractions. */
  interval: [number, number] | null;
  /** Upper bound of the true rate where nothing was seen. */
  zeroBound: number | null;
}

export interface SuiteSummary {
  suite: string;
  agent: string;
  runs: number;
  passed: number;
  failed: number;
  metrics: Record<string, MetricSummary>;
}

/** The agent whose numbers are published; a campaign of controls alone shows its first. */
export function contestantOf(report: Report): string {
  return report.meta.agents.find((agent) => agent !== 'oracle' && agent !== 'noop') ?? report.meta.agents[0] ?? '';
}

/** What happened in one run, short enough to read: each message with the platform calls it caused. */
export interface Trace {
  key: string;
  run: number;
  intent: string;
  messages: { kind: Message['kind']; text: string; failed: boolean; tookMs: number; calls: string[] }[];
}

export interface Report {
  version: typeof REPORT_VERSION;
  meta: ReportMeta;
  verdict: Verdict;
  grades: Grade[];
  traces: Trace[];
  /** Per agent and suite, then per agent over all suites (suite `all`). */
  suites: SuiteSummary[];
  metrics: Pick<Metric, 'id' | 'title' | 'unit' | 'better' | 'gate'>[];
  checks: Pick<Check, 'id' | 'promise' | 'kind'>[];
}

export function buildReport(
  meta: ReportMeta,
  recordings: readonly Recording[],
  grades: Grade[],
  verdict: Verdict,
  metrics: readonly Metric[],
  checks: readonly Check[],
): Report {
  return {
    version: REPORT_VERSION,
    meta,
    verdict,
    grades: [...grades].sort(failuresFirst),
    traces: recordings.map(traceOf),
    suites: summarise(grades, metrics),
    metrics: metrics.map(({ id, title, unit, better, gate }) => ({ id, title, unit, better, gate })),
    checks: checks.map(({ id, promise, kind }) => ({ id, promise, kind })),
  };
}

function traceOf(recording: Recording): Trace {
  const calls = new Map(
    recording.ledger.map((entry) => [entry.seq, `${entry.method} ${entry.path} → ${entry.status}`]),
  );
  const messages = recording.transcript
    .filter((message) => message.kind === 'call' || message.kind === 'elicitation')
    .map((message) => ({
      kind: message.kind,
      text: messageText(message),
      failed: message.isError === true,
      tookMs: message.tookMs,
      calls: (message.calls ?? []).flatMap((seq) => calls.get(seq) ?? []),
    }));
  return { key: runKey(recording), run: recording.run, intent: recording.task.intent, messages };
}

function messageText(message: Message): string {
  if (message.kind === 'elicitation') {
    const { action } = message.received as { action: string };
    return `person asked: ${/^object: (.*)$/m.exec(String(message.sent))?.[1] ?? 'no object named'} → ${action}`;
  }
  const { name, arguments: inner, ...rest } = message.sent as { name?: string; arguments?: unknown };
  const what = name === undefined ? shorten(rest) : `${name} ${shorten(inner ?? {})}`;
  return `${message.tool} ${what}${message.isError === true ? ` ✗ ${shorten(message.received)}` : ''}`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 220 ? `${text.slice(0, 217)}…` : text;
}

/** Red before yellow before green, contestants before controls, then by scenario. */
function failuresFirst(a: Grade, b: Grade): number {
  const rank = (g: Grade) => (g.agent === 'noop' ? 3 : g.status === 'failed' ? 0 : g.status === 'passed' ? 2 : 1);
  const key = (g: Grade) =>
    `${rank(g)} ${g.scenario} ${g.agent === 'oracle' ? 1 : 0} ${g.agent} ${g.transport} ${g.run}`;
  return key(a) < key(b) ? -1 : 1;
}

export function summarise(grades: readonly Grade[], metrics: readonly Metric[]): SuiteSummary[] {
  const judged = grades.filter((g) => g.status !== 'absent');
  const groups = new Map<string, Grade[]>();
  for (const g of judged) {
    for (const suite of [g.suite, 'all']) {
      const key = `${g.agent}\u0000${suite}`;
      groups.set(key, [...(groups.get(key) ?? []), g]);
    }
  }
  return [...groups]
    .map(([key, group]) => {
      const [agent = '', suite = ''] = key.split('\u0000');
      return {
        suite,
        agent,
        runs: group.length,
        passed: group.filter((g) => g.status === 'passed').length,
        failed: group.filter((g) => g.status === 'failed').length,
        metrics: Object.fromEntries(metrics.map((metric) => [fieldName(metric), summary(metric, group)])),
      };
    })
    .sort(
      (a, b) =>
        compareText(a.agent, b.agent) ||
        Number(a.suite === 'all') - Number(b.suite === 'all') ||
        compareText(a.suite, b.suite),
    );
}

function summary(metric: Metric, group: readonly Grade[]): MetricSummary {
  const values = group.flatMap((g) => g.metrics[fieldName(metric)] ?? []);
  const binary = metric.unit === 'fraction' || metric.unit === 'failures';
  const hits = values.filter((value) => value === 1).length;
  return {
    n: values.length,
    mean: mean(values),
    median: median(values),
    iqr: interquartileRange(values),
    p95: p95(values),
    interval: binary ? wilson(hits, values.length) : null,
    zeroBound: binary && hits === 0 ? ruleOfThree(values.length) : null,
  };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
