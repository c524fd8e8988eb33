/** An engine that ranks tools for a question. Each file of `engines/` is one, and the file name is its name. */
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Toolbox } from './tool-corpus.ts';

export interface Answer {
  /** Numbers of tools, best first. */
  ids: readonly number[];
  /** The note of an answer beside its hits. */
  note?: string;
  /** The answer as a client gets it, where the engine has one. */
  text?: () => string;
}

export type Search = (query: string, limit: number) => Answer | Promise<Answer>;

export interface Engine {
  title: string;
  build: (box: Toolbox) => Search | Promise<Search>;
}

export const OURS = 'ours';
export const PLAIN = 'plain-bm25';

const FOLDER = join(import.meta.dirname, 'engines');

/** Ours and plain BM25 first, then the libraries by name. */
export const ENGINE_IDS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => /\.[jt]s$/.test(file) && !/\.(d|test)\./.test(file))
  .map((file) => basename(file, extname(file)))
  .sort(
    (a, b) => Number(b === OURS) - Number(a === OURS) || Number(b === PLAIN) - Number(a === PLAIN) || (a < b ? -1 : 1),
  );

export async function loadEngine(id: string): Promise<Engine> {
  const file = join(FOLDER, `${id}${extname(import.meta.filename)}`);
  return ((await import(pathToFileURL(file).href)) as { default: Engine }).default;
}
