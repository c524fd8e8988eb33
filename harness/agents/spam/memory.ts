/** Values seen in answers, by field. A call that needs a real id gets a seen one instead of an invented one. */
import { compact } from '../retrieval/name-words.ts';

/** Many platforms have a field of the same name, and ids of another form each. */
const VALUES_PER_NAME = 20;

export interface Memory {
  note: (said: unknown) => void;
  /** Newest first. */
  valuesOf: (name: string) => (string | number)[];
  /** Every text that is kept, whatever it was called: a reference has another name than what it refers to. */
  texts: () => string[];
}

export function openMemory(): Memory {
  const seen = new Map<string, (string | number)[]>();
  const note = (said: unknown): void => {
    if (typeof said !== 'object' || said === null) return;
    for (const [name, value] of Object.entries(said)) {
      if (typeof value === 'string' || typeof value === 'number') {
        const others = (seen.get(compact(name)) ?? []).filter((other) => other !== value);
        seen.set(compact(name), [value, ...others].slice(0, VALUES_PER_NAME));
      } else note(value);
    }
  };
  const texts = () => [...seen.values()].flat().filter((value) => typeof value === 'string');
  return { note, valuesOf: (name) => seen.get(compact(name)) ?? [], texts };
}
