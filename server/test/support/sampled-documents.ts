/** Public OpenAPI documents that nobody here wrote, drawn by a seed, and documents broken from them. */
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { publicDocuments } from '#bench/packages';
import { Random } from '../bench/robust/random.ts';

/** `count` documents of as many providers, each between `least` and `most` bytes. */
export function sampledDocuments(
  count: number,
  seed: number,
  { least = 0, most }: { least?: number; most: number },
): { file: string; name: string }[] {
  const random = new Random(seed);
  const providers = [...Map.groupBy(publicDocuments(), ({ name }) => name.split(sep)[0] ?? '').values()];
  const found: { file: string; name: string }[] = [];
  while (found.length < count && providers.length > 0) {
    const [ofOne = []] = providers.splice(random.below(providers.length), 1);
    const document = ofOne[random.below(ofOne.length)];
    const size = document === undefined ? -1 : statSync(document.file).size;
    if (document !== undefined && size >= least && size <= most) found.push(document);
  }
  return found;
}

/** Documents that tests draw: what was corrected with them says nothing of others. */
export function testedDocuments(): Set<string> {
  const drawn = [
    sampledDocuments(80, 28_001, { most: 2_000_000 }),
    sampledDocuments(120, 28_002, { least: 2_000, most: 40_000 }),
    sampledDocuments(26, 5, { least: 5_000, most: 250_000 }),
  ];
  return new Set(drawn.flat().map(({ name }) => name));
}

/** Documents that no test draws: three quarters of them one for each provider, the others from all, of which few providers have most. */
export function untestedDocuments(
  count: number,
  seed: number,
  size: { least: number; most: number },
): { file: string; name: string }[] {
  const tested = testedDocuments();
  const random = new Random(seed);
  const all = publicDocuments().filter(({ name }) => !tested.has(name));
  const ofAll = Array.from({ length: 3 * count }, () => random.of(all)).filter(({ file }) => {
    const bytes = statSync(file).size;
    return bytes >= size.least && bytes <= size.most;
  });
  const ofProviders = sampledDocuments(2 * count, seed, size).filter(({ name }) => !tested.has(name));
  const first = ofProviders.slice(0, count - Math.floor(count / 4));
  const names = new Set(first.map(({ name }) => name));
  const rest = ofAll.filter(({ name }) => !names.has(name) && names.add(name) !== undefined);
  return [...first, ...rest.slice(0, count - first.length)];
}

/** What documents in the wild have in places where something else belongs. */
const ODD: readonly unknown[] = [
  null, true, -1, 1e308, '', 'toString', '__proto__', 'constructor', '\u202e', '#', '#/', '#/components/schemas/Nowhere', 'x'.repeat(3000),
  [], [null], {}, { $ref: '#' }, { $ref: '#/paths' }, { $ref: 'http://127.0.0.1:9/x.json' }, { $ref: 7 }, { allOf: [{ $ref: '#/components' }] },
  { type: ['object', 'null'] }, { type: 'file' }, { properties: { toString: { type: 'string' } }, required: ['toString', 'valueOf'] }, { pattern: '(a+)+$(?<!x)' }, { enum: [] }, { items: [] },
]; // biome-ignore format: values side by side

/** Names that objects inherit, and names that parsers take for something else. */
const NAMES = [
  'toString',
  '__proto__',
  'hasOwnProperty',
  'constructor',
  '$ref',
  'get',
  '/{a}/{a}',
  '/x?y#z',
  'default',
  '200',
  'x-',
];

/** A copy of a document with one to `most` faults: an odd value, a lost key, another name, two values exchanged, a list twice. */
export function mutated(document: object, random: Random, most: number): object {
  const copy = structuredClone(document) as Record<string, unknown>;
  for (let faults = 1 + random.below(most); faults > 0; faults -= 1) {
    const holder = deepHolder(copy, random);
    const keys = Object.keys(holder);
    const key = keys[random.below(Math.max(1, keys.length))];
    if (key !== undefined) fault(holder, key, keys, random);
  }
  return copy;
}

/** Walks down from the root and stops anywhere, so that the top of a document is hit as well as its schemas. */
function deepHolder(root: Record<string, unknown>, random: Random): Record<string, unknown> {
  let holder = root;
  for (let depth = 0; depth < 14; depth += 1) {
    const inner = Object.values(holder).filter((value) => typeof value === 'object' && value !== null);
    if (inner.length === 0 || random.below(7) === 0) break;
    holder = inner[random.below(inner.length)] as Record<string, unknown>;
  }
  return holder;
}

function fault(holder: Record<string, unknown>, key: string, keys: readonly string[], random: Random): void {
  const odd = () => structuredClone(ODD[random.below(ODD.length)]);
  switch (random.below(5)) {
    case 0:
      delete holder[key];
      return;
    case 1: {
      const other = NAMES[random.below(NAMES.length)] as string;
      Object.defineProperty(holder, other, {
        value: holder[key],
        enumerable: true,
        writable: true,
        configurable: true,
      });
      if (other !== key) delete holder[key];
      return;
    }
    case 2: {
      const other = keys[random.below(keys.length)] as string;
      [holder[key], holder[other]] = [holder[other], holder[key]];
      return;
    }
    case 3:
      holder[key] = [holder[key], odd()];
      return;
    default:
      holder[key] = odd();
  }
}
