/** The indexed text of a tool: its texts as terms, field by field. */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { NumberLists } from './number-lists.ts';
import type { Reader } from './text-reader.ts';
import { WEIGHTS } from './weights.ts';

export type Field = keyof typeof WEIGHTS.field;

export const FIELDS = Object.keys(WEIGHTS.field) as Field[];

/** The terms of tools, a list for each field of each in the order of `FIELDS`. */
export class FieldTerms {
  readonly words = new NumberLists();
  /** Neighbours joined; they do not count for the length of the field. */
  readonly pairs = new NumberLists();

  get tools(): number {
    return this.words.count / FIELDS.length;
  }

  /** The number of a list among either. */
  listOf(tool: number, field: Field): number {
    return tool * FIELDS.length + FIELDS.indexOf(field);
  }
}

/** Adds one tool behind those that are there. */
export function readTool(tool: Tool, text: SearchText, reader: Reader, into: FieldTerms): void {
  for (const field of FIELDS) {
    READ[field](tool, text, reader, into);
    into.words.close();
    into.pairs.close();
  }
}

const READ: Record<Field, (tool: Tool, text: SearchText, reader: Reader, into: FieldTerms) => void> = {
  name: (tool, _, reader, into) => readOne(reader.textOfOne(ownName(tool)), reader, into),
  noun: (tool, { aliases }, reader, into) => {
    for (const noun of [tool.resource?.noun ?? '', ...aliases]) {
      if (noun === '') continue;
      const number = reader.text(noun);
      readOne(number, reader, into);
      reader.whole(number, into.pairs);
    }
  },
  questions: (_, { questions }, reader, into) => {
    for (const question of questions) readOne(reader.text(question), reader, into);
  },
  line: ({ line }, _, reader, { words, pairs }) => {
    const number = reader.textOfOne(line);
    reader.withVerbs(number, words);
    reader.pairs(number, pairs);
  },
  text: (tool, { distinguish }, reader, { words }) => {
    reader.words(reader.textOfOne(restOf(tool)), words, true);
    reader.words(reader.text(distinguish), words, true);
  },
  path: ({ path }, _, reader, { words }) => {
    const segments = segmentsOf(path);
    for (const segment of segments) reader.words(reader.text(segment), words);
    // The last segment is what the operation is about.
    reader.words(reader.text(segments.at(-1) ?? ''), words);
  },
  place: ({ platform, document }, { tag }, reader, { words }) => {
    for (const source of [platform, document, tag]) reader.words(reader.text(source), words);
  },
  params: (_, { fields }, reader, into) => {
    for (const field of fields) readOne(reader.text(field), reader, into);
  },
  details: (_, { details }, reader, { words }) => {
    for (const detail of details) reader.words(reader.text(detail), words, true);
  },
};

function readOne(text: number, reader: Reader, { words, pairs }: FieldTerms): void {
  reader.words(text, words);
  reader.pairs(text, pairs);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment));
}

/** The name without the platform it begins with: that word tells its tools apart from nothing. */
export function ownName(tool: Tool): string {
  return tool.name.startsWith(`${tool.platform}_`) ? tool.name.slice(tool.platform.length + 1) : tool.name;
}

function restOf({ line, description }: Tool): string {
  const at = description.indexOf(line);
  return at < 0 ? description : description.slice(0, at) + description.slice(at + line.length);
}
