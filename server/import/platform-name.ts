/**
 * Which names a user's platform cannot have: those of what is shipped, and those by which one of its operations would be called
 * like a tool of this router, or look like one. Everything is derived from the names that there are.
 */
import { RouterError } from '../errors.ts';

export interface TakenNames {
  /** Ids of shipped platforms, toolsets and products, and words with a meaning of their own. */
  platforms: ReadonlySet<string>;
  /** Tools that this router lists or runs itself. */
  tools: readonly string[];
}

/** Letters and digits that look alike on a screen. */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
]);

export function checkPlatformName(name: string, taken: TakenNames): void {
  if (!/^[a-z][a-z0-9]{1,20}$/.test(name))
    throw new RouterError(
      'USAGE',
      `--platform should be 2 to 21 small letters and digits, a letter first, got ${JSON.stringify(name)}`,
    );
  const why = whyReserved(name, taken);
  if (why === undefined) return;
  throw new RouterError(
    'NAME_RESERVED',
    `--platform should be a name of your own, got ${JSON.stringify(name)}, ${why}`,
  );
}

function whyReserved(name: string, { platforms, tools }: TakenNames): string | undefined {
  if (platforms.has(name)) return `which is one of ${[...platforms].sort().join(', ')}`;
  const prefixes = new Map(tools.map((tool) => [tool.split('_')[0] as string, tool]));
  const shown = (tool: string | undefined) => `by which its tools would be called like ${tool} of this router`;
  if (prefixes.has(name)) return shown(prefixes.get(name));
  // The tools of a shipped platform's own kind, such as legacy_…, are told by how they begin.
  const family = [...prefixes.keys()].find((prefix) => platforms.has(prefix) && name.startsWith(prefix));
  if (family !== undefined) return `which begins like ${prefixes.get(family)}, a tool of this router`;
  const shape = folded(name);
  const lookAlike = [...platforms, ...prefixes.keys()].find((other) => folded(other) === shape);
  return lookAlike === undefined ? undefined : `which looks like ${lookAlike}`;
}

/** Names of platforms have at most 21 letters. */
const LONGEST_LOOKED_AT = 40;

/** As it looks: digits as the letters they resemble, and without a number or `s` at the end. */
function folded(name: string): string {
  const plain =
    name
      .slice(0, LONGEST_LOOKED_AT)
      .replace(/(?<!\d)\d+$/, '')
      .replace(/(?<=..)s$/, '') || name;
  return [...plain].map((letter) => LOOK_ALIKE.get(letter) ?? letter).join('');
}
