/** One page that explains a run: no network, readable on a phone and in the dark. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Eta } from 'eta';
import { differingRequests } from '../../grading/baseline-requests.ts';
import { controlOutcomes } from '../../grading/control-agents.ts';
import type { Grade } from '../../grading/grade.ts';
import { fieldName } from '../../grading/metric.ts';
import { LIMIT } from '../../grading/run-limit.ts';
import { groupedFindings } from '../../grading/verdict-causes.ts';
import { CANARY } from '../../scenario/canary.ts';
import { ruleOfThree } from '../../statistics/stats.ts';
import { escapedText } from '../escape.ts';
import { readPalette } from '../page/palette.ts';
import { drawPlots } from '../page/plots.ts';
import { scenarioMatrix } from '../page/scenario-matrix.ts';
import { suiteTables } from '../page/suite-tables.ts';
import type { Reporter } from '../reporter.ts';
import { contestantOf, type Report, type SuiteSummary, solvedText } from '../run-report.ts';

export default {
  id: 'html',
  file: 'report.html',
  render: async (report) => {
    const template = await readFile(join(import.meta.dirname, '..', 'page', 'page.eta'), 'utf8');
    const eta = new Eta({ autoEscape: true });
    const played = runs(report);
    return eta.renderString(template, {
      canary: CANARY,
      palette: await readPalette(),
      report,
      packedBodies: await packedBodies(eta, played),
      headline: headline(report),
      verdictLine: verdictLine(report),
      tiles: tiles(report),
      plots: await drawPlots(report),
      settings: Object.values(report.meta.settings).join(', '),
      findings: findings(report),
      suiteTables: suiteTables(report),
      runs: played,
      matrix: scenarioMatrix(report, played),
    });
  },
} satisfies Reporter;

/** Characters of each message that the page holds: the first of these with which the page stays in its budget. The recordings hold all. */
const LENGTHS = [4_000, 2_000, 900, 300, 100];
/** Of all messages as they are packed. With this, a page of 200 runs is below a megabyte. */
const BYTES_PER_RUN = 3_500;
const LEAST_BYTES = 200_000;

/** What each run's part of the page holds when it is opened: JSON as a gzip archive in base64. */
async function packedBodies(eta: Eta, played: ReturnType<typeof runs>): Promise<string> {
  const body = eta.compile(await readFile(join(import.meta.dirname, '..', 'page', 'run-body.eta'), 'utf8'));
  const most = Math.max(LEAST_BYTES, played.length * BYTES_PER_RUN);
  let packed = '';
  for (const longest of LENGTHS) {
    const bodies = played.map((run) => eta.render(body, { run, cut: cutAt(longest) }));
    packed = gzipSync(JSON.stringify(bodies), { level: 6 }).toString('base64');
    if (packed.length <= most) break;
  }
  return packed;
}

const cutAt = (longest: number) => (value: string) =>
  value.length <= longest
    ? escapedText(value)
    : `${escapedText(value.slice(0, longest))}… <i>${value.length - longest} more characters in recordings.jsonl</i>`;

function headline(report: Report): string {
  const main = contestantOf(report);
  const all = report.suites.find((row) => row.agent === main && row.suite === 'all');
  return all === undefined ? 'Golden run' : `Golden run: ${main} solved ${all.passed} of ${all.runs}`;
}

function verdictLine(report: Report): string {
  const { status, findings } = report.verdict;
  if (status === 'pass') return 'Verdict: pass. Nothing is worse than the baseline and nothing unsafe happened.';
  if (status === 'played') return 'Played, and compared with no baseline.';
  if (status === 'fail') return `Verdict: fail, ${findings.length} finding${findings.length === 1 ? '' : 's'}.`;
  if (status === 'inconclusive') return 'No verdict: every agent crashed or ran out of time.';
  if (status === 'not-judged') return 'No verdict: the baseline has no run of these agents.';
  return status === 'stale' ? 'No verdict: the baseline is stale.' : 'No verdict: there is no baseline.';
}

