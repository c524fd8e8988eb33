/** What a stage holds: the image of each row before its first edit, and the commits made so far. */
import type { Row } from './collection.ts';

/** The image of one row before its first edit in a stage; null for a row that the stage created. */
export interface Edit {
  resource: string;
  id: string;
  before: Row | null;
  /** Virtual time of the latest edit. */
  at: string;
}

/** One commit, with the images of what it changed. */
export interface Version {
  number: number;
  at: string;
  edits: readonly Edit[];
  changes: readonly Change[];
  /** Texts that came with the commit, such as its description. */
  words: Readonly<Record<string, string>>;
}

export interface Stage {
  platform: string;
  key: string;
  pending: Map<string, Edit>;
  versions: Version[];
}

export interface Change {
  kind: 'created' | 'changed' | 'deleted';
  resource: string;
  key: string;
  /** Names of the settings that differ. */
  fields: string[];
  at: string;
}
