/** The indexed text of a tool: its texts as terms, field by field. */
import type { SearchText, Tool } from '../catalog/tool.ts';
import type { Reader } from './text-reader.ts';
import { WEIGHTS } from './weights.ts';

export type Field = keyof typeof WEIGHTS.field;

export const FIELDS = Object.keys(WEIGHTS.field) as Field[];

/** The terms of one field of one tool. */
interface FieldText {
  words: readonly number[];
  /** Neighbours joined; they do not count for the length of the field. */
  pairs: readonly number[];
}

/** Per tool its fields in the order of `FIELDS`. */
export type FieldTerms = readonly (readonly FieldText[])[];

export const fieldOf = (fields: FieldTerms, tool: number, field: Field): FieldText =>
  fields[tool]?.[FIELDS.indexOf(field)] as FieldText;

export const readTool = (tool: Tool, text: SearchText, reader: Reader): FieldText[] =>
  FIELDS.map((field) => READ[field](tool, text, reader));

const READ: Record<Field, (tool: Tool, text: SearchText, reader: Reader) => FieldText> = {
  name: (tool, _, reader) => reader.text(ownName(tool)),
  noun: (tool, { aliases }, reader) => {
    const nouns = [tool.resource?.noun ?? '', ...aliases].map((noun) => reader.text(noun));
    const { words, pairs } = joined(nouns);
    return { words, pairs: [...pairs, ...nouns.flatMap((noun) => reader.whole(noun))] };
  },
  questions: (_, { questions }, reader) => joined(questions.map((question) => reader.text(question))),
  line: ({ line }, _, reader) => {
    const { withVerbs, pairs } = reader.text(line);
    return { words: once(withVerbs), pairs };
  },
  text: (tool, { distinguish }, reader) => {
    const texts = [restOf(tool), distinguish].map((text) => reader.text(text));
    return { words: once(joined(texts).words), pairs: [] };
  },
  path: ({ path }, _, reader) => {
    const segments = segmentsOf(path);
    // The last segment is what the operation is about.
    const texts = [...segments, segments.at(-1) ?? ''].map((segment) => reader.text(segment));
    return { words: joined(texts).words, pairs: [] };
  },
  place: ({ platform, document }, { tag }, reader) => ({
    words: joined([platform, document, tag].map((source) => reader.text(source))).words,
    pairs: [],
  }),
  params: (_, { fields }, reader) => joined(fields.map((field) => reader.text(field))),
  details: (_, { details }, reader) => ({
    words: once(details.flatMap((detail) => reader.text(detail).words)),
    pairs: [],
  }),
};

const once = (list: readonly number[]): number[] => [...new Set(list)];

const joined = (texts: readonly FieldText[]): FieldText => ({
  words: texts.flatMap(({ words }) => words),
  pairs: texts.flatMap(({ pairs }) => pairs),
});

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