function tiles(report: Report) {
  const main = contestantOf(report);
  const shown = report.suites.find((summary) => summary.agent === main && summary.suite === 'all');
  const controls = controlOutcomes(report.grades);
  const unsafe = report.grades.filter((g) => g.metrics['safety_failure'] === 1).length;
  const bound = ruleOfThree(new Set(report.grades.map((grade) => grade.scenario)).size) ?? 1;
  const whole = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-GB');
  const share = (summary: SuiteSummary | undefined) =>
    summary === undefined || summary.runs === 0 ? '–' : `${Math.round((100 * summary.passed) / summary.runs)} %`;
  return [
    {
      title: `${main} solved`,
      value: share(shown),
      note: shown === undefined ? '' : `${solvedText(shown)} runs`,
    },
    {
      title: 'Unsafe runs',
      value: String(unsafe),
      note: unsafe === 0 ? `true rate below ${(100 * bound).toFixed(1)} %` : 'see the verdict',
    },
    {
      title: 'Tokens, mean',
      value: whole(shown?.metrics['token_usage']?.mean),
      note: `p95 ${whole(shown?.metrics['token_usage']?.p95)}`,
    },
    {
      title: 'Platform calls, mean',
      value: shown?.metrics['api_call_count']?.mean?.toFixed(1) ?? '–',
      note: 'counted by the fake',
    },
    {
      title: 'Controls',
      value: controls.length === 0 ? '–' : controls.every(({ held }) => held) ? 'held' : 'broken',
      note: controls.map(({ agent }) => agent).join(', ') || 'none was played',
    },
  ];
}

/** One id per run that a link can name. */
const anchorOf = (grade: Pick<Grade, 'key' | 'seed'>): string => `${grade.key.replaceAll('/', '.')}.${grade.seed}`;

/** One entry per cause: a finding, the requests that differ from the baseline's, and the other runs with the same cause. */
function findings(report: Report) {
  const known = new Set(report.grades.map(anchorOf));
  const linkTo = ({ key, seed }: Report['verdict']['findings'][number]) => {
    const anchor = anchorOf({ key, seed: seed ?? report.meta.seed });
    const title = seed === undefined || report.meta.runs === 1 ? key : `${key}, seed ${seed}`;
    return { title, anchor: known.has(anchor) ? anchor : undefined };
  };
  return groupedFindings(report.verdict.findings).map(({ findings: [first, ...others] }) => ({
    ...first!,
    ...linkTo(first!),
    ...differingRequests(first!.requests?.blessed ?? [], first!.requests?.now ?? []),
    others: others.map(linkTo),
  }));
}

function runs(report: Report) {
  const traces = new Map(report.traces.map((trace) => [`${trace.key}#${trace.run}`, trace]));
  const marks: Record<string, string> = { passed: '✓', failed: '✗', absent: '–', 'gate-absence': '≠', [LIMIT]: '∞' };
  const found = Map.groupBy(report.verdict.findings, (finding) => `${finding.key}#${finding.seed}`);
  return report.grades.map((grade) => {
    const expected = grade.agent === 'noop' && grade.status === 'failed';
    return {
      grade,
      anchor: anchorOf(grade),
      findings: found.get(`${grade.key}#${grade.seed}`) ?? [],
      mark: expected ? '·' : (marks[grade.status] ?? '?'),
      tone: expected ? 'expected' : grade.status,
      metrics: report.metrics.flatMap((metric) => {
        const value = grade.metrics[fieldName(metric)];
        return value === null || value === undefined ? [] : [`${metric.title} ${Math.round(value * 10) / 10}`];
      }),
      trace: traces.get(`${grade.key}#${grade.run}`) ?? { intent: '', messages: [], otherCalls: [], answer: '' },
    };
  });
}
