/** The ceiling on what find_tool answers: least needed first, parameters, then words, then the last hits. */
import { tokensAtMost } from './token-bound.ts';

export const ANSWER_LIMIT = 2_500;
export const SCHEMA_ANSWER_LIMIT = 6_000;

/** The parts of a hit that may become shorter. */
interface Shortenable {
  description: string;
  params: string[];
  required?: string[];
  more_params?: number;
  formats?: Record<string, string>;
  siblings?: Record<string, string[]>;
}

interface Step {
  params: number;
  words: number;
  siblings: number;
}

const STEPS: readonly Step[] = [
  { params: 4, words: 200, siblings: 2 },
  { params: 2, words: 120, siblings: 1 },
  { params: 0, words: 60, siblings: 0 },
];
const SHORTEST = STEPS.at(-1) as Step;

/** Descriptors that stay under the limit together; whole ones come back as they are. */
export function fitDescriptors<T extends Shortenable>(descriptors: readonly T[], limit: number): T[] {
  const fits = (list: readonly T[]) => tokensAtMost(JSON.stringify(list)) <= limit;
  if (fits(descriptors)) return [...descriptors];
  for (const step of STEPS) {
    const shorter = descriptors.map((descriptor) => shorten(descriptor, step));
    if (fits(shorter)) return shorter;
  }
  const shortest = descriptors.map((descriptor) => shorten(descriptor, SHORTEST));
  while (shortest.length > 0 && !fits(shortest)) shortest.pop();
  return shortest;
}

/** Required names stay as long as any parameter is named; what is left out is counted. */
function shorten<T extends Shortenable>(descriptor: T, { params, words, siblings }: Step): T {
  const { formats: _, siblings: named = {}, required = [], more_params: before = 0, ...rest } = descriptor;
  const kept = descriptor.params.slice(0, params);
  const more = before + descriptor.params.length - kept.length;
  const beside = Object.entries(named).slice(0, siblings);
  return {
    ...rest,
    description: cutTo(descriptor.description, words),
    params: kept,
    ...(descriptor.required === undefined ? {} : { required: required.slice(0, params) }),
    ...(more > 0 ? { more_params: more } : {}),
    ...(beside.length > 0 ? { siblings: Object.fromEntries(beside) } : {}),
  } as unknown as T;
}

const cutTo = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…` : text;
