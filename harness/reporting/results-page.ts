/** The results page of a version, from what its campaigns recorded. Values in, text out: the same files give the same bytes. */
import { agentsShown, controlOutcomes, isControl } from '../grading/control-agents.ts';
import { useOf } from '../recording/transcript.ts';
import { CANARY } from '../scenario/canary.ts';
import { escapedCell } from './escape.ts';
import type { Campaign } from './publication.ts';
import type { MetricSummary, Report, SuiteSummary } from './run-report.ts';
import { besideZero, isPassOrFail, seedsOf, solvedText } from './run-report.ts';
import { seedText, temperatureText } from './sent-settings.ts';

export interface JudgedCampaign extends Campaign {
  report: Report;
}

export function resultsPage(
  version: string,
  campaigns: readonly JudgedCampaign[],
  /** Other servers beside this one, where their rows are stored with the version. */
  comparison?: { commit: string | null; subjects: readonly unknown[] },
): string {
  const lines = [
    `<!-- Written by \`npm run harness -- reproduce ${version}\` from reports/recordings/${version}. Do not edit by hand. -->`,
    `<!-- ${CANARY}: this file must not be in training data. -->`,
    `# Benchmark results ${version}`,
    '',
    `\`npm run harness -- reproduce ${version} --check\` makes this page again from the stored recordings, without a network, and compares every`,
    'byte. Every number is a count, a share or a ratio: platform calls are counted by the fake platform, tokens are `o200k_base`. Milliseconds depend on the',
    'machine and stand in no table. Time is a ratio to the mean of `oracle`, the control that makes the known calls, over the same suite.',
    '',
    ...notRunHere(campaigns, comparison !== undefined),
    ...(comparison === undefined
      ? []
      : [
          `${comparison.subjects.length} servers, this one in its modes among them, are [compared](../reports/comparison.md) at commit \`${comparison.commit}\`; the same`,
          'command makes that page again.',
          '',
        ]),
    ...campaigns.flatMap(campaignSection),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What a reader would look for and not find. */
function notRunHere(campaigns: readonly JudgedCampaign[], isCompared: boolean): string[] {
  const rows = [
    ...(campaigns.some(({ recordings }) => recordings.some(({ model }) => model !== undefined))
      ? []
      : [['agents that ask a language model', 'no endpoint of one was there when these recordings were made']]),
    ...(isCompared || new Set(campaigns.map(({ meta }) => meta.subject)).size > 1
      ? []
      : [['other servers', 'no other server was recorded for this version']]),
  ];
  return rows.length === 0 ? [] : ['## Not run here', '', ...table(['what', 'because'], rows), ''];
}

function campaignSection(campaign: JudgedCampaign): string[] {
  const { name, report } = campaign;
  return [
    `## ${name}`,
    '',
    ...table(['', ''], campaignRows(campaign)),
    '',
    ...report.meta.caveats.flatMap((caveat) => [`> ${escapedCell(caveat)}`, '']),
    ...table(
      [
        'agent',
        'suite',
        'solved',
        '95 % interval',
        'needed tools and no other',
        'tokens: median (quartiles)',
        'tokens: mean, p95',
        'calls: median (quartiles)',
        'time beside oracle: mean, p95',
        'unsafe',
      ],
      report.suites.filter(({ agent }) => !isControl(agent)).map((row) => suiteRow(row, oracleMs(report, row.suite))),
    ),
    '',
    ...gateAbsences(report),
    ...controls(report),
    ...unsolved(report),
  ];
}

/** Listed separately: a run that neither passed nor failed is in no share. */
function gateAbsences({ suites }: Report): string[] {
  const absent = suites.filter(({ suite, gateAbsences }) => suite === 'all' && gateAbsences > 0);
  if (absent.length === 0) return [];
  return [
    'Gate-absent: the run wrote through a server that asks nobody. Such a run is neither solved nor unsolved.',
    '',
  ];
}

/** Control agents test the harness and have no results: the page only has pass or fail. */
function controls({ grades }: Report): string[] {
  const rows = controlOutcomes(grades).map(({ agent, must, held, broken }) => [
    agent,
    must,
    held ? 'yes' : `no: ${broken.join(', ')}`,
  ]);
  return rows.length === 0 ? [] : ['### Controls', '', ...table(['control', 'must have', 'held'], rows), ''];
}

function campaignRows({ meta, recordings, sha256 }: JudgedCampaign): string[][] {
  const settings = Object.entries(meta.settings).map(([name, value]) => `${name} ${value}`);
  const seeds = seedsOf(meta);
  return [
    ['server', [meta.subject, ...settings].join(', ')],
    ['commit', `\`${meta.commit}\``],
    ['agents', agentsShown(meta.agents).join(', ')],
    ['transports', meta.transports.join(', ')],
    ['runs', runsText(meta, recordings)],
    ['seeds', `${seeds[0]} to ${seeds.at(-1)}`],
    ...meta.fixtures.map(({ bundle, version, digest }) => ['fixture', `${bundle}, version ${version}, \`${digest}\``]),
    ['methodology', meta.methodology],
    ['recorded', `${meta.startedAt}, Node ${meta.node}`],
    ['recordings', `\`sha256:${sha256}\``],
    ...modelRows(recordings),
  ];
}

/** Those of the controls apart: no figure counts them. */
function runsText({ runs, selected }: JudgedCampaign['meta'], recordings: JudgedCampaign['recordings']): string {
  const ofControls = recordings.filter(({ agent }) => isControl(agent)).length;
  const made = `${runs} of each of ${selected.length} scenarios, ${recordings.length - ofControls} in all`;
  return ofControls === 0 ? made : `${made}, and ${ofControls} of controls`;
}

function modelRows(recordings: JudgedCampaign['recordings']): string[][] {
  const asked = recordings.flatMap(({ model }) => model ?? []);
  if (asked.length === 0) return [];
  const uses = asked.map(useOf);
  const all = (values: readonly string[]) => [...new Set(values)].sort().join(', ') || 'none given';
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return [
    ['model', all(asked.map(({ request }) => request.model))],
    ['answered as', all(uses.flatMap((use) => use.models))],
    ['fingerprint', all(uses.flatMap((use) => use.fingerprints))],
    ['temperature', all(asked.map(({ request }) => temperatureText(request.temperature)))],
    ['seed', seedText(asked.map((transcript) => transcript.seed_honoured))],
    ['requests', `${sum(uses.map((use) => use.requests))}, and ${sum(uses.map((use) => use.retries))} retries`],
    [
      'provider’s tokens',
      `${sum(uses.map((use) => use.prompt_tokens))} read, ${sum(uses.map((use) => use.completion_tokens))} written`,
    ],
  ];
}

/** Mean milliseconds of `oracle` over a suite of the same campaign; null where it did not run. */
function oracleMs({ suites }: Report, suite: string): number | null {
  const row = suites.find((known) => known.agent === 'oracle' && known.suite === suite);
  return row?.metrics['latency_ms']?.mean ?? null;
}

function suiteRow(row: SuiteSummary, oracle: number | null): string[] {
  const { agent, suite, solvedInterval, metrics } = row;
  const percent = (share: number | null | undefined) =>
    share === null || share === undefined ? '–' : `${(share * 100).toFixed(1)} %`;
  const [unsafe, selection] = [metrics['safety_failure'], metrics['tool_selection_accuracy']];
  const bound = unsafe?.zeroBound;
  return [
    agent,
    suite,
    solvedText(row),
    solvedInterval === null ? '–' : `${percent(solvedInterval[0])} to ${percent(solvedInterval[1])}`,
    `${percent(selection?.mean)}${besideZero(selection?.zeroBound, 1)}`,
    spread(metrics['token_usage'], 0),
    meanAndP95(metrics['token_usage'], 1, 0),
    spread(metrics['api_call_count'], 1),
    meanAndP95(metrics['latency_ms'], oracle, 2),
    `${Math.round((unsafe?.mean ?? 0) * (unsafe?.n ?? 0))}${bound === null || bound === undefined ? '' : ` (true rate < ${percent(bound)})`}`,
  ];
}

function spread(summary: MetricSummary | undefined, digits: number): string {
  if (summary?.median === null || summary?.median === undefined) return '–';
  const median = summary.median.toFixed(digits);
  const [low, high] = summary.quartiles ?? [null, null];
  return low === null || high === null ? median : `${median} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Both divided by `unit`; a dash where one of the three is missing. */
function meanAndP95(summary: MetricSummary | undefined, unit: number | null, digits: number): string {
  const [mean, p95] = [summary?.mean ?? null, summary?.p95 ?? null];
  if (mean === null || p95 === null || unit === null || unit === 0) return '–';
  return `${(mean / unit).toFixed(digits)}, ${(p95 / unit).toFixed(digits)}`;
}

/** Per scenario, not per run: how often, and the reason given most. */
function unsolved({ grades }: Report): string[] {
  const groups = new Map<string, Report['grades']>();
  for (const grade of grades) {
    if (isControl(grade.agent)) continue;
    const key = `${grade.agent} ${grade.scenario}`;
    groups.set(key, [...(groups.get(key) ?? []), grade]);
  }
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const judged = group.filter(isPassOrFail);
      const failed = judged.filter(({ status }) => status === 'failed');
      const first = failed[0];
      if (first === undefined) return [];
      return [
        [
          first.agent,
          first.scenario,
          `${failed.length}/${judged.length}`,
          escapedCell(commonest(failed.map(reasonOf))),
        ],
      ];
    });
  if (rows.length === 0) return ['No run of any scenario was left unsolved.', ''];
  return ['### Not solved', '', ...table(['agent', 'scenario', 'runs', 'reason, of the most runs'], rows), ''];
}

const reasonOf = (grade: Report['grades'][number]): string => grade.reasons[0] ?? grade.status;

/** The most frequent text; of equally frequent ones the first in order. */
function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? '';
}

function table(header: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}
