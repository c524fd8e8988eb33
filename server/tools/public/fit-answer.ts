/** The ceiling on what find_tool answers: least needed first, parameters, then words, then the last hits. */
import type { Descriptor } from '../../search/find.ts';
import { tokensAtMost } from './token-bound.ts';

export const ANSWER_LIMIT = 2_500;
export const SCHEMA_ANSWER_LIMIT = 6_000;

const STEPS: readonly { params: number; words: number }[] = [
  { params: 4, words: 200 },
  { params: 2, words: 120 },
  { params: 0, words: 60 },
];

/** Descriptors that stay under the limit together; whole ones come back as they are. */
export function fitDescriptors(descriptors: readonly Descriptor[], limit: number): Descriptor[] {
  const fits = (list: readonly Descriptor[]) => tokensAtMost(JSON.stringify(list)) <= limit;
  if (fits(descriptors)) return [...descriptors];
  for (const step of STEPS) {
    const shorter = descriptors.map((descriptor) => shorten(descriptor, step));
    if (fits(shorter)) return shorter;
  }
  const shortest = descriptors.map((descriptor) => shorten(descriptor, { params: 0, words: 60 }));
  while (shortest.length > 0 && !fits(shortest)) shortest.pop();
  return shortest;
}

function shorten(descriptor: Descriptor, { params, words }: { params: number; words: number }): Descriptor {
  return {
    ...descriptor,
    description: cutTo(descriptor.description, words),
    params: firstOf(descriptor.params, params),
  };
}

/** The first few names; what is left out is counted on. */
function firstOf(names: readonly string[], count: number): string[] {
  const more = /^…\+(\d+)$/.exec(names.at(-1) ?? '');
  const listed = more ? names.slice(0, -1) : names;
  const left = listed.length - count + Number(more?.[1] ?? 0);
  return left > 0 ? [...listed.slice(0, count), `…+${left}`] : [...listed];
}

const cutTo = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…` : text;
