/** The retrieval question set: questions about the corpus beside this file, each with the passages that answer it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../find/question-set.ts';

export const CORPUS = join(import.meta.dirname, 'corpus');

export interface KnowledgeQuestion {
  id: string;
  part: Part;
  kind: 'runbook' | 'release' | 'advisory' | 'api';
  question: string;
  /** `path#section`; for kind api `platform METHOD /path`. */
  gold: string[];
}

/** A question of the second question set, whose author saw the passages and nothing else. */
export type SecondQuestion = Pick<KnowledgeQuestion, 'id' | 'kind' | 'question' | 'gold'>;

export interface Score {
  asked: number;
  hit1: number;
  hit5: number;
  mrr: number;
}

export const readQuestionSet = (): KnowledgeQuestion[] => linesOf('questions.jsonl');
export const readSecondQuestionSet = (): SecondQuestion[] => linesOf('second-questions.jsonl');

/** The half of the second question set that nobody looked at when the ranking was changed after it. */
export const isHeldOut = ({ id }: SecondQuestion): boolean =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 1;

function linesOf<T>(file: string): T[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

/** How a ranking of addresses does on questions. */
export function scoreOf(questions: readonly SecondQuestion[], rank: (question: string) => readonly string[]): Score {
  const places = questions.map(({ question, gold }) => rank(question).findIndex((address) => gold.includes(address)));
  const share = (fits: (place: number) => boolean) => places.filter(fits).length / places.length;
  return {
    asked: questions.length,
    hit1: share((place) => place === 0),
    hit5: share((place) => place >= 0 && place < 5),
    mrr: places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length,
  };
}
