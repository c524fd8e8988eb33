/** Where a name, serial number, MAC address, IP address or site could be listed: the lists of the platforms, best first. */
import { isIPv6 } from 'node:net';
import { documentPattern } from '../../catalog/document-pattern.ts';
import type { Tool } from '../../catalog/tool.ts';
import { requiredArguments } from '../../dispatch/sibling-tools.ts';

export type IdentifierKind = 'serial' | 'mac' | 'ip' | 'name';
export type ObjectKind = 'site' | 'device' | 'client' | 'wlan';

export interface Source {
  tool: Tool;
  object: ObjectKind;
  /** The argument that narrows the list to the identifier; none where the list is read and looked through. */
  argument?: string;
}

const MAC = /^(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const SERIAL = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{6,24}$/;
/** Without separators the digits of an address are those of a serial number as well. */
const BARE_HEX = /^[0-9a-f]{12}$/i;
/** Without digits a serial number looks like a name in capitals. */
const CAPITALS = /^[A-Z]{8,24}$/;

export function kindOf(identifier: string): IdentifierKind {
  const text = identifier.trim();
  if (MAC.test(text)) return 'mac';
  if (IPV4.test(text) || isIPv6(text)) return 'ip';
  return SERIAL.test(text) ? 'serial' : 'name';
}

/** Everything that the identifier may be, likeliest first; its entries match by the rules of the first. */
export function kindsOf(identifier: string): [IdentifierKind, ...IdentifierKind[]] {
  const text = identifier.trim();
  if (CAPITALS.test(text)) return ['name', 'serial'];
  return BARE_HEX.test(text) ? ['mac', 'serial'] : [kindOf(text)];
}

/**
 * The identifier as platforms are asked for it.
 * @param pattern that the document states for the argument
 */
export function sentAs(identifier: string, argument: string, pattern: unknown): string {
  const text = identifier.trim().normalize();
  if (isIPv6(text)) return canonicalAddress(text);
  if (!MAC.test(text)) return text;
  const spellings = spellingsOf(text);
  const fits = typeof pattern === 'string' ? documentPattern(pattern) : undefined;
  const fitting = fits && spellings.find((one) => fits.test(one));
  // Digits alone may be those of a serial number, which a search looks at as well.
  return fitting ?? (BARE_HEX.test(text) && !ARGUMENTS.mac.test(argument) ? text : (spellings[0] as string));
}

/** A MAC address in the spellings of platforms, the customary one first: hardly any of them takes another than its own. */
function spellingsOf(address: string): string[] {
  const digits = normalised(address, 'mac');
  const pairs = digits.match(/../g) ?? [];
  const lower = [pairs.join(':'), pairs.join('-'), (digits.match(/.{4}/g) ?? []).join('.'), digits];
  return lower.flatMap((one) => [one, one.toUpperCase()]);
}

/** What an identifier may belong to, likeliest first. */
export const OBJECTS: Readonly<Record<IdentifierKind, readonly ObjectKind[]>> = {
  serial: ['device'],
  mac: ['client', 'device'],
  ip: ['client', 'device'],
  name: ['site', 'device', 'wlan', 'client'],
};
const NOUNS: Readonly<Record<ObjectKind, RegExp>> = {
  site: /^(?:site|location|branch)$/i,
  device:
    /^(?:device|owned device|access point|switch|gateway|appliance|sensor|managed system|controller|network device)$/i,
  client: /^(?:client|endpoint|wireless client|wired client|user)$/i,
  wlan: /^(?:WLAN|WLAN profile|SSID profile|broadcast WLAN)$/i,
};
/** Of a noun with more words (`access point database entry`, `edge location`), for a platform without a list of the noun itself. */
const WORDS: Readonly<Partial<Record<ObjectKind, RegExp>>> = {
  site: /^\S+ (?:site|location|branch)$/i,
  device: /^(?:\S+ )?(?:device|access point|switch|gateway|appliance|controller)(?: (?:database|table) entry)?$/i,
  client: /^(?:\S+ )?(?:client|station)(?: (?:database|table) entry)?$/i,
};
/** What the platform does not own, or what is no thing in a network. */
const OTHERS = /^(?:foreign|rogue|barred|logical|geo|API) /i;
const ARGUMENTS: Readonly<Record<IdentifierKind, RegExp>> = {
  serial: /^serial[-_]?(?:number|no)?$/i,
  mac: /^mac[-_]?(?:address|addr)?$/i,
  ip: /^(?:ip|ipv4)[-_]?(?:address)?$/i,
  name: /^(?:(?:site|device|host)[-_]?)?name$/i,
};
/** Spelled as text that is looked for in several fields. */
const SEARCH = /^(?:search|q|text)$/i;

/** What a list says that its text search looks at. */
const LOOKED_AT: Readonly<Record<IdentifierKind, RegExp>> = {
  serial: /serial/i,
  mac: /mac|hardware address/i,
  ip: /\bip|ipv4|address/i,
  name: /name|ssid|title|label/i,
};
/** A list of the largest or the latest holds only some. */
const PARTIAL = /_(?:top|recent|failed|worst)_/;

/**
 * The reads of one platform that may hold the identifier, best first: likeliest object, the read of one entry by this very
 * key, a list that can be narrowed, a list. `textOf` is the description of an argument.
 */
export function sourcesOf(
  reads: readonly Tool[],
  identifier: IdentifierKind,
  textOf: (tool: Tool, argument: string) => string,
): Source[] {
  const objects = OBJECTS[identifier];
  // A device of any kind before those of one kind.
  const special = ({ object, tool }: Source) => Number(tool.resource?.noun.toLowerCase() !== object);
  const rank = ({ object, tool, argument }: Source) =>
    objects.indexOf(object) * 3 + (argument === undefined ? 2 : tool.list === undefined ? 0 : 1);
  const objectOf = objectsOf(reads, objects);
  return reads
    .flatMap((tool): Source[] => {
      const object = objectOf(tool);
      if (object === undefined || PARTIAL.test(tool.name)) return [];
      const required = requiredArguments(tool);
      if (tool.list === undefined) {
        const [key] = required;
        const isKey = required.length === 1 && tool.path.endsWith('}') && ARGUMENTS[identifier].test(key ?? '');
        return isKey && identifier !== 'name' && key !== undefined ? [{ tool, object, argument: key }] : [];
      }
      if (required.length > 0) return [];
      const argument = argumentOf(tool, identifier, textOf);
      return [{ tool, object, ...(argument === undefined ? {} : { argument }) }];
    })
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        special(a) - special(b) ||
        a.tool.path.length - b.tool.path.length ||
        (a.tool.name < b.tool.name ? -1 : 1),
    );
}

