/** The object that an answer is about, where it stands inside of an envelope such as `{ success, result: { … } }`. */
import type { Tool } from '../catalog/tool.ts';

type Fields = Record<string, unknown>;

/** `unsure`: the answer may hold the object, but not for certain in one place. */
export type Enveloped = { kind: 'object'; object: unknown } | { kind: 'unsure' };

const ENVELOPES: ReadonlySet<string> = new Set(
  'data result results response payload item items record records object objects entry entries'.split(' '),
);
/** Fields by which the answer is an object of its own, whatever stands inside of it. */
const IDENTIFIERS = ['id', 'name', 'uuid', 'key'];
const DEEPEST = 3;
/** Plain names of a field that repeats the HTTP status of an answer. */
const HTTP_STATUSES: ReadonlySet<string> = new Set('statuscode httpstatus httpstatuscode httpcode'.split(' '));

interface Candidate {
  object: Fields;
  /** The only one of its list, and everything around it looks like an envelope. */
  isCertain: boolean;
  /** Its name or its place says that it is what is inside of an envelope. */
  isNamed: boolean;
}

interface Around {
  tool: Pick<Tool, 'resource' | 'path'>;
  names: ReadonlySet<string>;
  /** Those of the names that the envelope has itself. */
  outer: readonly string[];
  depth: number;
}

/**
 * @param sent the body, whose fields tell where the object is; undefined where nothing is sent
 * @param writable names of the fields a body can hold, where they are known
 */
export function envelopedObject(
  tool: Pick<Tool, 'resource' | 'path'>,
  answer: unknown,
  sent?: unknown,
  writable: Iterable<string> = [],
): Enveloped {
  const itself: Enveloped = { kind: 'object', object: answer };
  // A body that is a list is compared with a list, and a bare list is no object unless a body has its fields.
  if (typeof answer !== 'object' || answer === null) return itself;
  if (sent === undefined ? Array.isArray(answer) : !isFields(sent)) return itself;
  const own = Object.keys(sent ?? {});
  const names = new Set([...own, ...writable, ...IDENTIFIERS]);
  const told = besideStatus(answer, names);
  if (told !== undefined) return envelopedObject(tool, told, sent, writable);
  const around = { tool, names, outer: Array.isArray(answer) ? [] : held(answer as Fields, names), depth: DEEPEST };
  const candidates = Array.isArray(answer)
    ? rowCandidates(answer, true, around)
    : innerCandidates(answer as Fields, around);
  const [certain, ...others] = candidates.filter(({ isCertain }) => isCertain);
  if (certain && others.length === 0) return { kind: 'object', object: certain.object };
  const isUnsure = candidates.some(
    ({ object, isNamed }) =>
      (isNamed || around.outer.length === 0) &&
      own.some((name) => Object.hasOwn(object, name) && !around.outer.includes(name)),
  );
  return isUnsure ? { kind: 'unsure' } : itself;
}

/**
 * The only object of an answer that repeats its HTTP status: `{ status: 'Success', status_code: 200, metadata: { … } }`. A status
 * that a body can hold is one of the object's own fields.
 */
function besideStatus(answer: object, names: ReadonlySet<string>): unknown {
  const entries = Object.entries(answer);
  const isStatus = ([name, value]: [string, unknown]) =>
    HTTP_STATUSES.has(plain(name)) && !names.has(name) && typeof value === 'number' && value >= 200 && value < 300;
  if (!entries.some(isStatus) || IDENTIFIERS.some((name) => Object.hasOwn(answer, name))) return undefined;
  const [object, ...others] = Object.values(answer).filter((value) => typeof value === 'object' && value !== null);
  return others.length === 0 ? object : undefined;
}

function innerCandidates(object: Fields, around: Around): Candidate[] {
  const entries = Object.entries(object);
  return entries.flatMap(([name, value]) => {
    const isNamed = !around.names.has(name) && (entries.length === 1 || isEnvelopeName(name, around.tool));
    return rowCandidates(Array.isArray(value) ? value : [value], isNamed, around);
  });
}

/** Of several rows the first one stands for all of them. */
function rowCandidates(rows: readonly unknown[], isNamed: boolean, around: Around): Candidate[] {
  const [object] = rows;
  if (!isFields(object)) return [];
  const { names, outer, depth } = around;
  const inner = held(object, names);
  const isMore = inner.length > outer.length && outer.every((name) => inner.includes(name));
  const isWhole = isNamed && rows.length === 1;
  if (inner.length > 0) return [{ object, isNamed, isCertain: isWhole && isMore }];
  if (depth === 1) return [];
  return innerCandidates(object, { ...around, depth: depth - 1 }).map((candidate) => ({
    ...candidate,
    isNamed: isNamed && candidate.isNamed,
    isCertain: isWhole && candidate.isCertain,
  }));
}

/** `{ host: { … } }` of `/hosts/{id}` and of what is below it. */
function isEnvelopeName(name: string, { resource, path }: Pick<Tool, 'resource' | 'path'>): boolean {
  const called = plain(name);
  if (called === '') return false;
  const segments = path.split('/');
  const collections = segments.filter((_, at) => segments[at + 1]?.startsWith('{') === true).map(plain);
  const words = [...collections, plain(resource?.noun ?? '')];
  return ENVELOPES.has(called) || words.some((word) => formsOf(word).includes(called));
}

const held = (object: Fields, names: ReadonlySet<string>) => Object.keys(object).filter((name) => names.has(name));
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Letters and digits of a name in lower case. */
export const plain = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase();
/** A plain word and what it may be the plural of. */
export const formsOf = (word: string): string[] => [word, word.replace(/s$/, ''), word.replace(/es$/, '')];
