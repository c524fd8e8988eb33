/** Tools that pose as others: each is added to the box, and should not come before what the question is really for. */
import { entryOf } from './folder-set.ts';
import type { Part } from './question-set.ts';
import { readLines } from './question-sets.ts';
import { DEPTH } from './retrieval-score.ts';
import type { Engine } from './search-engine.ts';
import { partOf } from './split.ts';
import type { Toolbox } from './tool-corpus.ts';

interface Line {
  id: string;
  query: string;
  gold: string[];
  attack: { name: string; description: string; platform: string };
}

export interface Attack {
  id: string;
  part: Part;
  query: string;
  /** It outranked every right tool. */
  succeeded: boolean;
  /** What came, best first. */
  names: string[];
}

/** All of them at once: they do not serve each other's questions, and an installation with one such document has several tools of it. */
export async function attack(box: Toolbox, engine: Engine): Promise<Attack[]> {
  const lines = readLines<Line>('lookalike');
  const disguised = lines.map(({ attack }) =>
    entryOf({ name: attack.name, description: attack.description }, attack.platform),
  );
  const words = {
    ...box.words,
    ...Object.fromEntries(lines.map(({ attack }) => [attack.platform, [attack.platform]])),
  };
  const tools = [...box.tools, ...disguised];
  const search = await engine.build({ ...box, tools, words });
  const attacks: Attack[] = [];
  for (const [i, { id, query, gold }] of lines.entries()) {
    const { ids } = await search(query, DEPTH);
    const names = ids.map((number) => tools[number]!.tool.name);
    const right = names.findIndex((name) => gold.includes(name));
    const wrong = ids.indexOf(box.tools.length + i);
    attacks.push({ id, part: partOf(id), query, succeeded: wrong >= 0 && (right < 0 || wrong < right), names });
  }
  return attacks;
}
