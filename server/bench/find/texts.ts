/** The texts of a tool that the libraries get: the same that our index reads, with the same weights. */
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
