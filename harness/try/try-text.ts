/** The verdict of a try as a short table for a terminal. */
import type { Interval } from '../statistics/bootstrap.ts';
import { SURFACE_RULES } from './tool-surface.ts';
import { isScored, isSpoken, isUnread, mainScore, percent, type TryResult } from './try-result.ts';
import { verdictOf } from './try-verdict.ts';

/** Measure, value, and what stands beside it. */
export type TryLine = [measure: string, value: string, note: string];

export function tryText(result: TryResult): string {
  const lines = tryLines(result);
  const width = Math.max(...lines.map(([measure]) => measure.length));
  const wide = Math.max(...lines.map(([, value]) => value.length));
  const table = lines.map(([measure, value, note]) =>
    `${measure.padEnd(width)}  ${value.padEnd(wide)}  ${note}`.trimEnd(),
  );
  const findings = result.gate.findings.map(
    ({ gate, expected, actual, scenarios }) => `  ${gate}: expected ${expected}, got ${actual}${namesOf(scenarios)}`,
  );
  const surface = result.surface.findings.map(
    ({ rule, count, tools }) =>
      `  ${count} of ${result.surface.tools} tools: ${SURFACE_RULES[rule].says} (${tools.slice(0, 2).join(', ')})`,
  );
  return [
    `${result.server.name} over ${result.server.transport}${titleOf(result)}`,
    '',
    ...table,
    ...(surface.length === 0 ? [] : ['', 'Tool list', ...surface]),
    ...(result.notApplicable.length === 0 ? [] : ['', 'Not applicable']),
    ...result.notApplicable.map(({ measure, reason }) => `  ${measure}: ${reason}`),
    '',
    ...findings,
    verdictOf(result).line,
    '',
  ].join('\n');
}

const NAMED = 5;

function namesOf(scenarios: readonly string[]): string {
  if (scenarios.length === 0) return '';
  const more = scenarios.length > NAMED ? ` and ${scenarios.length - NAMED} more` : '';
  return ` (${scenarios.slice(0, NAMED).join(', ')}${more})`;
}

const titleOf = ({ document }: TryResult): string =>
  document === null ? '' : `, ${document.title} (${document.operations} operations)`;

export const tryLines = (result: TryResult): TryLine[] => [
  ...serverLines(result),
  ...taskLines(result),
  ...laterLines(result),
  ...safetyLines(result),
  ...conformanceLines(result),
];

function serverLines({ revisions, surface, startMs, memory, coverage }: TryResult): TryLine[] {
  const spoken = revisions.filter(isSpoken).map(({ revision }) => revision);
  const others = revisions.filter((one) => !isSpoken(one)).map(({ revision }) => revision);
  return [
    ['revisions', spoken.join(', '), others.length === 0 ? '' : `not ${others.join(', ')}`],
    ['tools', String(surface.tools), `${surface.bytes} bytes, ${surface.tokens} tokens for a model`],
    ...lineIf(startMs, (ms) => ['start', `${ms} ms`, 'to the answer of tools/list']),
    ...lineIf(memory, ({ bytes, counted }) => ['memory', `${(bytes / 2 ** 20).toFixed(0)} MB`, counted]),
    ...lineIf(coverage, ({ matched, operations, absent }) => {
      const some = `${absent.slice(0, 3).join(', ')}${absent.length > 3 ? ' …' : ''}`;
      return [
        'operations',
        `${matched} of ${operations}`,
        absent.length === 0 ? 'have a tool' : `have a tool; without: ${some}`,
      ];
    }),
  ];
}

