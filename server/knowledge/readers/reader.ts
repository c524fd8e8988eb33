/** The result of every reader. */
export interface ReadParts {
  title: string | undefined;
  /** What the document says about itself. */
  head: Readonly<Record<string, string>>;
  sections: readonly { heading: string; text: string }[];
  bytes: number;
}

/** A file that cannot be taken in, with the reason a person reads. */
export class Unreadable extends Error {}
