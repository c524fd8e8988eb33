/** A copy of the router in which one guard is taken out, and the layer in which that has to be noticed. */
import type { Cell } from './access-reference.ts';

export interface AccessMutant {
  name: string;
  /**
   * `documents`: the corpus of misleading documents, `approval`: the attempts on an approval, `token`: the authorization
   * matrix, `tests`: one test file; each instead of the table.
   */
  layer: Cell['layer'] | 'documents' | 'approval' | 'token' | 'tests';
  /** Of the layer `tests`: the file, below `server`. */
  test?: string;
  /** Of the table: whose cells are made; those of the server's settings alone when left out. */
  callers?: 'principals';
  /** Text to replace, by file. Each text must occur exactly once. */
  edits: readonly { file: string; from: string; to: string }[];
}

export const one = (
  name: string,
  layer: AccessMutant['layer'],
  file: string,
  from: string,
  to: string,
): AccessMutant => ({
  name,
  layer,
  edits: [{ file, from, to }],
});

/** Mutants that the tests of one file have to notice. */
export const oneTested =
  (test: string) =>
  (name: string, file: string, from: string, to: string): AccessMutant => ({
    ...one(name, 'tests', file, from, to),
    test,
  });
