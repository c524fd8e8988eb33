/** What of a tool is searched: its texts as terms, field by field. */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { examplesOf } from './example-questions.ts';
import { pairs, terms, wholeTerm } from './tokens.ts';
import { WEIGHTS } from './weights.ts';

export type Field = keyof typeof WEIGHTS.field;

/** Terms as numbers of one vocabulary. */
export interface FieldTerms {
  words: readonly number[];
  /** Neighbours joined; they do not count for the length of the field. */
  pairs: readonly number[];
}

export const FIELDS = Object.keys(WEIGHTS.field) as Field[];

const NONE: readonly number[] = [];

/** Reads texts into the numbers of its vocabulary, each text once: the operations of one resource share most of theirs. */
export class Reader {
  readonly vocabulary: string[];
  readonly #numbers: Map<string, number>;
  readonly #words = new Map<string, readonly number[]>();
  readonly #pairs = new Map<string, readonly number[]>();
  readonly #whole = new Map<string, readonly number[]>();
  readonly #withVerbs = new Map<string, readonly number[]>();

  /** Terms that have their numbers already keep them. */
  constructor(vocabulary: readonly string[] = []) {
    this.vocabulary = [...vocabulary];
    this.#numbers = new Map(vocabulary.map((term, number) => [term, number]));
  }

  words(source: string): readonly number[] {
    let found = this.#words.get(source);
    if (found === undefined) {
      found = this.numbered(terms(source));
      this.#words.set(source, found);
    }
    return found;
  }

  /** Made from the numbers of the words, so that no text is read twice. */
  pairs(source: string): readonly number[] {
    let found = this.#pairs.get(source);
    if (found === undefined) {
      found = this.numbered(pairs(this.words(source).map((number) => this.vocabulary[number] as string)));
      this.#pairs.set(source, found);
    }
    return found;
  }

  /** The text as one term, for who says exactly that and nothing else. */
  whole(source: string): readonly number[] {
    let found = this.#whole.get(source);
    if (found === undefined) {
      const words = this.words(source);
      found =
        words.length === 0 ? [] : this.numbered([wholeTerm(words.map((number) => this.vocabulary[number] as string))]);
      this.#whole.set(source, found);
    }
    return found;
  }

  readWithVerbs(source: string): readonly number[] {
    let found = this.#withVerbs.get(source);
    if (found === undefined) {
      found = this.numbered(terms(source, true));
      this.#withVerbs.set(source, found);
    }
    return found;
  }

  numbered(list: readonly string[]): number[] {
    return list.map((term) => {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.vocabulary.push(term) - 1;
        this.#numbers.set(term, number);
      }
      return number;
    });
  }
}

export function fieldTerms(tool: Tool, text: SearchText, reader: Reader): Record<Field, FieldTerms> {
  const one = (source: string): FieldTerms => ({ words: reader.words(source), pairs: reader.pairs(source) });
  const words = (source: string) => reader.words(source);
  const alone = (list: readonly number[]): FieldTerms => ({ words: list, pairs: NONE });
  const segments = tool.path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment));
  return {
    name: one(ownName(tool)),
    noun: joined(
      [tool.resource?.noun ?? '', ...text.aliases]
        .filter((noun) => noun !== '')
        .map((noun) => ({ words: words(noun), pairs: [...reader.pairs(noun), ...reader.whole(noun)] })),
    ),
    questions: joined(text.questions.map(one)),
    examples: alone(examplesOf(tool, text).flatMap((example) => example.flatMap((part) => reader.readWithVerbs(part)))),
    sayings: alone(text.sayings.flatMap(words)),
    line: { words: [...new Set(words(tool.line))], pairs: reader.pairs(tool.line) },
    text: alone([...new Set([...words(restOf(tool)), ...words(text.distinguish)])]),
    // The last segment is what the operation is about.
    path: alone(
      segments.flatMap((segment, i) =>
        i === segments.length - 1 ? [...words(segment), ...words(segment)] : words(segment),
      ),
    ),
    place: alone([...words(tool.platform), ...words(tool.document), ...words(text.tag)]),
    params: joined(text.fields.map(one)),
    details: alone([...new Set(text.details.flatMap(words))]),
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
