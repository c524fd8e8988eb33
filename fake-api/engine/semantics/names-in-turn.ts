/** Names that no two rows of a resource share, by the position of the row. */
import { isPerson, kindOf, namesOf } from './kind-names.ts';
import { firstPerson, loginOf, personAt } from './person.ts';
import { APPLICATIONS, MODELS, PART_NUMBERS, PLACES } from './word-pools.ts';

/**
 * Names for the at-th object of a kind, the likeliest first: `weeknights` for a schedule, `hq-syslog-server` for what is named after its place.
 * From the second round of a pool on a number is added. Callers take the first that the schema accepts.
 */
export function namesInTurn(resource: string, at: number, longest: number, field: readonly string[] = []): string[] {
  const kind = kindOf(resource);
  const word = field.at(-1) ?? '';
  const own = ownNames(field.join(' '));
  const pools = [own, word === 'id' ? idsOf(field, kind) : namesOf(subjectOf(field) ?? kind)];
  const found = pools.flatMap((pool) => (pool === undefined ? [] : [pool]));
  // People are many and unordered: each kind of them begins elsewhere.
  const from = (pool: readonly string[]) =>
    pool === LOGINS || isPerson(subjectOf(field) ?? kind) ? at + firstPerson(resource) : at;
  const spoken = found.map((pool) => numbered(pool, from(pool), longest, ' '));
  const plain = found.map((pool) => numbered(pool.map(slug), from(pool), longest, '-'));
  const placed = numbered(
    PLACES.map((place) => [place, ...kind.slice(-2)].join('-')),
    at,
    longest,
    '-',
  );
  // Some keys take no hyphen.
  const joined = [...plain, placed].flatMap((name) => [name.replaceAll('-', '_'), name.replaceAll('-', '')]);
  return [...spoken, ...plain, placed, ...joined];
}

/** `CIR-20417` for a circuit id, `harbour-house` for a site id. */
function idsOf(field: readonly string[], kind: readonly string[]): readonly string[] | undefined {
  const before = field.slice(0, -1);
  if (before.length === 0) return undefined;
  const label = (before.at(-1) as string).slice(0, 3);
  const inventory = Array.from({ length: 40 }, (_, at) => `${label.toUpperCase()}-${20_417 + at * 37}`);
  const names = namesOf(kind.at(-1) === before.at(-1) ? kind : before);
  return names?.map(slug) ?? inventory;
}

/** What stands before `name`: `vrf` of `vrf_name`. */
function subjectOf(field: readonly string[]): readonly string[] | undefined {
  const before =
    field.at(-1) === 'name' ? field.slice(0, -1).filter((word) => !/^(display|full|short|profile)$/.test(word)) : [];
  return before.length === 0 ? undefined : before;
}

function numbered(pool: readonly string[], at: number, longest: number, by: string): string {
  const round = Math.floor(at / pool.length);
  const name = pool[at % pool.length] as string;
  const ending = round === 0 ? '' : `${name.includes(' ') ? by : '-'}${round + 1}`;
  return name.slice(0, longest - ending.length).replace(/[- ]$/, '') + ending;
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const PORTS = Array.from({ length: 24 }, (_, at) => `1/1/${at + 1}`);

const COUNTRY_CODES = ['IE', 'GB', 'DE', 'FR', 'NL', 'ES', 'PT', 'DK', 'SE', 'NO'] as const;

const LOGINS = Array.from({ length: 600 }, (_, at) => loginOf(personAt(at)));

/** Names of what a field holds that is no object of the network: applications and logins. */
function ownNames(name: string): readonly string[] | undefined {
  if (/(^| )(application|app|service)$/.test(name)) return APPLICATIONS;
  if (/^(part number|partnumber|sku)$/.test(name)) return PART_NUMBERS;
  if (/^(model|hw model|device model)$/.test(name)) return MODELS;
  if (/^((neighbou?r |local |connected )?(port|interface)( id| name)?)$/.test(name)) return PORTS;
  if (/^(alpha 2|country|country code)$/.test(name)) return COUNTRY_CODES;
  return /(^| )(user|username|user name|login|login name|owner|user id)$/.test(name) ? LOGINS : undefined;
}
