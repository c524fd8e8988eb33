/** Where two values first part, as a person would point at it. */
import { isDeepStrictEqual } from 'node:util';

export interface Difference {
  path: string;
  stored: string;
  live: string;
}

const AROUND = 40;

/** Keys in sorted order, items by position; a text that is JSON on both sides is looked into. */
export function firstDifference(stored: unknown, live: unknown, path = ''): Difference | undefined {
  if (isDeepStrictEqual(stored, live)) return undefined;
  for (const [before, now, at] of partsOf(stored, live, path)) {
    const found = firstDifference(before, now, at);
    if (found !== undefined) return found;
  }
  if (typeof stored === 'string' && typeof live === 'string') return { path, ...excerpts(stored, live) };
  return { path, stored: shown(stored), live: shown(live) };
}

type Part = [stored: unknown, live: unknown, path: string];

/** What two values of one kind consist of, pair by pair. */
function partsOf(stored: unknown, live: unknown, path: string): Part[] {
  if (Array.isArray(stored) && Array.isArray(live)) return itemPairs(stored, live, path);
  if (isRecord(stored) && isRecord(live)) return fieldPairs(stored, live, path);
  if (typeof stored !== 'string' || typeof live !== 'string') return [];
  const [a, b] = [parsed(stored), parsed(live)];
  return a === undefined || b === undefined ? [] : [[a, b, `${path} →`]];
}

const itemPairs = (stored: unknown[], live: unknown[], path: string): Part[] =>
  Array.from({ length: Math.max(stored.length, live.length) }, (_, i) => [
    stored[i],
    live[i],
    `${path}[${nameOf(stored[i]) ?? i}]`,
  ]);

const fieldPairs = (stored: Record<string, unknown>, live: Record<string, unknown>, path: string): Part[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(live)])]
    .sort()
    .map((key) => [stored[key], live[key], path === '' ? key : `${path}.${key}`]);

export const describeDifference = ({ path, stored, live }: Difference): string =>
  `\`${path || '(all)'}\` was ${stored}, is ${live}`;

/** A tool is known by its name, not by its place. */
const nameOf = (value: unknown): string | undefined => {
  const name = isRecord(value) && isRecord(value['function']) ? value['function']['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
};

function excerpts(stored: string, live: string): { stored: string; live: string } {
  let at = 0;
  while (at < stored.length && stored[at] === live[at]) at++;
  const from = Math.max(0, at - AROUND);
  const cut = (text: string) => {
    const end = at + AROUND;
    return JSON.stringify(`${from > 0 ? '…' : ''}${text.slice(from, end)}${text.length > end ? '…' : ''}`);
  };
  return { stored: cut(stored), live: cut(live) };
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…` : text;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
