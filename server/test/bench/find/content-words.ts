/** Words that carry the meaning of a text, by rules of their own: how hard a question set is must not change with the ranker's. */

const FUNCTION_WORDS = new Set(
  (
    'a about after again all already also an and any are as at away back be because been before being but by can could did do does down ' +
    'each ever every for from had has have he her here him his how i if in into is it its just let many may me more most much must my no ' +
    'not now of off on once one only or our out over per please right shall she should since so some still such than that the their them ' +
    'then there these they this those to today too under until up us very via was we were what when where which while who whom whose why ' +
    'will with within without would yet you your'
  ).split(' '),
);

export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word));

/** As `contentWords`, with plural and tense taken off. */
export const contentStems = (text: string): Set<string> => new Set(contentWords(text).map(withoutEnding));

function withoutEnding(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  const one = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|z|ch|sh)es$/, '$1')
    .replace(/(?<![sui])s$/, '');
  const present = one.replace(/(?<=[aeiouy].*[a-z]{2})(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1');
  return present.length > 4 ? present.replace(/e$/, '') : present;
}
