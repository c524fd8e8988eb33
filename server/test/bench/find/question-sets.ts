/** The question sets of this repository: every file in `sets/` is one, and its name is the platform it asks about. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Capability } from '../../../access/access-policy.ts';
import { mostDangerous } from './folder-set.ts';
import type { Query, QuestionSet } from './question-set.ts';
import { partOf } from './split.ts';
import type { Shipped, Toolbox } from './tool-corpus.ts';

const FOLDER = join(import.meta.dirname, 'sets');
/** What readers judged, by the question set's name. */
const JUDGED = join(FOLDER, 'judged');
/** Requests that no tool may serve, and tools that pose as others: judged in ways of their own. */
const APART = ['nofit', 'lookalike'];
/** Files that are a question set of their own; all others ask about the ten platforms in the voice of operators. */
const OWN_SET: Readonly<Record<string, SetName>> = { github: 'github', agent: 'agent' };
const BOX = { platforms: 'platforms', github: 'github', agent: 'platforms' } as const satisfies Record<string, Shipped>;
type SetName = keyof typeof BOX;

interface Line {
  id: string;
  intent?: string;
  query: string;
  gold: string[];
  any?: boolean;
  platform: string;
  wording: string;
  style: string;
  capability?: Capability;
}

interface Judgement {
  id: string;
  /** Operations that readers saw for it, and those they marked. */
  pooled: number;
  relevant: string[];
}

export function readLines<T>(name: string, folder = FOLDER): T[] {
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Operators and agents ask the ten platforms in one box as a router serves them; the public document has its own. */
export function readQuestionSets(boxes: Record<Shipped, Toolbox>): QuestionSet[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => basename(file, '.jsonl'))
    .filter((name) => !APART.includes(name))
    .sort();
  return (Object.keys(BOX) as SetName[]).map((id) => {
    const box = boxes[BOX[id]];
    const capabilities = new Map(box.tools.map(({ tool }) => [tool.name, tool.capability]));
    const files = names.filter((name) => (OWN_SET[name] ?? 'platforms') === id);
    const judged = readJudged(id);
    const queries = files.flatMap((file) =>
      readLines<Line>(file).map((line) => queryOf(line, capabilities, judged.get(line.id))),
    );
    return { id, box, queries };
  });
}

function readJudged(questionSet: string): Map<string, string[]> {
  const judged = existsSync(join(JUDGED, `${questionSet}.jsonl`)) ? readLines<Judgement>(questionSet, JUDGED) : [];
  return new Map(judged.map(({ id, relevant }) => [id, relevant]));
}

function queryOf(line: Line, capabilities: ReadonlyMap<string, Capability>, relevant: readonly string[] = []): Query {
  const own = line.gold.map((name) => {
    const capability = capabilities.get(name);
    if (capability === undefined) throw new Error(`${line.id}: its right answer should be a tool, got "${name}"`);
    return capability;
  });
  const judged = relevant.filter((name) => !line.gold.includes(name));
  const unknown = judged.find((name) => !capabilities.has(name));
  if (unknown !== undefined) throw new Error(`${line.id}: what was judged right should be a tool, got "${unknown}"`);
  return {
    id: line.id,
    text: line.query,
    gold: line.any ? [line.gold] : line.gold.map((name) => [name]),
    ...(judged.length > 0 ? { judged } : {}),
    part: partOf(line.intent ?? line.id),
    platform: line.platform,
    wording: line.wording,
    style: line.style,
    capability: line.capability ?? mostDangerous(own),
  };
}
