/** Something about a foreign document that its owner should know: where it is, what it is, what to do. */
export interface Finding {
  /** File, relative to what was taken in. */
  document: string;
  /** JSON pointer into that file; empty for the whole. */
  pointer: string;
  message: string;
  remedy: string;
}
