/** Counts of the published part that were reached, by the name of their goal: put up when a change reaches more. */
export const KEPT: Readonly<Record<string, number>> = {
  'R@1': 200,
};
