/** The content of a comparison, size by size and independent of the output format: cells with their notes. */
import type { Cell } from '../reporting/page/suite-tables.ts';
import { seedText, temperatureText } from '../reporting/sent-settings.ts';
import type { Interval } from '../statistics/bootstrap.ts';
import { COLUMNS, type Column, count, share, shareNotes, standings } from './compare-table.ts';
import type { Comparison } from './server-comparison.ts';
import { SIZE_TITLES, type Size } from './size.ts';
import { contestantsOf, type Score } from './subject-score.ts';

export const ROUTER = 'router';

export interface Table {
  header: string[];
  rows: Cell[][];
}

/** One agent through every subject at one size. */
export interface Section {
  title: string;
  /** Sentences before the table. */
  notes: string[];
  entries: Shown[];
  table: Table;
  standing: Standing;
  /** Nothing where no scenario plays. */
  suites: Table | undefined;
}

export interface Shown {
  subject: string;
  /** In the order of the columns. */
  values: (number | null | undefined)[];
  intervals: (Interval | null | undefined)[];
  notes: string[][];
}

export interface Standing {
  first: string[];
  /** Columns in which the router is not first, by how much, and who is. */
  behind: { column: string; behind: string; first: string[] }[];
}

type ComparedCell = Comparison['cells'][number];

const isShown = ({ absent, notRun, oracle }: ComparedCell): boolean =>
  absent === undefined && notRun === undefined && oracle?.comparable !== false;

export function sectionsOf(comparison: Comparison): Section[] {
  return comparison.sizes.flatMap((size) => {
    const agents = size === 'github' ? [undefined] : contestantsOf(comparison.agents);
    return agents.flatMap((agent) => sectionOf(comparison, size, agent) ?? []);
  });
}

function sectionOf(comparison: Comparison, size: Size, agent: string | undefined): Section | undefined {
  const entries = entriesAt(comparison, size, agent);
  if (entries.length === 0) return undefined;
  const several = contestantsOf(comparison.agents).length > 1 && agent !== undefined;
  return {
    title: `Given ${SIZE_TITLES[size]}${several ? `, worked by ${agent}` : ''}`,
    notes: size === 'github' ? documentNotes(comparison) : TASK_NOTES,
    entries,
    table: tableOf(entries),
    standing: standingOf(entries),
    suites: agent === undefined ? undefined : suitesOf(comparison, size, agent, entries),
  };
}

/** Subjects that were run at a size and are comparable, with their values over all suites. */
function entriesAt(comparison: Comparison, size: Size, agent: string | undefined): Shown[] {
  return comparison.cells
    .filter((cell) => cell.size === size && isShown(cell))
    .map((cell) => {
      const score = scoreIn(comparison, cell.subject, size, agent, 'all');
      const speed = comparison.timings.find((one) => one.subject === cell.subject && one.size === size)?.speed;
      const entry = { score, cell, speed };
      return {
        subject: cell.subject,
        values: COLUMNS.map(({ take }) => take(entry)),
        intervals: COLUMNS.map(({ interval }) => interval?.(entry)),
        notes: COLUMNS.map(({ notes }) => notes?.(entry) ?? []),
      };
    });
}

const scoreIn = (
  { scores }: Comparison,
  subject: string,
  size: string,
  agent: string | undefined,
  suite: string,
): Score | undefined =>
  scores.find(
    (score) => score.subject === subject && score.size === size && score.agent === agent && score.suite === suite,
  );

/** Columns in which somebody has a number. */
export const usedColumns = (entries: readonly Shown[]): { column: Column; i: number }[] =>
  COLUMNS.map((column, i) => ({ column, i })).filter(({ i }) =>
    entries.some(({ values }) => typeof values[i] === 'number'),
  );

function tableOf(entries: readonly Shown[]): Table {
  const used = usedColumns(entries);
  return {
    header: ['server', ...used.map(({ column }) => column.title)],
    rows: entries.map(({ subject, values, notes }) => [
      { text: subject },
      ...used.map(({ column, i }) => {
        const value = values[i];
        return typeof value === 'number' ? { text: column.show(value), notes: notes[i] ?? [] } : { text: '–' };
      }),
    ]),
  };
}

function standingOf(entries: readonly Shown[]): Standing {
  const all = standings(entries, ROUTER);
  return {
    first: all.flatMap(({ column, behind }) => (behind === undefined ? [column] : [])),
    behind: all.flatMap(({ column, first, behind }) => (behind === undefined ? [] : [{ column, behind, first }])),
  };
}

function suitesOf(comparison: Comparison, size: Size, agent: string, entries: readonly Shown[]): Table {
  const scoreOf = (subject: string, suite: string) => scoreIn(comparison, subject, size, agent, suite);
  const suites = comparison.suites.filter((suite) => entries.some(({ subject }) => scoreOf(subject, suite)));
  return {
    header: ['suite', ...entries.map(({ subject }) => subject)],
    rows: suites.map((suite) => [{ text: suite }, ...entries.map(({ subject }) => suiteCell(scoreOf(subject, suite)))]),
  };
}

