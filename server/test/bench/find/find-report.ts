/** Everything a run found, as plain values: the terminal, the JSON object and the page all show this. */
import type { Attack } from './attacks.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import { type FigureName, type Figures, figuresBy, figuresOf, PER_SCORE } from './find-figures.ts';
import type { Verdict } from './find-gate.ts';
import type { Grown } from './find-growth.ts';
import type { Timing } from './find-timing.ts';
import type { Misspelt } from './misspelt.ts';
import { type Interval, pairedInterval } from './paired-bootstrap.ts';
import { type Difficulty, difficultyOf, withinGoals } from './question-difficulty.ts';
import type { Part, QuestionSet } from './question-set.ts';
import type { Reachability } from './reach.ts';
import type { Refusal } from './refusals.ts';
import type { Score } from './retrieval-score.ts';
import { OURS, PLAIN } from './search-engine.ts';

export interface Row {
  engine: string;
  title: string;
  figures: Figures;
}

/** Ours minus the best of the others in that figure. */
export interface Lead extends Interval {
  figure: FigureName;
  than: string;
}

export interface PartReport {
  part: Part;
  rows: Row[];
  /** The same hits by the writer's own answers only, where others were judged right too. */
  written?: { rows: Row[]; wordings: Record<string, Figures> };
  leads: Lead[];
  difficulty?: Difficulty & { ok: Record<keyof Difficulty, boolean> };
  /** Ours by platform, by what is asked for, by wording and by style. */
  traits: Record<Trait, Record<string, Figures>>;
  /** Share of questions with a right tool at which ours says it is not sure. */
  falseAlarms?: number;
}

export interface QuestionSetReport {
  id: string;
  tools: number;
  parts: PartReport[];
}

export interface Speed extends Timing {
  engine: string;
  title: string;
  tools: number;
  buildMs: number;
}

export interface Report {
  questionSets: QuestionSetReport[];
  attacks: Attack[];
  refusals: Refusal[];
  reachability?: Reachability;
  /** By question set. */
  misspelt: Record<string, Misspelt>;
  speeds: Speed[];
  growth: Grown[];
  gate: Verdict[];
}

export const TRAITS = { platform: 'platform', capability: 'asks for', wording: 'wording', style: 'style' } as const;
export type Trait = keyof typeof TRAITS;
const LEADS: readonly FigureName[] = ['r1', 'r5', 'ndcg10'];

export function questionSetReport(
  questionSet: QuestionSet,
  evaluationRuns: readonly EvaluationRun[],
  parts: readonly Part[],
  own: boolean,
): QuestionSetReport {
  return {
    id: questionSet.id,
    tools: questionSet.box.tools.length,
    parts: parts
      .filter((part) => questionSet.queries.some((query) => query.part === part))
      .map((part) => partReport(questionSet, evaluationRuns, part, own)),
  };
}

function partReport(
  questionSet: QuestionSet,
  evaluationRuns: readonly EvaluationRun[],
  part: Part,
  own: boolean,
): PartReport {
  const marked = evaluationRuns.map(({ engine, title, scores }) => ({ engine, title, marks: ofPart(scores, part) }));
  const rowsOf = (rows: typeof marked): Row[] =>
    rows.map(({ engine, title, marks }) => ({ engine, title, figures: figuresOf(marks) }));
  const ours = marked.find(({ engine }) => engine === OURS)?.marks;
  const plain = marked.find(({ engine }) => engine === PLAIN)?.marks;
  const others = marked.filter(({ engine }) => engine !== OURS);
  const queries = questionSet.queries.filter((query) => query.part === part);
  const writtenReport = () => {
    const written = evaluationRuns.map((evaluationRun) => ({
      ...evaluationRun,
      marks: ofPart(evaluationRun.written, part),
    }));
    const own = written.find(({ engine }) => engine === OURS)?.marks ?? [];
    return { rows: rowsOf(written), wordings: figuresBy(own, ({ query }) => query.wording) };
  };
  const difficulty = own && plain ? difficultyOf(queries, figuresOf(plain).r1) : undefined;
  return {
    part,
    rows: rowsOf(marked),
    ...(queries.some(({ judged }) => judged !== undefined) ? { written: writtenReport() } : {}),
    leads: ours && others.length > 0 ? LEADS.map((figure) => leadOf(figure, ours, others)) : [],
    ...(difficulty ? { difficulty: { ...difficulty, ok: withinGoals(difficulty) } } : {}),
    traits: Object.fromEntries(
      Object.keys(TRAITS).map((trait) => [
        trait,
        own && ours ? figuresBy(ours, ({ query }) => query[trait as Trait]) : {},
      ]),
    ) as PartReport['traits'],
    ...(ours ? { falseAlarms: ours.filter(({ noted }) => noted).length / Math.max(1, ours.length) } : {}),
  };
}

export const ofPart = (marks: readonly Score[], part: Part): Score[] =>
  marks.filter(({ query }) => query.part === part);

function leadOf(
  figure: FigureName,
  ours: readonly Score[],
  others: readonly { title: string; marks: readonly Score[] }[],
): Lead {
  const best = others.reduce((a, b) => (figuresOf(b.marks)[figure] > figuresOf(a.marks)[figure] ? b : a));
  const values = (marks: readonly Score[]) => marks.map((mark) => PER_SCORE[figure](mark) ?? 0);
  return { figure, than: best.title, ...pairedInterval(values(ours), values(best.marks)) };
}
