/** The person, the place and the computer that the fields of one row are about. */
import { Dice, hashOf, type Part } from '../state/determinism.ts';
import { CITIES, COUNTIES, FAMILY_NAMES, GIVEN_NAMES } from './word-pools.ts';

/** Words of people beside the one whom the row is about. */
const OTHERS = /^(sponsor|support|approver|reviewer|manager|sender|creator|requester|acked|granted|attached)$/;

interface OfRow {
  words?: readonly string[];
  row: readonly Part[];
  /** Place of the row among its people, where the row is one. */
  turn?: number | undefined;
}

const ofRow = ({ row }: OfRow, what: string) => new Dice(...row, what);

export interface Person {
  given: string;
  family: string;
}

export function personOf(field: OfRow): Person {
  const role = field.words?.find((word) => OTHERS.test(word));
  if (field.turn !== undefined && role === undefined) return personAt(field.turn);
  const dice = ofRow(field, role === undefined ? 'person' : `person ${role}`);
  return { given: dice.pick(GIVEN_NAMES), family: dice.pick(FAMILY_NAMES) };
}

/** The at-th person of a list; six hundred differ. */
export const personAt = (at: number): Person => ({
  given: GIVEN_NAMES[at % GIVEN_NAMES.length] as string,
  family: FAMILY_NAMES[(at * 7) % FAMILY_NAMES.length] as string,
});

/** Where the people of a resource begin, so that not every list starts with the same ones. */
export const firstPerson = (resource: string): number => hashOf(resource) % 600;

export const loginOf = ({ given, family }: Person): string => `${given[0]}${family}`.toLowerCase();
export const mailOf = ({ given, family }: Person): string => `${given}.${family}@harbour.example`.toLowerCase();

export const cityOf = (field: OfRow) => ofRow(field, 'city').pick(CITIES);
export const countyOf = (field: OfRow): string => COUNTIES[CITIES.indexOf(cityOf(field))] as string;

/** Position of the row's operating system in the list of them. */
export const systemOf = (field: OfRow, systems: number): number => ofRow(field, 'os').int(0, systems - 1);

/** When the row's work began: the fields of one row share it. Hours before now, at most three weeks. */
export const begunHoursAgo = (field: OfRow): number => 2 + ofRow(field, 'begun').unit() ** 2 * 480;
export const lastedMinutes = (field: OfRow): number => ofRow(field, 'lasted').int(2, 110);
