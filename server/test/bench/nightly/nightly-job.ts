/** A line of the night: what is run, the figures it must print with their goals, and how it is shown to fail. One file each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { parse } from 'yaml';

const closed = { additionalProperties: false };
const words = Type.Array(Type.String());

const Run = Type.Union([
  /** A script of package.json whose last line of JSON holds the figures. */
  Type.Object({ script: Type.String(), words: Type.Optional(words) }, closed),
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
    /** Where it stands in the JSON, keys and places joined by dots. */
    at: Type.String({ minLength: 1 }),
    unit: Type.Optional(Type.String()),
    /** Left out where the figure is only watched. */
    goal: Type.Optional(Goal),
  },
  closed,
);

const Sabotage = Type.Union([
  /** The command breaks the program itself and ends well when it notices. */
  Type.Object({ words, minutes: Type.Number() }, closed),
  /** The same command, perhaps with other words, in a copy of the repository in which one text became another: it must fail. */
  Type.Object(
    {
      file: Type.String(),
      search: Type.String({ minLength: 1 }),
      replace: Type.String(),
      words: Type.Optional(words),
      named: Type.Optional(Type.String()),
      minutes: Type.Number(),
    },
    closed,
  ),
]);

const LineFile = Type.Object(
  {
    title: Type.String({ minLength: 10 }),
    run: Run,
    /** On two cores with nothing else to do; it is cut off after three times as long. */
    minutes: Type.Number({ exclusiveMinimum: 0, maximum: 60 }),
    /** Programs of the system it cannot do without; `root` is no program but the right to mount. */
    needs: Type.Optional(words),
    /** Of tests beside how many passed and that none failed: what they tell, below `figures`. */
    figures: Type.Optional(Type.Array(FigureWanted, { minItems: 1 })),
    sabotage: Sabotage,
  },
  closed,
);

export type Goal = Static<typeof Goal>;
export type FigureWanted = Static<typeof FigureWanted>;
export type Sabotage = Static<typeof Sabotage>;
export type Run = Static<typeof Run>;
export interface Line extends Static<typeof LineFile> {
  /** Name of the file. */
  id: string;
  /** Text of the file, as it is played, so that a kept outcome can be told from one of another line. */
  text: string;
}

/** Files of tests that take minutes; a run plays these or the others. */
const SLOW_SUFFIX = '.slow.test.ts';
export const isSlowTest = (file: string): boolean => file.endsWith(SLOW_SUFFIX);

export const LINES = join(import.meta.dirname, 'jobs');
const isLine = new Ajv2020({ strict: false }).compile<Static<typeof LineFile>>(JSON.parse(JSON.stringify(LineFile)));

/** Days since 1 January 1970, UTC. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / 86_400_000);

/** A line too long for one night plays a part of it: `{part of 7}` becomes `3/7`, another one every night, all of them in seven. */
export const ofNight = (text: string, day: number): string =>
  text.replace(/\{part of (\d+)\}/g, (_, parts: string) => `${(day % Number(parts)) + 1}/${parts}`);

/** Every line of a folder as this day's night plays it, by name; R2 stands before R10. Throws what is wrong with a file. */
export function loadLines(folder: string = LINES, day: number = dayOf(new Date())): Line[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parseLine(ofNight(readFileSync(join(folder, name), 'utf8'), day), name.replace('.yaml', '')))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

export function parseLine(text: string, id: string): Line {
  const value: unknown = parse(text);
  if (!isLine(value)) {
    const [error] = isLine.errors ?? [];
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

export const figuresOf = ({ run, figures = [] }: Line): readonly FigureWanted[] =>
  'tests' in run ? [...OF_TESTS, ...figures] : figures;

export interface Figure {
  name: string;
  value: number | string | boolean | null;
  unit?: string;
  goal?: Goal;
  held: boolean;
}

/** What the JSON says of each figure; a figure that is not there is null and never held. */
export function readFigures(line: Line, printed: unknown): Figure[] {
  return figuresOf(line).map(({ name, at, unit, goal }) => {
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
  return parts.filter((part) => part !== '').join(', ') || 'watched';
}
