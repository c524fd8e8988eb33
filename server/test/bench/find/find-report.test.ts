import { expect, test } from 'vitest';
import type { EvaluationRun } from './evaluation-run.ts';
import { questionSetReport } from './find-report.ts';
import type { Query, QuestionSet } from './question-set.ts';
import { type Score, scoreOf } from './retrieval-score.ts';

const query = (id: string, part: Query['part']): Query => ({
  id,
  text: 'which alerts are open',
  gold: [['right']],
  part,
  platform: 'mgmt',
  wording: 'explicit',
  style: 'short',
  capability: 'read',
});
const questionSet: QuestionSet = {
  id: 'small',
  box: { tools: [], words: {} },
  queries: [query('a', 'dev'), query('b', 'dev'), query('c', 'published')],
};
/** Places of the right tool, question by question. */
const evaluationRun = (engine: string, ...places: number[]): EvaluationRun => ({
  questionSet,
  engine,
  title: engine,
  search: () => ({ ids: [] }),
  buildMs: 1,
  written: [],
  scores: questionSet.queries.map((asked, i): Score => {
    const names = Array.from({ length: 10 }, (_, at) => (at + 1 === places[i] ? 'right' : `x${at}`));
    return {
      ...scoreOf(
        asked,
        names.map((name) => ({ name, capability: 'read' })),
      ),
      noted: i === 0,
    };
  }),
});
const evaluationRuns = [
  evaluationRun('ours', 1, 1, 2),
  evaluationRun('plain-bm25', 1, 6, 1),
  evaluationRun('wink', 2, 2, 0),
];

test('ours is held against the best of the others in each figure, part by part', () => {
  const { parts } = questionSetReport(questionSet, evaluationRuns, ['dev', 'published'], true);
  expect(
    parts.map(({ part, leads }) => [part, leads.map(({ figure, than, difference }) => [figure, than, difference])]),
  ).toEqual([
    [
      'dev',
      [
        ['r1', 'plain-bm25', 0.5],
        ['r5', 'wink', 0],
        ['ndcg10', 'plain-bm25', expect.closeTo((1 - 1 / Math.log2(7)) / 2, 10)],
      ],
    ],
    [
      'published',
      [
        ['r1', 'plain-bm25', -1],
        ['r5', 'plain-bm25', 0],
        ['ndcg10', 'plain-bm25', expect.closeTo(1 / Math.log2(3) - 1, 10)],
      ],
    ],
  ]);
});

test('traits, doubts and difficulty are told of the question sets that are ours', () => {
  const [dev] = questionSetReport(questionSet, evaluationRuns, ['dev'], true).parts;
  expect(dev).toMatchObject({
    falseAlarms: 0.5,
    traits: { platform: { mgmt: { queries: 2, r1: 1 } } },
    difficulty: {
      strangeWords: 1,
      tickets: 0,
      plainR1: 0.5,
      ok: { strangeWords: true, tickets: false, plainR1: true },
    },
  });
  const [foreign] = questionSetReport(questionSet, evaluationRuns, ['dev'], false).parts;
  expect(foreign).toMatchObject({ traits: { platform: {} } });
  expect(foreign).not.toHaveProperty('difficulty');
});

test('a part without questions is left out, and so is a lead over nobody', () => {
  const tuned = { ...questionSet, queries: questionSet.queries.slice(0, 2) };
  const { parts } = questionSetReport(tuned, evaluationRuns.slice(0, 1), ['dev', 'published'], true);
  expect(parts.map(({ part, leads }) => [part, leads])).toEqual([['dev', []]]);
});