/** What the rows of a read are: by its noun, or else by the words of it where the platform lists nothing of the noun itself. */
function objectsOf(reads: readonly Tool[], objects: readonly ObjectKind[]): (tool: Tool) => ObjectKind | undefined {
  const byNoun = ({ resource }: Tool) => objects.find((kind) => NOUNS[kind].test(resource?.noun ?? ''));
  const listed = new Set(
    reads.filter((tool) => tool.list !== undefined && requiredArguments(tool).length === 0).map(byNoun),
  );
  const byWords = ({ resource, list }: Tool) =>
    list === undefined || OTHERS.test(resource?.noun ?? '')
      ? undefined
      : objects.find((kind) => !listed.has(kind) && WORDS[kind]?.test(resource?.noun ?? ''));
  return (tool) => byNoun(tool) ?? byWords(tool);
}

function argumentOf(
  tool: Tool,
  identifier: IdentifierKind,
  textOf: (tool: Tool, argument: string) => string,
): string | undefined {
  const query = tool.parameters.filter(({ in: place }) => place === 'query').map(({ argument }) => argument);
  const own = query.find((name) => ARGUMENTS[identifier].test(name));
  const search = query.find((name) => SEARCH.test(name) && LOOKED_AT[identifier].test(textOf(tool, name)));
  // Who asks for a name may have a part of it, which a filter for the whole name does not find.
  return identifier === 'name' ? (search ?? own) : (own ?? search);
}

export type Row = Readonly<Record<string, unknown>>;

export interface MatchingField {
  field: string;
  exact: boolean;
  /** It names something that the row belongs to, such as the site of a device. */
  refers: boolean;
}

/** Fields of a row that are the identifier, or for a name hold it as a part. */
export function matchingFields(
  row: Row,
  identifier: string,
  kind: IdentifierKind,
  object: ObjectKind,
): MatchingField[] {
  const wanted = normalised(identifier, kind);
  return Object.entries(row).flatMap(([field, value]): MatchingField[] => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const found = normalised(String(value), kind);
    const exact = found === wanted;
    if (!exact && !(kind === 'name' && NAMING.test(field) && found.includes(wanted))) return [];
    return [{ field, exact, refers: kind === 'name' && isReference(field, object) }];
  });
}

function isReference(field: string, object: ObjectKind): boolean {
  if (!NAMING.test(field) && !KEY.test(field) && !isAddress(field)) return true;
  return Object.entries(OWNERS).some(([owner, words]) => owner !== object && words.test(field));
}

const isAddress = (field: string): boolean =>
  (['serial', 'mac', 'ip'] as const).some((kind) => ARGUMENTS[kind].test(field));

/** Names in a row that are its own, for an identifier that is close to one of them. */
export const namesOf = (row: Row, object: ObjectKind): string[] =>
  Object.entries(row).flatMap(([field, value]) =>
    typeof value === 'string' && NAMING.test(field) && !isReference(field, object) ? [value] : [],
  );

/** How fields begin that name an object of each kind in the rows of others. */
const OWNERS: Readonly<Record<ObjectKind, RegExp>> = {
  site: /^(?:site|location|branch)(?=[-_A-Z])/,
  device: /^(?:device|ap|switch|gateway|appliance|sensor|controller)(?=[-_A-Z])/,
  client: /^(?:client|user|endpoint)(?=[-_A-Z])/,
  wlan: /^(?:ssid|essid|wlan)(?=[-_A-Z]|$)/,
};
const KEY = /(?:^|[-_])(?:id|key|code)$|[a-z]Id$/i;
const NAMING = /(?:name|ssid|label|title|host)$/i;

/** Letter case, the form of a Unicode letter and the spelling of an address do not count. */
export function normalised(text: string, kind: IdentifierKind): string {
  const lower = text.trim().toLowerCase().normalize();
  if (kind === 'mac') return lower.replaceAll(/[:.-]/g, '');
  if (kind === 'ip' && isIPv6(lower)) return canonicalAddress(lower);
  return lower.replaceAll(/[\s_-]+/g, kind === 'name' ? ' ' : '');
}

/** As RFC 5952 writes it, without the zone, which means something on one host only. An IPv4-mapped address is the IPv4 one. */
function canonicalAddress(address: string): string {
  const plain = address.replace(/%.*$/s, '');
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
  return bytes.join('.');
}
