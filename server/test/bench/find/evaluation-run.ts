/** One engine sits one exam: built on its tools, asked every question, each answer marked. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { asWritten, type Exam } from './question-set.ts';
import { DEPTH, type Mark, markOf } from './score.ts';
import type { Engine, Search } from './search-engine.ts';

export interface Sitting {
  exam: Exam;
  engine: string;
  title: string;
  search: Search;
  buildMs: number;
  marks: Mark[];
  /** The same hits marked by the writer's own answers only. */
  written: Mark[];
}

export async function sit(exam: Exam, id: string, engine: Engine, measureText: boolean): Promise<Sitting> {
  const began = performance.now();
  const search = await engine.build(exam.box);
  const buildMs = performance.now() - began;
  const marks: Mark[] = [];
  const written: Mark[] = [];
  for (const query of exam.queries) {
    const answer = await search(query.text, DEPTH);
    const hits = answer.ids.map((number) => exam.box.tools[number]!.tool);
    written.push(markOf(asWritten(query), hits));
    const text = measureText ? answer.text?.() : undefined;
    marks.push({
      ...markOf(query, hits),
      noted: answer.note !== undefined,
      ...(text === undefined ? {} : { tokens: encode(text).length, bytes: Buffer.byteLength(text) }),
    });
  }
  return { exam, engine: id, title: engine.title, search, buildMs, marks, written };
}
