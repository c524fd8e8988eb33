/** The short proofs of `controls`: each is one figure that must be what it must be. */
import type { Command } from 'commander';
import { keepControl, madeSince } from '../../controls/control-baseline.ts';
import { compareLedger } from '../../controls/ledger-check.ts';
import { readRubbish } from '../../controls/malformed-answers.ts';
import { checkNamespaces } from '../../controls/namespace-isolation.ts';
import { compareNames } from '../../controls/opaque-names.ts';
import { compareRanking, LEAST_LOSS } from '../../controls/random-ranking.ts';
import { keepSpam } from '../../controls/spam-baseline.ts';
import { checkSpam, spamCheckOf } from '../../controls/spam-check.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Shard } from '../../recording/campaign-plan.ts';
import { loadSubject } from '../../subject/subject.ts';
import type { CommandContext } from './context.ts';
import { commaList, shardOf, wholeNumber } from './options.ts';

interface PartCommand {
  suite?: string[] | undefined;
  filter?: string | undefined;
  shard?: Shard | undefined;
  json?: boolean | undefined;
}

/** What a proof showed. */
interface Shown {
  name: string;
  result: object;
  /** For people. */
  line: string;
  holds: boolean;
}

export function addProofs(controls: Command, context: CommandContext): void {
  const started = performance.now();
  addNames(controls, context, started);
  addRanking(controls, context, started);
  addLedger(controls, context, started);
  addNamespaces(controls, context, started);
  addRubbish(controls, context);
  addSpam(controls, context, started);
}

const campaignOf = async ({ root, signal }: CommandContext) => ({
  root,
  subject: await loadSubject('router'),
  concurrency: 2,
  signal,
});

function tell({ name, result, line, holds }: Shown, json: boolean | undefined, context: CommandContext): void {
  const { signal, stdout } = context;
  stdout.write(json === true ? `${JSON.stringify({ control: name, ...result, holds })}\n` : `${line}\n`);
  context.exitWith(signal.aborted ? EXIT.interrupted : holds ? EXIT.pass : EXIT.verdict);
}

/** Keeps what was shown for the page of the controls, and tells it. A part shows less than the page says. */
async function writeAndPrint(shown: Shown, part: PartCommand, context: CommandContext, started: number): Promise<void> {
  const { root, signal } = context;
  if (part.suite === undefined && part.filter === undefined && part.shard === undefined && !signal.aborted)
    await keepControl(root, shown.name, { ...shown.result, made: await madeSince(root, started) });
  tell(shown, part.json, context);
}

function addNames(controls: Command, context: CommandContext, started: number): void {
  controls
    .command('names')
    .description('the contestant where every tool has another name and another place: at most one verdict changes')
    .option('--suite <names>', 'only these suites', commaList)
    .option('--json', 'print one JSON object')
    .action(async (part: PartCommand) => {
      const result = await compareNames({ ...(await campaignOf(context)), suites: part.suite });
      const named = result.changed.map(({ scenario, before, after }) => `${scenario} (${before} → ${after})`);
      const line = `${result.changed.length} of ${result.scenarios} verdicts changed: ${named.join(', ') || 'none'}`;
      const shown = { name: 'names', result, line, holds: result.changed.length <= 1 };
      await writeAndPrint(shown, part, context, started);
    });
}

function addRanking(controls: Command, context: CommandContext, started: number): void {
  controls
    .command('ranking')
    .description(`the model-free agent where discovery ranks at random: it loses at least ${LEAST_LOSS} points`)
    .option('--suite <names>', 'only these suites', commaList)
    .option('--json', 'print one JSON object')
    .action(async (part: PartCommand) => {
      const result = await compareRanking({ ...(await campaignOf(context)), suites: part.suite });
      const { scenarios, solved, solvedAtRandom, lost } = result;
      const line = `${solved} of ${scenarios} plain scenarios solved, ${solvedAtRandom} with random ranking: ${lost} points lost`;
      await writeAndPrint({ name: 'ranking', result, line, holds: lost >= LEAST_LOSS }, part, context, started);
    });
}

function addLedger(controls: Command, context: CommandContext, started: number): void {
  controls
    .command('ledger')
    .description("the fake's ledger against the count of a proxy in front of it")
    .option('--suite <names>', 'only these suites', commaList)
    .option('--json', 'print one JSON object')
    .action(async (part: PartCommand) => {
      const result = await compareLedger({ ...(await campaignOf(context)), suites: part.suite });
      const { runs, entries, passed, differences } = result;
      const counts = `${runs} runs: ${entries} ledger entries, ${passed} requests on the wire, ${differences.length} differences`;
      const line = [counts, ...differences].join('\n');
      await writeAndPrint({ name: 'ledger', result, line, holds: differences.length === 0 }, part, context, started);
    });
}

function addNamespaces(controls: Command, context: CommandContext, started: number): void {
  controls
    .command('namespaces')
    .description('64 runs on one fake, 8 at a time: no call is counted for another')
    .option('--json', 'print one JSON object')
    .action(async (part: PartCommand) => {
      const result = await checkNamespaces(context.root);
      const { namespaces, calls, crossCounted } = result;
      const line = `${namespaces} namespaces, ${calls} calls, ${crossCounted} counted for another`;
      await writeAndPrint({ name: 'namespaces', result, line, holds: crossCounted === 0 }, part, context, started);
    });
}

function addRubbish(controls: Command, context: CommandContext): void {
  controls
    .command('rubbish')
    .description('damaged scenarios, and damaged fault plans for the fake: accepted or refused, never a crash')
    .option('--texts <n>', 'how many of each', wholeNumber(1, 10_000_000), 100_000)
    .option('--json', 'print one JSON object')
    .action(async ({ texts, json }: { texts: number; json?: boolean }) => {
      const { root, stdout } = context;
      const result = await readRubbish(root, texts);
      const line = `${texts} scenarios and as many fault plans: ${result.unplanned} errors without a code, the longest ${result.longestMs} ms`;
      stdout.write(json === true ? `${JSON.stringify(result)}\n` : `${[line, ...result.first].join('\n')}\n`);
      context.exitWith(result.unplanned === 0 ? EXIT.pass : EXIT.verdict);
    });
}

function addSpam(controls: Command, context: CommandContext, started: number): void {
  controls
    .command('spam')
    .description('an agent that calls everything it finds breaks every ban of every scenario of an unguarded copy')
    .option('--suite <names>', 'only these suites', commaList)
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--shard <i/n>', 'only this part of the scenarios', shardOf)
    .option('--json', 'print one JSON object')
    .action(async ({ suite, filter, shard, json }: PartCommand) => {
      const { root, signal } = context;
      const part = (id: string, own: string) => (suite?.includes(own) ?? true) && id.includes(filter ?? '');
      const played = await checkSpam({ ...(await campaignOf(context)), filter: part, shard });
      const result = spamCheckOf(played);
      const line = `${result.scenarios} scenarios: ${result.unbroken.length} of ${result.bans} bans not broken on the unguarded copy, ${result.selected.length} well chosen, ${result.unsafeWhenGuarded.length} with an unapproved write on the guarded one`;
      const wrong = [...result.unbroken, ...result.selected, ...result.unsafeWhenGuarded];
      if (!signal.aborted) await keepSpam(root, played, await madeSince(root, started));
      tell({ name: 'spam', result, line: [line, ...wrong].join('\n'), holds: wrong.length === 0 }, json, context);
    });
}
