/**
 * `npm run bench:documents`: public documents that nobody here wrote, drawn by `--seed`, each tried in full in a router of its own
 * (`--count 60` documents, of `--least BYTES` and `--most BYTES`, `--only NAME` for those whose name contains it, `--problems FILE` gets every problem as a line; `--json` prints one object last). Exit 1 where a goal is missed.
 */
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { publicDocuments } from '#bench/packages';
import { type Trial, tryDocument } from '../test/support/document-trial.ts';
import { untestedDocuments } from '../test/support/sampled-documents.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '28' },
    count: { type: 'string', default: '60' },
    least: { type: 'string', default: '1000' },
    most: { type: 'string', default: '2000000' },
    only: { type: 'string' },
    problems: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const size = { least: Number(values.least), most: Number(values.most) };
const chosen =
  values.only === undefined
    ? untestedDocuments(Number(values.count), Number(values.seed), size)
    : publicDocuments().filter(({ name }) => name.includes(values.only as string));
if (values.problems !== undefined) writeFileSync(values.problems, '');

const tried: (Trial & { document: string })[] = [];
const failed: string[] = [];
for (const { file, name } of chosen) {
  const began = performance.now();
  let line: string;
  try {
    const trial = await tryDocument(file);
    tried.push({ document: name, ...trial });
    const { problems, ...counts } = trial;
    line = Object.entries(counts)
      .map(([word, count]) => `${word} ${count}`)
      .join(', ');
    if (values.problems !== undefined)
      appendFileSync(values.problems, problems.map((problem) => `${name}: ${problem}\n`).join(''));
  } catch (error) {
    failed.push(name);
    line = `not tried: ${(error as Error).message.slice(0, 300)}`;
    if (values.problems !== undefined)
      appendFileSync(values.problems, `${name}: not tried: ${(error as Error).stack}\n`);
  }
  process.stdout.write(
    `${name} (${Math.round(statSync(file).size / 1024)} KB, ${Math.round(performance.now() - began)} ms): ${line}\n`,
  );
}

const sum = (count: (one: Trial) => number) => tried.reduce((total, one) => total + count(one), 0);
const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
const withCreate = tried.filter(({ creates }) => creates > 0);
const figures = {
  documents: tried.length,
  failed: failed.length,
  operations: sum(({ operations }) => operations),
  tools: share(
    sum(({ tools }) => tools),
    sum(({ operations }) => operations),
  ),
  reads: sum(({ reads }) => reads),
  answered: share(
    sum(({ answered }) => answered),
    sum(({ reads }) => reads),
  ),
  undeclared: sum(({ undeclared }) => undeclared),
  valid: share(
    sum(({ valid }) => valid),
    sum(({ reads, undeclared }) => reads - undeclared),
  ),
  broken: sum(({ broken }) => broken),
  refused: share(
    sum(({ refused }) => refused),
    sum(({ broken }) => broken),
  ),
  writes: sum(({ writes }) => writes),
  single: share(
    sum(({ single }) => single),
    sum(({ writes }) => writes),
  ),
  unsent: sum(({ unsent }) => unsent),
  withCreate: withCreate.length,
  creates: sum(({ creates }) => creates),
  shown: share(
    sum(({ shown }) => shown),
    sum(({ creates }) => creates),
  ),
  shownDocuments: share(withCreate.filter(({ shown }) => shown > 0).length, withCreate.length),
  met: share(
    sum(({ met }) => met),
    tried.length,
  ),
};
const goals = { tools: 0.995, answered: 0.99, valid: 0.99, refused: 1, single: 1, shownDocuments: 0.95, met: 1 };
const missed = Object.entries(goals).filter(([name, least]) => figures[name as keyof typeof goals] < least);
console.table(
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10_000) / 10_000])),
);
for (const [name, least] of missed) process.stdout.write(`${name} should be at least ${least}\n`);
if (values.json)
  process.stdout.write(`${JSON.stringify({ ok: missed.length === 0, seed: Number(values.seed), figures, failed })}\n`);
process.exit(missed.length === 0 && failed.length === 0 ? 0 : 1);
