/**
 * The results of the newest published version, as far as today's runs can be compared with them. A result is comparable where
 * the scenario, the fixture it starts from, and the methodology are those of today. Values in, values out.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { HarnessError } from '../harness-errors.ts';
import { Baseline, METHODOLOGY } from './baseline.ts';
import { isControl } from './control-agents.ts';
import type { Grade } from './grade.ts';
import { LIMIT } from './run-limit.ts';

const closed = { additionalProperties: false };
const text = Type.String();

/** What a result depends on beside the server: digests of the scenario file and of the fixture. */
const ScenarioDigests = Type.Object({ scenario: text, fixture: text }, closed);
export type ScenarioDigests = Static<typeof ScenarioDigests>;

const PublishedFile = Type.Object(
  {
    version: text,
    commit: Type.Union([text, Type.Null()]),
    /** `published`: as the version's recordings hold them. `again`: its router, run on scenarios of a later day. */
    measured: Type.Union([Type.Literal('published'), Type.Literal('again')]),
    at: text,
    subject: text,
    settings: Type.Record(text, text),
    methodology: text,
    seeds: Type.Array(Type.Integer(), { minItems: 1 }),
    /** Scenario → its digests. */
    digests: Type.Record(text, ScenarioDigests),
    entries: Baseline.properties.entries,
  },
  closed,
);
export type PublishedResults = Static<typeof PublishedFile>;

const isPublished = new Ajv2020().compile<PublishedResults>(JSON.parse(JSON.stringify(PublishedFile)));

export function parsePublished(source: string, file: string): PublishedResults {
  const value: unknown = JSON.parse(source);
  if (isPublished(value)) return value;
  const { instancePath, message } = isPublished.errors![0]!;
  throw new HarnessError('BASELINE_INVALID', `${file}: \`${instancePath || '(root)'}\` ${message}`, {
    remedy: 'npm run harness -- measure-published',
  });
}

/** Scenario → the digests that a run of it was made with. */
export type DigestsByScenario = Readonly<Record<string, ScenarioDigests>>;

export interface Comparability {
  comparable: string[];
  /** Reason → scenarios that are not compared for it. */
  notComparable: Record<string, string[]>;
}

/** Every scenario of today is in exactly one of the lists. */
export function comparableScenarios(published: PublishedResults, today: DigestsByScenario): Comparability {
  const comparable: string[] = [];
  const notComparable: Record<string, string[]> = {};
  for (const [scenario, now] of Object.entries(today).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reason = differenceOf(published, published.digests[scenario], now);
    if (reason === undefined) comparable.push(scenario);
    else notComparable[reason] = [...(notComparable[reason] ?? []), scenario];
  }
  return { comparable, notComparable };
}

function differenceOf(
  published: PublishedResults,
  before: ScenarioDigests | undefined,
  now: ScenarioDigests,
): string | undefined {
  if (before === undefined) return 'not in the results of the version';
  if (published.methodology !== METHODOLOGY) return 'methodology changed';
  if (before.scenario !== now.scenario) return 'scenario changed';
  return before.fixture === now.fixture ? undefined : 'fixture, or the platforms it is served for, changed';
}

/** What a control solves is no merit of the server, and a spent budget no fault of it. */
const isCompared = ({ agent, status }: Grade): boolean => !isControl(agent) && status !== 'absent' && status !== LIMIT;

export interface PublishedComparison extends Comparability {
  version: string;
  /** Runs of comparable scenarios with a seed that both sides hold. */
  runs: number;
  lost: { grade: Grade; reason: string | undefined }[];
}

/** Successes of the version that today's runs do not have; `accepted` holds the reasons of those given up by a bless. */
export function comparePublished(
  grades: readonly Grade[],
  published: PublishedResults,
  today: DigestsByScenario,
  accepted: Readonly<Record<string, string>> = {},
): PublishedComparison {
  const found = comparableScenarios(published, today);
  const known = new Set(found.comparable);
  const compared = grades.flatMap((grade) => {
    const entry = published.entries[grade.key];
    const at = published.seeds.indexOf(grade.seed);
    return known.has(grade.scenario) && entry !== undefined && at >= 0 && isCompared(grade)
      ? [{ grade, passed: entry.passed[at] === 1, success: entry.task_success[at] === 1 }]
      : [];
  });
  const lost = compared.filter(
    ({ grade, passed, success }) =>
      (passed && grade.status !== 'passed') || (success && grade.metrics['task_success'] !== 1),
  );
  return {
    ...found,
    version: published.version,
    runs: compared.length,
    lost: lost.map(({ grade }) => ({ grade, reason: accepted[grade.scenario] })),
  };
}
