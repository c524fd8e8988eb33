/** Parsers of option values; a wrong one is a usage error that names the option's range and what came. */
import { InvalidArgumentError } from 'commander';
import { got } from '../../harness-errors.ts';
import type { Shard } from '../../recording/campaign-plan.ts';

export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(`should be a whole number from ${from} to ${to}, got ${got(text)}.`);
  };
}

/** `2/4`: the second of four. */
export function shardOf(text: string): Shard {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index !== undefined && count !== undefined && index >= 1 && index <= count && count <= 1_000)
    return { index, count };
  throw new InvalidArgumentError(`should be i/n with 1 ≤ i ≤ n ≤ 1000, got ${got(text)}.`);
}

/** Lists that came from the command line, and not from a default. */
const given = new WeakSet<readonly string[]>();

/** `a,b`; an option that is given again adds to what it said before. */
export function commaList(text: string, before?: readonly string[]): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 0) {
    const all = before !== undefined && given.has(before) ? [...before, ...names] : names;
    given.add(all);
    return all;
  }
  throw new InvalidArgumentError(`should be one or more names separated by commas, got ${got(text)}.`);
}

export function versionOf(text: string): string {
  if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(text)) return text;
  throw new InvalidArgumentError(`should be a version like 1.2.3, got ${got(text)}.`);
}
