/** What of a tool is searched: its texts as terms, field by field. */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { examplesOf } from './example-questions.ts';
import { pairs, terms } from './tokens.ts';
import { WEIGHTS } from './weights.ts';

export type Field = keyof typeof WEIGHTS.field;

export interface FieldTerms {
  words: string[];
  /** Neighbours joined; they do not count for the length of the field. */
  pairs: string[];
}

export const FIELDS = Object.keys(WEIGHTS.field) as Field[];

/** Texts read once each: the operations of one resource share most of theirs. */
export class Reader {
  readonly #known = new Map<string, FieldTerms>();
  readonly #withVerbs = new Map<string, string[]>();

  read(source: string): FieldTerms {
    let found = this.#known.get(source);
    if (found === undefined) {
      const words = terms(source);
      found = { words, pairs: pairs(words) };
      this.#known.set(source, found);
    }
    return found;
  }

  readWithVerbs(source: string): string[] {
    let found = this.#withVerbs.get(source);
    if (found === undefined) {
      found = terms(source, true);
      this.#withVerbs.set(source, found);
    }
    return found;
  }
}

export function fieldTerms(tool: Tool, text: SearchText, reader: Reader): Record<Field, FieldTerms> {
  const one = (source: string) => reader.read(source);
  const words = (source: string) => reader.read(source).words;
  const alone = (list: string[]): FieldTerms => ({ words: list, pairs: [] });
  const segments = tool.path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment));
  return {
    name: one(ownName(tool)),
    noun: joined([tool.resource?.noun ?? '', ...text.aliases].filter((noun) => noun !== '').map(one)),
    questions: joined(text.questions.map(one)),
    examples: alone(examplesOf(tool, text).flatMap((example) => example.flatMap((part) => reader.readWithVerbs(part)))),
    line: one(tool.line),
    text: alone([...words(restOf(tool)), ...words(text.distinguish)]),
    // The last segment is what the operation is about.
    path: alone(
      segments.flatMap((segment, i) =>
        i === segments.length - 1 ? [...words(segment), ...words(segment)] : words(segment),
      ),
    ),
    place: alone([...words(tool.platform), ...words(tool.document), ...words(text.tag)]),
    params: alone(text.fields.flatMap((field) => words(field))),
  };
}

/** The name without the platform it begins with: that word tells its tools apart from nothing. */
export function ownName(tool: Tool): string {
  return tool.name.startsWith(`${tool.platform}_`) ? tool.name.slice(tool.platform.length + 1) : tool.name;
}

function restOf({ line, description }: Tool): string {
  const at = description.indexOf(line);
  return at < 0 ? description : description.slice(0, at) + description.slice(at + line.length);
}

function joined(parts: readonly FieldTerms[]): FieldTerms {
  return { words: parts.flatMap((part) => part.words), pairs: parts.flatMap((part) => part.pairs) };
}
