/**
 * The same questions among more and more tools: first only those that they need, then the rest of what we ship, then the
 * public document again and again under other names.
 */
import { createHash } from 'node:crypto';
import { sit as run } from './evaluation-run.ts';
import { figuresOf } from './find-figures.ts';
import { timingOf } from './find-timing.ts';
import { type Query, type QuestionSet, rightNames } from './question-set.ts';
import { loadEngine } from './search-engine.ts';
import type { Entry, Toolbox } from './tool-corpus.ts';

export const SIZES = [100, 1_000, 8_000, 100_000] as const;
/** From this size on only what can be asked for in a router: building some libraries takes minutes and gigabytes. */
export const LARGE = 50_000;
const NEEDED = 60;

export interface Grown {
  tools: number;
  engine: string;
  title: string;
  r1: number;
  p50Ms: number;
  p95Ms: number;
  buildMs: number;
}

export async function grow(
  questionSet: QuestionSet,
  more: Toolbox,
  engines: readonly string[],
  large: readonly string[],
): Promise<Grown[]> {
  const queries = drawnFrom(questionSet.queries);
  const grown: Grown[] = [];
  for (const size of SIZES) {
    const box = catalogOf(size, questionSet.box, more, new Set(queries.flatMap(rightNames)));
    for (const id of size >= LARGE ? large : engines) {
      const { title, search, buildMs, scores } = await run(
        { id: questionSet.id, box, queries },
        id,
        await loadEngine(id),
        false,
      );
      const timing = await timingOf(
        search,
        queries.map(({ text }) => text),
      );
      grown.push({ tools: size, engine: id, title, r1: figuresOf(scores).r1, ...timing, buildMs });
    }
  }
  return grown;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Questions by the hash of their id, as long as the tools they need fit into the smallest box. */
function drawnFrom(queries: readonly Query[]): Query[] {
  const needed = new Set<string>();
  const drawn: Query[] = [];
  for (const query of queries.toSorted((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1))) {
    const names = rightNames(query);
    if (new Set([...needed, ...names]).size > NEEDED) continue;
    for (const name of names) needed.add(name);
    drawn.push(query);
  }
  return drawn;
}

export function catalogOf(size: number, own: Toolbox, more: Toolbox, needed: ReadonlySet<string>): Toolbox {
  const order = new Map(
    own.tools.map(({ tool }) => [tool.name, `${needed.has(tool.name) ? 0 : 1}${hashOf(tool.name)}`]),
  );
  const place = ({ tool }: Entry) => order.get(tool.name) as string;
  const tools = own.tools.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, size);
  for (let n = 1; tools.length < size; n++)
    tools.push(
      ...more.tools.slice(0, size - tools.length).map((entry) => renamed(entry, `${entry.tool.platform}${n}`)),
    );
  return { tools, words: own.words };
}

function renamed({ tool, text }: Entry, platform: string): Entry {
  const name = tool.name.replace(tool.platform, platform);
  return { tool: { ...tool, name, platform, backend: platform }, text };
}
