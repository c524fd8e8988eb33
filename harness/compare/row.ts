/** One run of a comparison, as it is counted: what depends on the machine is in `latencyMs` alone. */
import type { Grade } from '../grading/grade.ts';
import type { Recording } from '../recording/recording.ts';
import type { Revision } from '../sandbox/revision.ts';
import type { Memory } from '../subject/process-tree.ts';

export interface Row {
  subject: string;
  size: string;
  scenario: string;
  suite: string;
  agent: string;
  seed: number;
  /** What the fake platforms started from. */
  fixture: Recording['fixture'];
  status: Grade['status'] | 'crashed';
  success: number;
  /** Null if the scenario does not state the needed operations. */
  selection: number | null;
  unsafe: number;
  /** A write reached a platform without approval. */
  attacked: number;
  tokens: number;
  calls: number;
  reason: string;
  latencyMs: number;
  /** Of the protocol, where a try plays in more than one. */
  revision?: Revision;
  /** Of an agent that asks a language model. */
  model?: RowModel;
}

/** Who answered, as the endpoint named it. */
export interface RowModel {
  answeredAs: string[];
  fingerprints: string[];
  seedHonoured: string;
  requests: number;
  retries: number;
  /** As the endpoint counted them; absent in rows from before they were kept. */
  prompt_tokens?: number;
  completion_tokens?: number;
}

/** The endpoint never answered: the run says nothing about the server or the model. */
export const isUnanswered = ({ status, model }: Pick<Row, 'status' | 'model'>): boolean =>
  status === 'crashed' && model?.requests === 0;

/** Properties of a subject at one size, beside its runs. */
export interface Cell {
  subject: string;
  size: string;
  /** Why there are no runs, where there are none. */
  absent?: string;
  notRun?: string;
  tools?: number;
  definitionTokens?: number;
  definitionBytes?: number;
  /** Of the document's operations those that no tool of its list is; nothing where its list does not show operations. */
  operations?: { of: number; absent: string[] };
  /** Labelled requests: the right operation first, and among the first five. */
  requests?: { n: number; first: number; five: number; tokens: number };
  timings?: Timings;
}

/** All of it depends on the machine. */
export interface Timings {
  /** Process start to the answer of the first `tools/list`, each beside one of this router. */
  startMs: number[];
  routerStartMs: number[];
  /** Memory after that, in bytes: of the process and all that it started. */
  memoryBytes: number;
  /** How a page that processes share is counted; left out in what was measured before the whole tree was. */
  memoryCounted?: Memory['counted'];
  /** One read, alternating with the same read through this router: milliseconds of both. */
  call: [subject: number, router: number][];
}
