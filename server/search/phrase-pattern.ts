/** Turns of phrase as people write them: the words in their order, with others between them ("take that thing off"). */

/** How many words may stand between two of a phrase. */
const APART = 4;

/**
 * Do the words from `from` to before `to` of `phrase` stand behind the one at `at` of a text, each soon after the one before?
 * `stop` marks where a sentence ends, which no phrase goes beyond.
 */
export function continues<Word>(
  text: ArrayLike<Word>,
  at: number,
  phrase: ArrayLike<Word>,
  from: number,
  to: number,
  stop: Word,
): boolean {
  let last = at;
  for (let i = from; i < to; i++) {
    const end = Math.min(text.length, last + 1 + APART);
    let next = last + 1;
    while (next < end && text[next] !== phrase[i] && text[next] !== stop) next++;
    if (next >= end || text[next] !== phrase[i]) return false;
    last = next;
  }
  return true;
}
