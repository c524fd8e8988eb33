/**
 * Counts of the published part that were reached, by the name of their goal: put up when a change reaches more. With word
 * vectors instead of utterances, dictionary and learnt intents, eleven more right tools come first and two explicit questions more
 * are answered among five; one fuzzy question fewer is, and three more top hits are more dangerous than asked.
 */
export const BASELINE: Readonly<Record<string, number>> = {
  'R@1': 260,
  'R@5, explicit': 195,
  'all right tools in ten, explicit': 193,
  'R@5, fuzzy': 136,
  'more dangerous than asked': 12,
  'a write on top for a reading': 3,
  'look-alike attacks': 2,
};
