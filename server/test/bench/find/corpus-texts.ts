/**
 * What the libraries get of a tool: the texts that our index reads, with the same weights, and our analyser. The example
 * questions that our index makes up are no text of the tool: making them is part of the ranker.
 */
import { ownName } from '../../../search/indexed-text.ts';
import { terms } from '../../../search/tokens.ts';
import { WEIGHTS as OURS } from '../../../search/weights.ts';
import type { Entry } from './tool-corpus.ts';

const { field } = OURS;

export const WEIGHTS = {
  name: field.name.weight,
  noun: field.noun.weight,
  line: field.line.weight,
  questions: field.questions.weight,
  path: field.path.weight,
  place: field.place.weight,
  text: field.text.weight,
  params: field.params.weight,
  details: field.details.weight,
};
export type Field = keyof typeof WEIGHTS;
export const FIELD_NAMES = Object.keys(WEIGHTS) as Field[];

export function textsOf({ tool, text }: Entry): Record<Field, string> {
  return {
    name: ownName(tool),
    noun: [tool.resource?.noun ?? '', ...text.aliases].join(' '),
    line: tool.line,
    questions: text.questions.join(' '),
    path: tool.path.replace(/\{[^}]*\}/g, ' '),
    place: `${tool.platform} ${tool.document} ${text.tag}`,
    text: `${tool.description.replace(tool.line, ' ')} ${text.distinguish}`,
    params: text.fields.join(' '),
    details: text.details.join(' '),
  };
}

/** Ours leaves verbs out of its terms and judges them apart. A library has nothing else to tell a list from a deletion, so here they stay. */
export const analyse = (text: string): string[] => terms(text, true);
