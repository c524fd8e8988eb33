/** The exams of this repository: every file in `sets/` is one, and its name is the platform it asks about. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Capability } from '../../access/access.ts';
import type { Exam, Query } from './exam.ts';
import { mostDangerous } from './folder-set.ts';
import { partOf } from './split.ts';
import type { Shipped, Toolbox } from './toolbox.ts';

const FOLDER = join(import.meta.dirname, 'sets');
/** Requests that no tool may serve, and tools that pose as others: judged in ways of their own. */
const APART = ['nofit', 'lookalike'];

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

export function readLines<T>(name: string): T[] {
  return readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The ten platforms in one box as a router serves them; the public document in its own. */
export function readExams(boxes: Record<Shipped, Toolbox>): Exam[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => basename(file, '.jsonl'))
    .filter((name) => !APART.includes(name))
    .sort();
  return (['platforms', 'github'] as const).map((id) => {
    const box = boxes[id];
    const capabilities = new Map(box.tools.map(({ tool }) => [tool.name, tool.capability]));
    const files = names.filter((name) => (name === 'github') === (id === 'github'));
    const queries = files.flatMap((file) => readLines<Line>(file).map((line) => queryOf(line, capabilities)));
    return { id, box, queries };
  });
}

function queryOf(line: Line, capabilities: ReadonlyMap<string, Capability>): Query {
  const own = line.gold.map((name) => {
    const capability = capabilities.get(name);
    if (capability === undefined) throw new Error(`${line.id}: its right answer should be a tool, got "${name}"`);
    return capability;
  });
  return {
    id: line.id,
    text: line.query,
    gold: line.any ? [line.gold] : line.gold.map((name) => [name]),
    part: partOf(line.intent ?? line.id),
    platform: line.platform,
    wording: line.wording,
    style: line.style,
    capability: line.capability ?? mostDangerous(own),
  };
}
