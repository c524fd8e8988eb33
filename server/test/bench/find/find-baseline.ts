/** Counts of the published part that were reached, by the name of their goal: put up when a change reaches more. */
export const BASELINE: Readonly<Record<string, number>> = {
  'R@1': 249,
  'R@5, explicit': 193,
  'all right tools in ten, explicit': 192,
  'R@5, fuzzy': 137,
  'more dangerous than asked': 9,
  'a write on top for a reading': 3,
  'look-alike attacks': 2,
};
