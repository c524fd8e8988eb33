/**
 * `npm run bench:find`: our ranker beside plain BM25 and five libraries, on our own question sets, on the public document and on
 * any folder of `{tools,queries}.jsonl`, or of such folders (`--sets DIR`, again and again). `--leave-one-out` reports each of them with
 * weights chosen on the others. `--quick` leaves out libraries, time and growth;
 * `--gate` judges the published part by counts; `--split dev`, `--engine ours,lunr` pick; `--misses 20` prints what was missed; `--json` prints one object last.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup as expandDocuments } from '#fake-api/documents';
import { packageRoot } from '../config/config.ts';
import { attack } from '../test/bench/find/attacks.ts';
import { type EvaluationRun, sit } from '../test/bench/find/evaluation-run.ts';
import { judge } from '../test/bench/find/find-gate.ts';
import { grow } from '../test/bench/find/find-growth.ts';
import { writeFindPage } from '../test/bench/find/find-page.ts';
import {
  printFailures,
  printLeaveOneOut,
  printMisses,
  printQuestionSet,
  printRest,
  printTraits,
} from '../test/bench/find/find-print.ts';
import { questionSetReport, type Report } from '../test/bench/find/find-report.ts';
import { timingOf } from '../test/bench/find/find-timing.ts';
import { readFolderSet, setFolders } from '../test/bench/find/folder-set.ts';
import { leaveOneOut } from '../test/bench/find/leave-one-out.ts';
import { misspeltOf } from '../test/bench/find/misspelt.ts';
import type { Part, Query, QuestionSet } from '../test/bench/find/question-set.ts';
import { readQuestionSets } from '../test/bench/find/question-sets.ts';
import { reachabilityOf } from '../test/bench/find/reach.ts';
import { refuse } from '../test/bench/find/refusals.ts';
import { ENGINE_IDS, loadEngine, OURS, PLAIN } from '../test/bench/find/search-engine.ts';
import { shippedTools } from '../test/bench/find/tool-corpus.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', default: 'both' },
    engine: { type: 'string' },
    misses: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    'leave-one-out': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const PARTS: Record<string, readonly Part[]> = { dev: ['dev'], published: ['published'], both: ['dev', 'published'] };
const parts = PARTS[values.split] ?? usage(`--split should be dev, published or both, got "${values.split}"`);
const brief = values.quick || values.gate;
const engines = values.engine?.split(',') ?? (brief ? [OURS, PLAIN] : ENGINE_IDS);
for (const id of engines)
  if (!ENGINE_IDS.includes(id)) usage(`--engine should be a list of ${ENGINE_IDS.join(', ')}, got "${id}"`);
const misses = Number(values.misses);
if (!Number.isInteger(misses) || misses < 0) usage(`--misses should be a whole number, got "${values.misses}"`);
if (values.gate && !engines.includes(OURS)) usage(`--gate judges ${OURS}, which --engine leaves out`);

function usage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Phrases of either kind that a brief run draws to see whether tools can be reached. */
const BRIEF_REACH = 500;

const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
await expandDocuments();
const boxes = await shippedTools();
const strangers = values.sets.flatMap(setFolders).map(readFolderSet);
const questionSets = [...readQuestionSets(boxes), ...strangers];
const shipped = questionSets[0] as QuestionSet;
const report: Report = {
  questionSets: [],
  attacks: [],
  refusals: [],
  misspelt: {},
  speeds: [],
  growth: [],
  gate: [],
};

const runsOfOurs: EvaluationRun[] = [];
for (const questionSet of questionSets) {
  const evaluationRuns: EvaluationRun[] = [];
  for (const id of engines) evaluationRuns.push(await sit(questionSet, id, await loadEngine(id), id === OURS));
  const seen = questionSetReport(
    questionSet,
    evaluationRuns,
    parts,
    questionSet === shipped || questionSet.id === 'github',
  );
  report.questionSets.push(seen);
  const ours = evaluationRuns.find(({ engine }) => engine === OURS);
  if (ours !== undefined) runsOfOurs.push(ours);
  printQuestionSet(seen, say);
  if (questionSet === shipped) await lookCloser(evaluationRuns);
  const explicit = values.gate ? [] : explicitOf(questionSet);
  if (ours !== undefined && explicit.length > 0)
    report.misspelt[questionSet.id] = await misspeltOf(questionSet.box, explicit, ours.search);
  printMisses(questionSet.id, evaluationRuns[0]?.scores ?? [], misses, say);
}

/** In words of the documents: in other words it is not known which of them matter. */
function explicitOf({ queries }: QuestionSet): Query[] {
  return queries.filter(({ wording, part }) => wording !== 'fuzzy' && parts.includes(part));
}

/** Questions about this installation only. */
async function lookCloser(evaluationRuns: readonly EvaluationRun[]): Promise<void> {
  const ours = evaluationRuns.find(({ engine }) => engine === OURS);
  if (!brief) {
    const texts = shipped.queries.map(({ text }) => text);
    for (const { engine, title, search, buildMs } of evaluationRuns)
      report.speeds.push({
        engine,
        title,
        tools: shipped.box.tools.length,
        buildMs,
        ...(await timingOf(search, texts)),
      });
  }
  if (ours === undefined) return;
  report.attacks = await attack(shipped.box, await loadEngine(OURS));
  report.refusals = await refuse(shipped.box);
  report.reachability = await reachabilityOf(shipped.box, ours.search, brief ? BRIEF_REACH : undefined);
  if (values.gate || parts.includes('published')) report.gate = judge(ours.scores, report.attacks);
}

if (strangers.length === 0) say('\nsets of others, which are no part of this repository: not run here (--sets DIR)');
else printFailures(runsOfOurs, say);
if (values['leave-one-out']) printLeaveOneOut(await leaveOneOut(strangers), say);
if (!brief)
  report.growth = await grow(
    shipped,
    boxes.github,
    engines,
    [OURS, PLAIN].filter((id) => engines.includes(id)),
  );
if (report.questionSets[0]) printTraits(report.questionSets[0], say);
printRest(report, misses, say);
if (!brief) {
  const page = join(packageRoot, 'var', 'bench', 'find.html');
  await writeFindPage(page, 'npm run bench:find', report);
  say(`page: ${page}`);
}
const passed = report.gate.every((verdict) => verdict.passed);
if (values.json) {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  const head = { bench: 'find', node: process.version, cores: availableParallelism(), passed };
  // Single questions of the published part stay unseen, or the next change is made for them.
  const shown = { ...report, attacks: report.attacks.filter(isDev), refusals: report.refusals.filter(isDev) };
  const counts = {
    attacked: report.attacks.length,
    attacksWon: report.attacks.filter(({ succeeded }) => succeeded).length,
    refused: Object.fromEntries(
      [...Map.groupBy(report.refusals, ({ kind }) => kind)].map(([kind, own]) => [
        kind,
        { asked: own.length, said: own.filter(({ said }) => said).length, kept: own.filter(({ kept }) => kept).length },
      ]),
    ),
  };
  process.stdout.write(`${JSON.stringify({ ...head, ...counts, ...shown }, rounded)}\n`);
}
// Without --gate a run only tells: whoever tunes on the other part is not done when it starts.
if (values.gate) process.exitCode = passed ? 0 : 1;

function isDev({ part }: { part: Part }): boolean {
  return part === 'dev';
}
