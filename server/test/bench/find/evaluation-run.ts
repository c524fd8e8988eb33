/** One engine sits one question set: built on its tools, asked every question, each answer marked. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { asWritten, type QuestionSet } from './question-set.ts';
import { DEPTH, type Score, scoreOf } from './retrieval-score.ts';
import type { Engine, Search } from './search-engine.ts';

export interface EvaluationRun {
  questionSet: QuestionSet;
  engine: string;
  title: string;
  search: Search;
  buildMs: number;
  scores: Score[];
  /** The same hits marked by the writer's own answers only. */
  written: Score[];
}

export async function sit(
  questionSet: QuestionSet,
  id: string,
  engine: Engine,
  measureText: boolean,
): Promise<EvaluationRun> {
  const began = performance.now();
  const search = await engine.build(questionSet.box);
  const buildMs = performance.now() - began;
  const scores: Score[] = [];
  const written: Score[] = [];
  for (const query of questionSet.queries) {
    const answer = await search(query.text, DEPTH);
    const hits = answer.ids.map((number) => questionSet.box.tools[number]!.tool);
    written.push(scoreOf(asWritten(query), hits));
    const text = measureText ? answer.text?.() : undefined;
    scores.push({
      ...scoreOf(query, hits),
      noted: answer.note !== undefined,
      ...(text === undefined ? {} : { tokens: encode(text).length, bytes: Buffer.byteLength(text) }),
    });
  }
  return { questionSet, engine: id, title: engine.title, search, buildMs, scores, written };
}
