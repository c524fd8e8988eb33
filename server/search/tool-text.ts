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

export function fieldTerms(tool: Tool, text: SearchText): Record<Field, FieldTerms> {
  const one = (source: string): FieldTerms => {
    const found = terms(source);
    return { words: found, pairs: pairs(found) };
  };
  const alone = (list: string[]): FieldTerms => ({ words: list, pairs: [] });
  const segments = tool.path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment));
  return {
    name: one(ownName(tool)),
    noun: joined([tool.resource?.noun ?? '', ...text.aliases].filter((noun) => noun !== '').map(one)),
    questions: joined(text.questions.map(one)),
    examples: alone(examplesOf(tool, text).flatMap((example) => terms(example, true))),
    line: one(tool.line),
    text: alone([...terms(restOf(tool)), ...terms(text.distinguish)]),
    // The last segment is what the operation is about.
    path: alone(
      segments.flatMap((segment, i) =>
        i === segments.length - 1 ? [...terms(segment), ...terms(segment)] : terms(segment),
      ),
    ),
    place: alone([...terms(tool.platform), ...terms(tool.document), ...terms(text.tag)]),
    params: alone(text.fields.flatMap((field) => terms(field))),
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
