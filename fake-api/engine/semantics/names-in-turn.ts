/** Names that no two rows of a resource share, by the position of the row. */
import { isPerson, kindOf, namesOf } from './kind-names.ts';
import { loginOf, personAt } from './person.ts';
import { APPLICATIONS, PLACES } from './word-pools.ts';

/**
 * Names for the at-th object of a kind, the likeliest first: `weeknights` for a schedule, `hq-syslog-server` for what is named after its place.
 * From the second round of a pool on a number is added. Callers take the first that the schema accepts.
 */
export function namesInTurn(resource: string, at: number, longest: number, field: readonly string[] = []): string[] {
  const kind = kindOf(resource);
  const word = field.at(-1) ?? '';
  const pools = [ownNames(word, kind), word === 'id' ? idsOf(field) : namesOf(subjectOf(field) ?? kind)];
  const own = pools.flatMap((pool) => (pool === undefined ? [] : [pool]));
  const spoken = own.map((pool) => numbered(pool, at, longest, ' '));
  const plain = own.map((pool) => numbered(pool.map(slug), at, longest, '-'));
  const placed = numbered(
    PLACES.map((place) => [place, ...kind.slice(-2)].join('-')),
    at,
    longest,
    '-',
  );
  return [...spoken, ...plain, placed];
}

/** `CIR-20417` for a circuit id, `harbour-house` for a site id. */
function idsOf(field: readonly string[]): readonly string[] | undefined {
  const before = field.slice(0, -1);
  if (before.length === 0) return undefined;
  const label = (before.at(-1) as string).slice(0, 3);
  const inventory = Array.from({ length: 40 }, (_, at) => `${label.toUpperCase()}-${20_417 + at * 37}`);
  return namesOf(before)?.map(slug) ?? inventory;
}

/** What stands before `name`: `vrf` of `vrf_name`. */
function subjectOf(field: readonly string[]): readonly string[] | undefined {
  const before = field.at(-1) === 'name' ? field.slice(0, -1).filter((word) => !/^(display|full|short|profile)$/.test(word)) : [];
  return before.length === 0 ? undefined : before;
}

function numbered(pool: readonly string[], at: number, longest: number, by: string): string {
  const round = Math.floor(at / pool.length);
  const ending = round === 0 ? '' : `${by}${round + 1}`;
  return (pool[at % pool.length] as string).slice(0, longest - ending.length).replace(/[- ]$/, '') + ending;
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const LOGINS = Array.from({ length: 200 }, (_, at) => loginOf(personAt(at)));

/** Names of what a field holds that is no object of the network: applications and logins. */
function ownNames(word: string, kind: readonly string[]): readonly string[] | undefined {
  if (/^(application|app|service)$/.test(word)) return APPLICATIONS;
  return /^(user|username|login|owner)$/.test(word) || (isPerson(kind) && word === 'id') ? LOGINS : undefined;
}
