/** A report as text for a terminal. */
import type { EvaluationRun } from './evaluation-run.ts';
import { FIGURE_NAMES, type Figures, LABELS } from './find-figures.ts';
import { type PartReport, type QuestionSetReport, type Report, TRAITS, type Trait } from './find-report.ts';
import { type Cell, percent, tableOf } from './find-table.ts';
import type { leaveOneOut } from './leave-one-out.ts';
import type { Score } from './retrieval-score.ts';

type Say = (text: string) => void;

const HEAD = ['asked', ...FIGURE_NAMES.map((name) => LABELS[name]), 'tokens', 'bytes'];

const cellsOf = (f: Figures): Cell[] => [f.queries, ...FIGURE_NAMES.map((name) => percent(f[name])), f.tokens, f.bytes];

export function printQuestionSet({ id, tools, parts }: QuestionSetReport, say: Say): void {
  for (const part of parts) {
    say(`\n${id}, ${part.part} part, ${tools.toLocaleString('en')} tools`);
    say(
      tableOf(
        ['engine', ...HEAD],
        part.rows.map(({ title, figures }) => [title, ...cellsOf(figures)]),
      ),
    );
    if (part.written) {
      say("  the same by the writer's own answers only:");
      say(
        tableOf(
          ['engine', ...HEAD],
          [
            ...part.written.rows.map(({ title, figures }): Cell[] => [title, ...cellsOf(figures)]),
            ...Object.entries(part.written.wordings).map(([name, f]): Cell[] => [`ours, ${name}`, ...cellsOf(f)]),
          ],
        ),
      );
    }
    for (const { figure, than, difference, low, high } of part.leads)
      say(
        `  ${LABELS[figure]}: ours ${signed(difference)} over ${than} (95 % bootstrap interval ${signed(low)} to ${signed(high)})`,
      );
    if (part.difficulty) printDifficulty(part.difficulty, say);
    if (part.falseAlarms !== undefined) say(`  ours not sure of itself: ${percent(part.falseAlarms)} %`);
  }
}

const signed = (share: number) => `${share < 0 ? '' : '+'}${percent(share)}`;

function printDifficulty(
  { strangeWords, tickets, plainR1, ok }: NonNullable<PartReport['difficulty']>,
  say: Say,
): void {
  const judged = (passed: boolean) => (passed ? 'ok' : 'not ok');
  say(
    `  how hard: no word in common with the name ${percent(strangeWords)} % (${judged(ok.strangeWords)}), tickets ${percent(tickets)} % (${judged(ok.tickets)}), plain BM25 R@1 ${percent(plainR1)} (${judged(ok.plainR1)})`,
  );
}

export function printTraits({ id, parts }: QuestionSetReport, say: Say): void {
  for (const { part, traits } of parts)
    for (const [trait, groups] of Object.entries(traits)) {
      if (Object.keys(groups).length < 2) continue;
      say(`\nours on ${id}, ${part} part, by ${TRAITS[trait as Trait]}`);
      say(
        tableOf(
          [TRAITS[trait as Trait], ...HEAD],
          Object.entries(groups).map(([name, figures]) => [name, ...cellsOf(figures)]),
        ),
      );
    }
}

/** Only of the part that may be tuned on. */
export function printMisses(questionSet: string, scores: readonly Score[], limit: number, say: Say): void {
  const missed = scores.filter(({ query, rank, all }) => query.part === 'dev' && (rank !== 1 || !all));
  for (const { query, rank, names } of missed.slice(0, limit)) {
    say(`\n${questionSet} ${query.id} (${query.capability}), first right hit ${rank || 'beyond ten'}: ${query.text}`);
    say(`  right: ${query.gold.map((group) => group.join(' or ')).join(' and ')}`);
    say(`  came:  ${names.slice(0, 5).join(', ')}`);
  }
}

function printAttacks(attacks: Report['attacks'], misses: number, say: Say): void {
  if (attacks.length === 0) return;
  const won = attacks.filter(({ succeeded }) => succeeded);
  say(`\nlook-alike attacks that outranked every right tool: ${won.length} of ${attacks.length}`);
  for (const { id, query, names } of won.filter(({ part }) => part === 'dev').slice(0, misses))
    say(`  ${id} ${query}\n    came: ${names.slice(0, 5).join(', ')}`);
}

