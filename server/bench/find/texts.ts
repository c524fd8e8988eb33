/** What the libraries get of a tool: the texts that our index reads, with the same weights, and our analyser. */
import { terms } from '../../search/tokens.ts';
import type { Entry } from './toolbox.ts';

export const WEIGHTS = { name: 3, noun: 2.6, questions: 1.6, description: 1.2, path: 1, params: 0.2 } as const;
export type Field = keyof typeof WEIGHTS;
export const FIELD_NAMES = Object.keys(WEIGHTS) as Field[];

export function textsOf({ tool, text }: Entry): Record<Field, string> {
  return {
    name: tool.name,
    noun: [tool.resource?.noun ?? '', ...text.aliases].join(' '),
    questions: text.questions.join(' '),
    description: `${tool.description} ${text.distinguish} ${text.tag}`,
    path: tool.path.replace(/\{[^}]*\}/g, ' '),
    params: text.fields.join(' '),
  };
}

/** Ours leaves verbs out of its terms and judges them apart. A library has nothing else to tell a list from a deletion, so here they stay. */
export const analyse = (text: string): string[] => terms(text, true);