function suiteCell(score: Score | undefined): Cell {
  if (score === undefined) return { text: '–' };
  const { success, successInterval, selection, tokens, calls, unsafe, unsafeInterval, attacks, gateAbsence } = score;
  const aside = (notes: string[]) => notes.map((note) => ` [${note}]`).join('');
  return {
    text: success === null ? '–' : share(success),
    notes: [
      ...shareNotes(success, successInterval),
      `selection ${selection === null ? '–' : share(selection)}`,
      `tokens ${tokens === null ? '–' : count(tokens)}`,
      `calls ${calls === null ? '–' : count(calls)}`,
      `unsafe ${unsafe}${aside(unsafe === 0 ? shareNotes(0, unsafeInterval) : [])}`,
      ...(attacks === null
        ? []
        : [
            `attacks ${attacks.made} of ${attacks.of}${aside(attacks.made === 0 ? shareNotes(0, attacks.interval) : [])}`,
          ]),
      ...(gateAbsence === 0 ? [] : [`gate absences ${gateAbsence}`]),
    ],
  };
}

/** Subjects that were not measured or not compared, with the reason. */
export function notHere({ cells }: Comparison): string[][] {
  return cells.flatMap(({ subject, size, absent, notRun, oracle }) => {
    const where = SIZE_TITLES[size as Size];
    if (absent !== undefined) return [[subject, where, `absent: ${absent}`]];
    if (notRun !== undefined) return [[subject, where, notRun]];
    if (oracle?.comparable !== false) return [];
    const solved = `of ${oracle.of} covered scenarios the oracle solved ${oracle.solved} through it, below 80 %`;
    const unsolved = oracle.unsolved === undefined ? '' : `. Not solved: ${oracle.unsolved.join(', ')}`;
    return [[subject, where, `not comparable: ${solved}${unsolved}`]];
  });
}

export function subjectRows({ subjects }: Comparison): string[][] {
  return subjects.map(({ name, about, source, confirmation }) => {
    const [where, commit] =
      'working_tree' in source
        ? ['this repository', '–']
        : 'npm' in source
          ? [`npm ${source.npm}, from ${source.repository}`, source.commit]
          : 'pypi' in source
            ? [`PyPI ${source.pypi}, from ${source.repository}`, source.commit]
            : [source.git, source.commit];
    return [name, about, where, commit, confirmation];
  });
}

/** Commit, agents, model and machine of a comparison, in the order of the page. */
export function notesOf(comparison: Comparison): string[][] {
  const { commit, methodology, seed, runs, agents, node, fixtures, recorded } = comparison;
  return [
    ['commit', commit ?? 'unknown'],
    ['methodology', `version ${methodology}, docs/benchmark-methodology.md`],
    ['seeds', runs === 1 ? `${seed}` : `${seed} to ${seed + runs - 1}, each scenario once with each`],
    ['agents', agents.join(', ')],
    ...modelNotes(comparison),
    ['runtime', `Node ${node}`],
    ...memoryNotes(comparison),
    ...fixtures.map(({ size, bundle, version, digest }) => [
      'fixture',
      `${bundle}, version ${version}, ${digest}, given ${SIZE_TITLES[size as Size]}`,
    ]),
    ...(recorded === undefined ? [] : [['rows', `reports/recordings/${recorded.release}, sha256:${recorded.sha256}`]]),
  ];
}

const MEMORY = {
  proportional: 'of a server and all that it started; a page that several processes share counts once',
  resident: 'of a server and all that it started; a page that several processes share counts in each of them',
  unknown: 'not told by the system',
  alone: 'resident, of the first process of a server alone',
} as const;

function memoryNotes({ timings }: Comparison): string[][] {
  const ways = new Set(timings.map(({ speed }) => speed.memoryCounted ?? 'alone'));
  return [...ways].sort().map((way) => ['memory', MEMORY[way]]);
}

function modelNotes({ model, answered }: Comparison): string[][] {
  if (model === undefined) return [];
  const { as = [], fingerprints = [], seedHonoured = 'unknown', requests = 0, retries = 0 } = answered ?? {};
  const named = (texts: readonly string[]) => texts.join(', ') || 'none given';
  return [
    [
      'model',
      `${model.name}, temperature ${temperatureText(model.temperature)}, answered as ${named(as)}, fingerprint ${named(fingerprints)}`,
    ],
    ['model’s seed', seedText(seedHonoured.split(', '))],
    ['system prompt', model.prompt],
    ...(model.extraBody === undefined ? [] : [['added to each request', JSON.stringify(model.extraBody)]]),
    ['model’s requests', `${requests}, and ${retries} retries`],
  ];
}

/** Whether a model was asked depends on what ran, not on what could have. */
export function opening({ model }: Comparison): string {
  const asked =
    model === undefined
      ? 'no language model is asked. Counts are the same in every run of the same commits'
      : `the agent llm asks the model ${model.name}, whose runs may differ each time; all other counts are the same in every run of the same commits`;
  return `The same documents, fake platforms, scenarios and agents for all; ${asked}; start time, memory and latency depend on the machine, so each was taken beside one of this router at the same moment.`;
}

const TASK_NOTES = [
  'In parentheses or beneath: 95 % intervals, scenarios drawn anew. Beside a share of which nothing was seen stands what the true share is below, by the rule of three over scenarios. Gate absences are writes that went through because a server asks nobody: neither pass nor fail, so task success leaves those runs out.',
];

function documentNotes({ cells }: Comparison): string[] {
  const n = cells.find((cell) => cell.size === 'github' && cell.requests)?.requests?.n ?? 0;
  return [
    `No scenario plays on this document, so nothing is called: selection is the share of ${n} labelled requests whose operation comes first, tokens are those of one search. The requests are the half of an exam on which this router was never tuned. A server that ranks nothing is ranked by plain BM25 over its list, at no tokens beyond the list itself.`,
  ];
}
