/** A nightly job: the command, the figures that it must print with their goals, and its sabotage. One YAML file per job. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { parse } from 'yaml';

const closed = { additionalProperties: false };
const textList = Type.Array(Type.String());

const Run = Type.Union([
  /** A script of package.json whose last line of JSON holds the figures. */
  Type.Object({ script: Type.String(), arguments: Type.Optional(textList) }, closed),
  /** Test files; `named` is a regular expression over test names. */
  Type.Object({ tests: Type.Array(Type.String(), { minItems: 1 }), named: Type.Optional(Type.String()) }, closed),
]);

const Goal = Type.Object(
  {
    most: Type.Optional(Type.Number()),
    least: Type.Optional(Type.Number()),
    is: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
  },
  { ...closed, minProperties: 1 },
);

const FigureWanted = Type.Object(
  {
    name: Type.String({ minLength: 3 }),
    /** Path in the JSON: keys and array positions joined by dots. */
    at: Type.String({ minLength: 1 }),
    unit: Type.Optional(Type.String()),
    /** Absent: the figure is only recorded. */
    goal: Type.Optional(Goal),
  },
  closed,
);

const Sabotage = Type.Union([
  /** The command breaks the program itself and exits 0 when it notices. */
  Type.Object({ arguments: textList, minutes: Type.Number() }, closed),
  /** The same command, perhaps with other arguments, in a copy of the repository with one text replaced: it must fail. */
  Type.Object(
    {
      file: Type.String(),
      search: Type.String({ minLength: 1 }),
      replace: Type.String(),
      arguments: Type.Optional(textList),
      named: Type.Optional(Type.String()),
      minutes: Type.Number(),
    },
    closed,
  ),
]);

const JobFile = Type.Object(
  {
    title: Type.String({ minLength: 10 }),
    run: Run,
    /** Duration on two idle cores. The run stops the job after three times as long. */
    minutes: Type.Number({ exclusiveMinimum: 0, maximum: 60 }),
    /** System programs that the job needs. `root` stands for the right to mount. */
    needs: Type.Optional(textList),
    /** For tests: figures that the tests report, below `figures`, beside the counts of passed and failed tests. */
    figures: Type.Optional(Type.Array(FigureWanted, { minItems: 1 })),
    sabotage: Sabotage,
  },
  closed,
);

export type Goal = Static<typeof Goal>;
export type FigureWanted = Static<typeof FigureWanted>;
export type Sabotage = Static<typeof Sabotage>;
export type Run = Static<typeof Run>;
export interface NightlyJob extends Static<typeof JobFile> {
  /** Name of the file. */
  id: string;
  /** Text of the file as it runs. It is part of the key of a stored outcome. */
  text: string;
}

/** Suffix of test files that take minutes. One vitest run has only such files or none. */
const SLOW_SUFFIX = '.slow.test.ts';
export const isSlowTest = (file: string): boolean => file.endsWith(SLOW_SUFFIX);

export const JOBS = join(import.meta.dirname, 'jobs');
const isJobFile = new Ajv2020({ strict: false }).compile<Static<typeof JobFile>>(JSON.parse(JSON.stringify(JobFile)));

/** Days since 1 January 1970, UTC. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / 86_400_000);

/** Replaces `{part of 7}` by the part of this day, such as `3/7`: a job too long for one run goes through its parts in seven days. */
export const partOfDay = (text: string, day: number): string =>
  text.replace(/\{part of (\d+)\}/g, (_, parts: string) => `${(day % Number(parts)) + 1}/${parts}`);

/** The jobs of a folder for one day, sorted by name with R2 before R10. Throws when a file is invalid. */
export function loadJobs(folder: string = JOBS, day: number = dayOf(new Date())): NightlyJob[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parseJob(partOfDay(readFileSync(join(folder, name), 'utf8'), day), name.replace('.yaml', '')))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

export function parseJob(text: string, id: string): NightlyJob {
  const value: unknown = parse(text);
  if (!isJobFile(value)) {
    const [error] = isJobFile.errors ?? [];
    throw new Error(`${id}.yaml: \`${error?.instancePath || '(file)'}\` ${error?.message}`);
  }
  if ('script' in value.run && value.figures === undefined)
    throw new Error(`${id}.yaml: \`figures\` should name what the script prints`);
  if ('tests' in value.run && new Set(value.run.tests.map(isSlowTest)).size > 1)
    throw new Error(
      `${id}.yaml: \`tests\` should all end in ${SLOW_SUFFIX}, or none: the others would be left out in silence`,
    );
  return { ...value, id, text };
}

const OF_TESTS: readonly FigureWanted[] = [
  { name: 'tests passed', at: 'numPassedTests', goal: { least: 1 } },
  { name: 'tests failed', at: 'numFailedTests', goal: { is: 0 } },
];

export const figuresOf = ({ run, figures = [] }: NightlyJob): readonly FigureWanted[] =>
  'tests' in run ? [...OF_TESTS, ...figures] : figures;

export interface Figure {
  name: string;
  value: number | string | boolean | null;
  unit?: string;
  goal?: Goal;
  held: boolean;
}

/** The value of each figure in the printed JSON. A missing figure is null and counts as not held. */
export function readFigures(job: NightlyJob, printed: unknown): Figure[] {
  return figuresOf(job).map(({ name, at, unit, goal }) => {
    const value = valueAt(printed, at);
    return {
      name,
      value,
      ...(unit === undefined ? {} : { unit }),
      ...(goal === undefined ? {} : { goal }),
      held: isHeld(value, goal),
    };
  });
}

function valueAt(printed: unknown, at: string): Figure['value'] {
  const found = at
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], printed);
  return typeof found === 'number' || typeof found === 'string' || typeof found === 'boolean' ? found : null;
}

function isHeld(value: Figure['value'], goal: Goal = {}): boolean {
  if (value === null) return false;
  if (goal.is !== undefined && value !== goal.is) return false;
  if (goal.most !== undefined && !(typeof value === 'number' && value <= goal.most)) return false;
  return goal.least === undefined || (typeof value === 'number' && value >= goal.least);
}

export function goalText({ most, least, is }: Goal = {}): string {
  const parts = [
    is === undefined ? '' : String(is),
    least === undefined ? '' : `≥ ${least}`,
    most === undefined ? '' : `≤ ${most}`,
  ];
  return parts.filter((part) => part !== '').join(', ') || 'recorded';
}
