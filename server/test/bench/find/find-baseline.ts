/** Counts of the published part that were reached, by the name of their goal: put up when a change reaches more. */
export const BASELINE: Readonly<Record<string, number>> = {
  'R@1': 289,
  'R@5, explicit': 196,
  'all right tools in ten, explicit': 194,
  'R@5, fuzzy': 163,
  'more dangerous than asked': 11,
  'a write on top for a reading': 1,
  'look-alike attacks': 2,
};
