/** Counts of the published part that were reached, by the name of their goal: put up when a change reaches more. */
export const KEPT: Readonly<Record<string, number>> = {
  'R@1': 236,
  'R@5, explicit': 190,
  'all right tools in ten, explicit': 192,
  'R@5, fuzzy': 126,
  'more dangerous than asked': 11,
  'a write on top for a reading': 5,
  'look-alike attacks': 2,
};