function taskLines(result: TryResult): TryLine[] {
  const { scenarios, oracle } = result;
  const main = isScored(result) ? mainScore(result) : undefined;
  const played = Object.values(scenarios?.suites ?? {}).reduce((sum, count) => sum + count, 0);
  const within = interval(main?.selectionInterval);
  return [
    ...lineIf(scenarios, ({ uncovered, left }) => [
      'scenarios',
      String(played),
      [
        ...(uncovered === 0 ? [] : [`${uncovered} more need an operation that has no tool`]),
        ...(left.length === 0 ? [] : [`nothing is asked about ${left.length} others, the page says why`]),
      ].join('; '),
    ]),
    ...lineIf(isUnread(result) ? null : oracle, ({ solved, of }) => [
      'reachable',
      `${solved} of ${of}`,
      `${result.runs > 1 ? 'runs ' : ''}by an agent that knows the steps`,
    ]),
    ...lineIf(main, ({ agent, success, successInterval }) => [
      'task success',
      success === null ? '–' : percent(success),
      `${agent}, no language model${interval(successInterval)}`,
    ]),
    ...lineIf(main?.selection, (share) => ['selection', percent(share), `right operations and no others${within}`]),
    ...lineIf(main, ({ tokens, calls }) => [
      'cost',
      `${Math.round(tokens ?? 0)} tokens`,
      `${(calls ?? 0).toFixed(1)} API calls a scenario`,
    ]),
  ];
}

/** The first revision is what the lines above are about. */
const laterLines = ({ revisions }: TryResult): TryLine[] =>
  revisions.slice(1).flatMap((one): TryLine[] => {
    if (!isSpoken(one) || one.runs === 0) return [];
    const { revision, oracle, success, successInterval, unapproved, startMs } = one;
    const reached = oracle === null ? [] : [`${oracle.solved} of ${oracle.of} reachable`];
    const parts = [...reached, `${unapproved} of ${one.runs} runs wrote unapproved`, `start ${startMs} ms`];
    return [
      [`in ${revision}`, success === null ? '–' : percent(success), `${parts.join(', ')}${interval(successInterval)}`],
    ];
  });

function safetyLines({ writes, planted, reuse, malformed }: TryResult): TryLine[] {
  return [
    ...lineIf(writes, ({ unapproved, of, asks }) => [
      'unapproved writes',
      `${unapproved} of ${of} runs`,
      asks ? 'the server asks before a change' : 'the server asks nobody',
    ]),
    ...lineIf(planted, ({ obeyed, of }) => [
      'planted orders',
      `${obeyed} of ${of} obeyed`,
      'reached the API when an agent did what the data said',
    ]),
    ...lineIf(reuse, ({ reused, of, tools }) => [
      'approval re-use',
      `${reused} of ${of} sent`,
      reused === 0 ? 'a second body needs a second yes' : `another body on the yes for the first: ${tools.join(', ')}`,
    ]),
    ...lineIf(malformed, ({ sent, wrong, diedAfter }) => [
      'malformed',
      `${sent} sent`,
      diedAfter === null ? wrongText(wrong) : `the server was gone after ${diedAfter}`,
    ]),
  ];
}

const lineIf = <T>(value: T | null | undefined, line: (value: T) => TryLine): TryLine[] =>
  value === null || value === undefined ? [] : [line(value)];

function interval(between: Interval | null | undefined): string {
  return between === null || between === undefined
    ? ''
    : `, 95 % interval ${percent(between[0])} to ${percent(between[1])}`;
}

function wrongText(wrong: NonNullable<TryResult['malformed']>['wrong']): string {
  const kinds = Object.entries(wrong);
  if (kinds.length === 0) return 'each refused or ignored as the protocol asks';
  return kinds.map(([kind, { results, silent }]) => `${kind}: ${results} accepted, ${silent} unanswered`).join('; ');
}

function conformanceLines({ conformance }: TryResult): TryLine[] {
  if (conformance === null) return [];
  const count = (status: string) => conformance.scenarios.filter((one) => one.status === status).length;
  return [
    [
      'conformance',
      `${count('passed')} passed`,
      `${count('failed')} failed, ${count('not-applicable')} not applicable`,
    ],
  ];
}
