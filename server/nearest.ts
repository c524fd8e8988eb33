/**
 * Of a short list of names, those that are close to one that is none of them: shared words, contained text, slips of the keyboard.
 * `suggest.ts` answers the same for thousands of names of tools: it allows few slips, because comparing all of them costs too much.
 * For names of arguments that would be too strict (`siteID` for `site_id`), and its index of words would be built for one use.
 */

const MAX_LENGTH = 64;
const MAX_NAMES = 2_000;
const CLOSE_ENOUGH = 0.5;

/** Best first; none where nothing is close. The case of letters and separators do not count. */
export function nearest(wanted: string, names: readonly string[], limit = 3): string[] {
  const target = wanted.slice(0, MAX_LENGTH);
  const close = names
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, score: likeness(target, name.slice(0, MAX_LENGTH)) }))
    .filter(({ score }) => score >= CLOSE_ENOUGH)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  // The same words spelled otherwise leave no doubt.
  const sure = close.filter(({ score }) => score === 1);
  return (sure.length > 0 ? sure : close).slice(0, limit).map(({ name }) => name);
}

/** One of them may be meant by the other: they share a word, or one contains the other. Slips alone say little of short words. */
export const isKin = (wanted: string, name: string): boolean => kinship(wordsOf(wanted), wordsOf(name)) > 0;

/** Three fifths of the letters are the same. */
export function isSlipOf(wanted: string, name: string): boolean {
  const [one, other] = [wanted, name].map((text) => [...wordsOf(text.slice(0, MAX_LENGTH))].join('')) as [
    string,
    string,
  ];
  return slips(one, other) * 5 <= 2 * Math.max(one.length, other.length);
}

function likeness(wanted: string, name: string): number {
  const [a, b] = [wordsOf(wanted), wordsOf(name)];
  const [one, other] = [[...a].join(''), [...b].join('')];
  if (one === '' || other === '') return 0;
  return Math.max(kinship(a, b), 1 - slips(one, other) / Math.max(one.length, other.length));
}

function kinship(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const [one, other] = [[...a].join(''), [...b].join('')];
  if (one === '' || other === '') return 0;
  const contained = one.includes(other) || other.includes(one) ? CLOSE_ENOUGH : 0;
  return Math.max(shared / (a.size + b.size - shared), contained);
}

function wordsOf(name: string): Set<string> {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return new Set(words.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''));
}

/** Letters to add, drop or change (Levenshtein). */
function slips(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, change));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** `; did you mean "mgmt"?` at the end of a refusal; nothing where no name is close. `all` is no name: it is part of too many. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const [first] = nearest(
    wanted,
    names.filter((name) => name !== 'all'),
    1,
  );
  return first === undefined ? '' : `; did you mean ${JSON.stringify(first)}?`;
}