function printRefusals(refusals: Report['refusals'], misses: number, say: Say): void {
  for (const [kind, own] of Map.groupBy(refusals, (refusal) => refusal.kind)) {
    const count = (is: (refusal: (typeof own)[number]) => boolean) => `${own.filter(is).length} of ${own.length}`;
    say(
      `${kind}: said so ${count(({ said }) => said)}, showed nothing that must not be done ${count(({ kept }) => kept)}`,
    );
    for (const { id, query, top } of own.filter(({ part, said }) => part === 'dev' && !said).slice(0, misses))
      say(`  ${id} ${query}\n    top: ${top ?? 'none'}`);
  }
}

function printMisspelt(misspelt: Report['misspelt'], say: Say): void {
  for (const [id, { asked, asWritten, withSlip }] of Object.entries(misspelt))
    say(
      `one word misspelt, ${id}, ${asked} questions: among five ${percent(withSlip / asked)} %, as written ${percent(asWritten / asked)} %`,
    );
}

export function printRest(report: Report, misses: number, say: Say): void {
  const { attacks, refusals, reachability, misspelt, speeds, growth, gate } = report;
  printAttacks(attacks, misses, say);
  printRefusals(refusals, misses, say);
  for (const [name, { asked, top1, top5, missing }] of Object.entries(reachability ?? {})) {
    say(`${name} of ${asked}: first ${percent(top1)} %, among five ${percent(top5)} %`);
    for (const line of missing.slice(0, misses)) say(`  ${line}`);
  }
  printMisspelt(misspelt, say);
  if (speeds.length > 0) {
    say('\ntime of one search');
    say(
      tableOf(
        ['engine', 'tools', 'p50 ms', 'p95 ms', 'build ms'],
        speeds.map(({ title, tools, p50Ms, p95Ms, buildMs }) => [title, tools, p50Ms, p95Ms, buildMs]),
      ),
    );
  }
  if (growth.length > 0) {
    say('\nthe same questions among more tools');
    say(
      tableOf(
        ['engine', 'tools', 'R@1', 'p50 ms', 'p95 ms', 'build ms'],
        growth.map(({ title, tools, r1, p50Ms, p95Ms, buildMs }) => [title, tools, percent(r1), p50Ms, p95Ms, buildMs]),
      ),
    );
  }
  if (gate.length > 0) {
    say('\ngoals on the published part');
    for (const { name, count, of, goal, reached, bound, kind, passed } of gate)
      say(
        `  ${passed ? 'kept  ' : 'FELL  '} ${reached ? 'goal reached ' : 'goal not yet '} ${name}: ${count} of ${of} (kept at ${kind} ${bound}, goal ${goal})`,
      );
  }
}

/** Why the top hit is wrong, per question set. */
const FAILURES = {
  'read for a change': ({ query, top }) =>
    query.capability !== 'read' && query.capability !== 'diagnostic' && top === 'read',
  'change for a question': ({ writesForRead }) => writesForRead,
  'right tool in places 2 to 5': ({ rank }) => rank > 1 && rank <= 5,
  'in places 6 to 10': ({ rank }) => rank > 5,
  'not among ten': ({ rank }) => rank === 0,
} satisfies Record<string, (score: Score) => boolean>;

export function printFailures(runs: readonly EvaluationRun[], say: Say): void {
  say('\nquestions without a right tool on top, by kind (the first two kinds are also among the last three)');
  say(
    tableOf(
      ['set', 'asked', ...Object.keys(FAILURES)],
      runs.map(({ questionSet, scores }): Cell[] => {
        const dev = scores.filter(({ query, rank }) => query.part === 'dev' && rank !== 1);
        const asked = scores.filter(({ query }) => query.part === 'dev').length;
        return [questionSet.id, asked, ...Object.values(FAILURES).map((is) => dev.filter(is).length)];
      }),
    ),
  );
}

export function printLeaveOneOut({ leftOut, ablations }: Awaited<ReturnType<typeof leaveOneOut>>, say: Say): void {
  const cells = ({ r1, r5, ndcg10 }: Figures) => [r1, r5, ndcg10].map(percent).join(' / ');
  say('\nleave one set out: R@1 / R@5 / nDCG@10');
  say(
    tableOf(
      ['set', 'as shipped', 'chosen on the others', 'what differs'],
      leftOut.map(({ id, shipped, chosen, changes }): Cell[] => [
        id,
        cells(shipped),
        cells(chosen),
        Object.entries(changes)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ') || 'nothing',
      ]),
    ),
  );
  const sets = leftOut.map(({ id }) => id);
  say('\npoints (mean of R@1, R@5, nDCG@10) that each part brings');
  say(
    tableOf(
      ['part', ...sets],
      ablations.map(({ part, loss }): Cell[] => [part, ...sets.map((id) => (loss[id] ?? 0).toFixed(1))]),
    ),
  );
}
