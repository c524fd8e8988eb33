/**
 * What a document keeps in other files, taken into it, because the tried server gets one file. Files are read from the folder of the
 * document and below it, and nothing is fetched; a reference that leads elsewhere stays as it is.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';

type Json = Record<string, unknown>;

/** Where the content of other files is kept. */
const FILES = 'x-files';
const TOP = ['paths', 'components', 'definitions', 'parameters', 'responses', 'securityDefinitions'];
const MOST_HOPS = 8;
/** As in router and fake: a document that grows beyond this by its references is an attack on its reader. */
const MOST_INLINED = 64 * 1024 * 1024;

/** Follows a reference inside the document; undefined where it leads nowhere. */
type Point = (root: Json, reference: string) => unknown;

interface Joining {
  main: string;
  folder: string;
  parsed: (text: string) => unknown;
  /** Path of a file that was taken in to its name in `store`; null for one that cannot be. */
  names: Map<string, string | null>;
  store: Json;
  waiting: { value: unknown; file: string; base: string }[];
}

/** Changes the document: its references are local ones, and paths, path items and operations stand where they belong. */
export async function joinFiles(root: Json, file: string, parsed: Joining['parsed'], point: Point): Promise<void> {
  const main = await realpath(file);
  const joining: Joining = { main, folder: dirname(main), parsed, names: new Map(), store: {}, waiting: [] };
  joining.waiting.push({ value: root, file: main, base: '' });
  for (let next = joining.waiting.shift(); next !== undefined; next = joining.waiting.shift())
    for (const holder of referencesIn(next.value)) await joinReference(joining, holder, next.file, next.base);
  if (Object.keys(joining.store).length > 0) root[FILES] = joining.store;
  const into = { root, point, left: MOST_INLINED };
  inlineIn(into, root, TOP);
  for (const name of ['components', 'paths']) inlineBelow(into, root[name]);
  const items = Object.values(isJson(root['paths']) ? root['paths'] : {}).filter(isJson);
  for (const item of items) inlineBelow(into, item);
  if (!('swagger' in root)) return;
  // Its conversion has to see them.
  const operations = items.flatMap((item) => Object.values(item)).filter(isJson);
  for (const { parameters, responses } of [root, ...items, ...operations])
    for (const holder of [parameters, responses]) inlineIn(into, holder as Json, ofFiles(holder));
}

/** Names or positions of what stands in another file. */
const ofFiles = (holder: unknown): string[] =>
  Object.entries(holder ?? {}).flatMap(([name, one]) =>
    isJson(one) && String(one['$ref']).startsWith(`#/${FILES}/`) ? [name] : [],
  );

async function joinReference(joining: Joining, holder: Json, file: string, base: string): Promise<void> {
  const [place = '', pointer = ''] = (holder['$ref'] as string).split('#', 2);
  if (place === '') {
    if (base !== '') holder['$ref'] = `#${base}${pointer}`;
    return;
  }
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(place)) return;
  const target = await realpath(resolve(dirname(file), decoded(place))).catch(() => null);
  if (target === null || !target.startsWith(joining.folder + sep)) return;
  const name = target === joining.main ? '' : await nameOf(joining, target);
  if (name !== null) holder['$ref'] = name === '' ? `#${pointer}` : `#/${FILES}/${name}${pointer}`;
}

/** A stray percent sign is part of the text. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes a file in, once. */
async function nameOf(joining: Joining, file: string): Promise<string | null> {
  const { names, store, waiting, parsed } = joining;
  const known = names.get(file);
  if (known !== undefined) return known;
  const name = `${names.size}-${basename(file).replaceAll(/[^A-Za-z0-9.-]/g, '_')}`;
  const value = await readFile(file, 'utf8')
    .then(parsed)
    .catch(() => undefined);
  names.set(file, isJson(value) ? name : null);
  if (!isJson(value)) return null;
  store[name] = value;
  waiting.push({ value, file, base: `/${FILES}/${name}` });
  return name;
}

function* referencesIn(value: unknown, seen = new Set<unknown>()): Iterable<Json> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (isJson(value) && typeof value['$ref'] === 'string') yield value;
  for (const entry of Object.values(value)) yield* referencesIn(entry, seen);
}

interface Inlining {
  root: Json;
  point: Point;
  left: number;
}

const inlineBelow = (into: Inlining, holder: unknown): void => {
  if (isJson(holder)) inlineIn(into, holder, Object.keys(holder));
};

/** What stands beside a reference wins over what the reference brings. */
function inlineIn(into: Inlining, holder: Json, names: readonly string[]): void {
  for (const name of names) {
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      const value = holder[name];
      if (!isJson(value) || typeof value['$ref'] !== 'string') break;
      const { $ref, ...beside } = value;
      const target = into.point(into.root, $ref as string);
      if (!isJson(target) || target === into.root) break;
      const text = JSON.stringify(target);
      into.left -= text.length;
      if (into.left < 0) throw new Error('its references make it larger than 64 MiB');
      holder[name] = { ...JSON.parse(text), ...beside };
    }
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
