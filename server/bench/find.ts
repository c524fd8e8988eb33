/**
 * `npm run bench:find`: our ranker beside plain BM25 and five libraries, on our own exams, on the public document and on
 * any folder of `{tools,queries}.jsonl` (`--sets DIR`, again and again). `--quick` leaves out libraries, time and growth.
 */
import { parseArgs } from 'node:util';
import { ENGINE_IDS, loadEngine, OURS, PLAIN } from './find/engine.ts';
import type { Part } from './find/exam.ts';
import { figuresBy, figuresOf } from './find/figures.ts';
import { readFolderSet } from './find/folder-set.ts';
import type { Mark } from './find/mark.ts';
import { readExams } from './find/sets.ts';
import { type Sitting, sit } from './find/sitting.ts';
import { percent, tableOf } from './find/table.ts';
import { shippedTools } from './find/toolbox.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', default: 'both' },
    engine: { type: 'string' },
    misses: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const PARTS: Record<string, readonly Part[]> = { dev: ['dev'], published: ['published'], both: ['dev', 'published'] };
const parts = PARTS[values.split] ?? usage(`--split should be dev, published or both, got "${values.split}"`);
const engines = values.engine?.split(',') ?? (values.quick ? [OURS, PLAIN] : ENGINE_IDS);
for (const id of engines)
  if (!ENGINE_IDS.includes(id)) usage(`--engine should be a list of ${ENGINE_IDS.join(', ')}, got "${id}"`);
const misses = Number(values.misses);
if (!Number.isInteger(misses) || misses < 0) usage(`--misses should be a whole number, got "${values.misses}"`);

function usage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
const rowOf = (name: string, marks: readonly Mark[]) => {
  const f = figuresOf(marks);
  const shares = [f.r1, f.r5, f.r10, f.all10, f.ndcg10, f.mrr, f.escalation, f.writeForRead].map(percent);
  return [name, f.queries, ...shares, f.tokens, f.bytes];
};
const HEAD = ['R@1', 'R@5', 'R@10', 'all@10', 'nDCG', 'MRR', 'danger', 'w-for-r', 'tokens', 'bytes'];

const exams = [...readExams(await shippedTools()), ...values.sets.map(readFolderSet)];
const sittings: Sitting[] = [];
for (const exam of exams) {
  for (const id of engines) sittings.push(await sit(exam, id, await loadEngine(id), id === OURS));
  for (const part of parts) {
    const own = sittings.filter((sitting) => sitting.exam === exam);
    const rows = own.map(({ title, marks }) => rowOf(title, ofPart(marks, part)));
    if (rows[0]?.[1] === 0) continue;
    say(`\n${exam.id}, ${part}: ${exam.box.tools.length} tools`);
    say(tableOf(['engine', 'asked', ...HEAD], rows));
  }
}
for (const { exam, engine, marks } of sittings) {
  if (engine !== OURS || exam.id !== 'platforms') continue;
  const traits = {
    platform: ofTrait('platform'),
    asks: ofTrait('capability'),
    wording: ofTrait('wording'),
    style: ofTrait('style'),
  };
  for (const part of parts)
    for (const [name, trait] of Object.entries(traits)) {
      const groups = Object.keys(figuresBy(ofPart(marks, part), trait));
      say(`\nours by ${name}, ${part}`);
      say(
        tableOf(
          [name, 'asked', ...HEAD],
          groups.map((group) =>
            rowOf(
              group,
              ofPart(marks, part).filter((mark) => trait(mark) === group),
            ),
          ),
        ),
      );
    }
}
if (misses > 0) sittings.filter(({ engine }) => engine === engines[0]).forEach(showMisses);

function ofTrait(name: 'platform' | 'capability' | 'wording' | 'style'): (mark: Mark) => string {
  return ({ query }) => query[name];
}

function ofPart(marks: readonly Mark[], part: Part): Mark[] {
  return marks.filter(({ query }) => query.part === part);
}

/** Only of the part that may be tuned on. */
function showMisses({ exam, marks }: Sitting): void {
  for (const { query, place, names } of ofPart(marks, 'dev')
    .filter(({ place }) => place !== 1)
    .slice(0, misses)) {
    say(`\n${exam.id} ${query.id} (${query.capability}) at ${place || 'no place'}: ${query.text}`);
    say(`  right: ${query.gold.map((group) => group.join(' or ')).join(' and ')}`);
    say(`  came:  ${names.slice(0, 5).join(', ')}`);
  }
}
