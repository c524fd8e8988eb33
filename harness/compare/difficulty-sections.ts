/** How hard the scenarios are and how well they tell servers apart, as text and tables. Independent of the output format. */
import { share } from './compare-table.ts';
import type { Difficulty, ScenarioDifficulty } from './scenario-difficulty.ts';
import type { Table } from './sections.ts';
import { SIZE_TITLES, type Size } from './size.ts';

export interface DifficultySection {
  title: string;
  notes: string[];
  table: Table;
}

export function difficultySections(found: readonly Difficulty[]): DifficultySection[] {
  return found.map(({ size, scenarios, pairs }) => ({
    title: `How hard the scenarios are, given ${SIZE_TITLES[size as Size]}`,
    notes: [...countNotes(scenarios), pairNote(pairs)],
    table: {
      header: ['scenario', 'suite', 'solved', 'contestants', 'discrimination'],
      rows: scenarios.map(({ scenario, suite, solved, contestants, discrimination }) => [
        { text: scenario },
        { text: suite },
        { text: share(solved) },
        { text: String(contestants) },
        { text: discrimination === null ? '–' : discrimination.toFixed(2) },
      ]),
    },
  }));
}

function countNotes(scenarios: readonly ScenarioDifficulty[]): string[] {
  const nobody = scenarios.filter(({ solved }) => solved === 0).length;
  const everybody = scenarios.filter(({ solved }) => solved === 1).length;
  const values = scenarios.flatMap(({ discrimination }) => discrimination ?? []);
  const positive = values.filter((value) => value > 0).length;
  return [
    `${scenarios.length} scenarios: ${nobody} that no contestant solves, ${everybody} that every contestant solves, ${scenarios.length - nobody - everybody} between. A contestant is a comparable server with an agent that competes; a run counts in which the server has the operations and asks before it writes.`,
    'A scenario that nobody solves is beyond the agent without a model, which is the same for every server: the oracle solves it, so it can be solved. A scenario that everybody solves guards against a fall and tells no servers apart.',
    `Discrimination is the correlation of a scenario with the success in all others (corrected item-total correlation). It is above 0 in ${positive} of ${values.length} scenarios where contestants differ.`,
  ];
}

const pairNote = ({ of, toldApart }: Difficulty['pairs']): string =>
  `The set tells apart ${toldApart} of ${of} pairs of contestants (two-sided exact sign test over shared scenarios, p below 0.05).`;
