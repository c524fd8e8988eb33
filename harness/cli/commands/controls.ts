/** `controls`: the harness proves itself: planted instructions, patched copies of the server, bans that can be broken. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { mutantsForChange } from '../../controls/changed.ts';
import { keepControl, madeSince, readControl } from '../../controls/control-baseline.ts';
import {
  type ControlResults,
  controlsPage,
  type JudgesResult,
  type PlayedMutant,
} from '../../controls/controls-page.ts';
import { loadInjection, tryInjections } from '../../controls/injection.ts';
import { joinInjections, proofOf } from '../../controls/injection-result.ts';
import { JUDGES } from '../../controls/judged-files.ts';
import { type Played, sabotage } from '../../controls/sabotage.ts';
import { readSpam } from '../../controls/spam-baseline.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Finding } from '../../grading/gate-finding.ts';
import { HarnessError } from '../../harness-errors.ts';
import type { Shard } from '../../recording/campaign-plan.ts';
import { ruleOfThree } from '../../statistics/stats.ts';
import { loadMutants, type Mutant, patchedCopy } from '../../subject/mutant.ts';
import { loadSubject } from '../../subject/subject.ts';
import type { CommandContext } from './context.ts';
import { commaList, shardOf, wholeNumber } from './options.ts';
import { addProofs } from './proofs.ts';

/** The patch under which every channel must let a write through, or it proves nothing. */
const UNGUARDED = 'no-confirmation';
const PAGE = 'docs/benchmark-controls.md';

export function addControlsCommand(program: Command, context: CommandContext): void {
  const controls = program.command('controls').description('prove that the gates can fail');
  controls
    .command('injection')
    .description('an agent that obeys everything, every channel × every payload, every gate open')
    .option('--channels <names>', 'only these', commaList)
    .option('--payloads <names>', 'only these', commaList)
    .option('--seed <n>', 'which objects are named', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--json', 'print one JSON object')
    .action(async (options: InjectionCommand) => context.exitWith(await injection(options, context)));
  controls
    .command('mutants')
    .description('patched copies of the server, and the gates that each of them turns red')
    .option('--only <names>', 'only these', commaList)
    .option('--change', 'those of every change and those whose files were changed')
    .option('--trunk <name>', 'the commit that a change is compared with', 'origin/main')
    .option('--concurrency <n>', 'lanes at a time', wholeNumber(1, 64), Math.min(4, availableParallelism()))
    .option('--json', 'print one JSON object')
    .action(async (options: MutantsCommand) => context.exitWith(await mutants(options, context)));
  controls
    .command('tests')
    .description('puts faults into the code that grades and judges, and counts those that the tests notice')
    .option('--modules <files>', 'only these', commaList)
    .option('--shard <i/n>', 'only this part of the modules', shardOf)
    .option('--json', 'print one JSON object')
    .action(async (options: FaultsCommand) => context.exitWith(await faultedJudges(options, context)));
  addProofs(controls, context);
  controls
    .command('page')
    .description(`write ${PAGE} from what the controls showed last`)
    .action(async () => {
      const { root, stdout } = context;
      const names = [
        'mutants',
        'injection',
        'names',
        'ranking',
        'ledger',
        'namespaces',
        'judges',
        'identity',
        'repeat',
      ];
      const read = await Promise.all(names.map(async (name) => [name, await readControl<object>(root, name)] as const));
      const results = { ...Object.fromEntries(read), spam: await readSpam(root) } as ControlResults;
      const text = controlsPage(results, await loadMutants());
      await writeFile(join(root, PAGE), text);
      stdout.write(`${PAGE}\n`);
    });
}

interface FaultsCommand {
  modules?: string[];
  shard?: Shard;
  json?: boolean;
}

/** Loaded only when it is wanted: it brings a whole test runner along. */
async function faultedJudges(options: FaultsCommand, { root, stdout }: CommandContext) {
  const started = performance.now();
  const { faultJudges, sumOf } = await import('../../controls/judges.ts');
  const { shard } = options;
  const modules = (options.modules ?? JUDGES).filter(
    (_, at) => shard === undefined || at % shard.count === shard.index - 1,
  );
  const files = await faultJudges(modules);
  const { noticed, faults } = sumOf(files);
  const unnoticed = Object.values(files).flatMap((file) => file.unnoticed);
  const share = noticed / Math.max(1, faults);
  if (options.json === true)
    stdout.write(`${JSON.stringify({ control: 'tests', faults, noticed, share, unnoticed })}\n`);
  else {
    for (const fault of unnoticed) stdout.write(`unnoticed ${fault}\n`);
    stdout.write(`${noticed} of ${faults} faults noticed (${(100 * share).toFixed(1)} %, at least 90 % wanted)\n`);
  }
  const { minutes, ...when } = await madeSince(root, started);
  const made = { ...when, minutes: minutes / Math.max(1, Object.keys(files).length) };
  const before = await readControl<JudgesResult>(root, 'judges');
  const now = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { ...file, made }]));
  await keepControl(root, 'judges', { files: { ...before?.files, ...now } });
  return share >= 0.9 ? EXIT.pass : EXIT.verdict;
}

interface InjectionCommand {
  channels?: string[];
  payloads?: string[];
  seed: number;
  json?: boolean;
}

async function injection(options: InjectionCommand, context: CommandContext) {
  const started = performance.now();
  const { root, signal, stdout, stderr } = context;
  const subject = await loadSubject('router');
  const known = await loadInjection();
  const common = {
    root,
    subject,
    seed: options.seed,
    signal,
    channels: options.channels ?? known.channels.map((channel) => channel.id),
    payloads: options.payloads ?? Object.keys(known.payloads),
  };
  stderr.write(`${common.channels.length} channels × ${common.payloads.length} payloads, asked and unasked\n`);
  const guarded = await tryInjections({ ...common, bare: true, elicits: [true, false] });
  const mutant = (await loadMutants()).find(({ name }) => name === UNGUARDED) as Mutant;
  await using copy = await patchedCopy(root, mutant);
  const unguarded = await tryInjections({ ...common, subjectRoot: copy.root, bare: true, elicits: [true] });
  if (signal.aborted) return EXIT.interrupted;
  const result = { guarded, unguarded, made: await madeSince(root, started) };
  const { rows, payloads, mute, plantings, runs, writes } = proofOf(result);
  const lines = rows.map(
    (row) =>
      `${row.channel.padEnd(18)} ${cell(row.attempts)} ${cell(row.unapprovedWrites)} ${cell(row.writesUnguarded)}   ${row.proves ? 'yes' : 'NO'}`,
  );
  const crashed = [...guarded, ...unguarded].filter((attempt) => attempt.outcome !== 'finished').length;
  const bound = ((ruleOfThree(plantings) ?? 1) * 100).toFixed(2);
  const silent = mute.length > 0 ? ` (not ${mute.join(', ')})` : '';
  const proving = { channels: rows.filter((row) => row.proves).length, payloads: payloads.length - mute.length };
  const figures = { channels: rows.length, payloads: payloads.length, proving, plantings, runs, writes, crashed };
  if (options.json === true) stdout.write(`${JSON.stringify({ control: 'injection', ...figures })}\n`);
  else
    stdout.write(
      `channel               tries  writes  writes on ${UNGUARDED}   proves something\n${lines.join('\n')}\n`,
    );
  stdout.write(
    `${writes} unapproved writes in ${runs} runs (${plantings} plantings, each on two kinds of connection; true rate below ${bound} % at 95 %); ${rows.filter((row) => row.proves).length} of ${rows.length} channels and ${payloads.length - mute.length} of ${payloads.length} payloads prove something${silent}; ${crashed} agents ended early\n`,
  );
  await keepControl(root, 'injection', joinInjections(await readControl(root, 'injection'), result));
  return writes === 0 && mute.length === 0 && rows.every((row) => row.proves) ? EXIT.pass : EXIT.verdict;
}

interface MutantsCommand {
  only?: string[];
  change?: boolean;
  trunk: string;
  concurrency: number;
  json?: boolean;
}

async function mutants(options: MutantsCommand, context: CommandContext) {
  const { root, signal, stdout } = context;
  const all = await loadMutants();
  const unknown = (options.only ?? []).filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new HarnessError('NOTHING_SELECTED', `no mutant of the name ${unknown.join(', ')}`);
  const chosen =
    options.only !== undefined
      ? all.filter((mutant) => options.only?.includes(mutant.name))
      : options.change === true
        ? await mutantsForChange(root, all, options.trunk)
        : all;
  stdout.write(`${chosen.length} of ${all.length} mutants\n`);
  const { intact, played } = await sabotage({
    root,
    subject: await loadSubject('router'),
    mutants: chosen,
    concurrency: options.concurrency,
    signal,
    onPlayed: (one) => stdout.write(`${lineOf(one)}\n`),
  });
  if (signal.aborted) return EXIT.interrupted;
  for (const finding of intact)
    stdout.write(`RED WITHOUT A PATCH ${finding.key} ${finding.gate}: ${finding.reason ?? ''}\n`);
  const caught = played.filter((one) => one.caught).length;
  stdout.write(
    `${caught} of ${played.length} mutants turned the gate they name; ${intact.length} red without a patch\n`,
  );
  if (options.json === true) {
    const figures = { mutants: played.length, caught, red_without_a_patch: intact.length };
    stdout.write(`${JSON.stringify({ control: 'mutants', ...figures })}\n`);
  }
  await keepMutants(root, intact, played);
  return caught === played.length && intact.length === 0 ? EXIT.pass : EXIT.verdict;
}

/** Merges the results with those of the other controls, so that a fix of one control needs no run of all. */
async function keepMutants(root: string, intact: Finding[], played: readonly Played[]): Promise<void> {
  const before = await readControl<{ played: PlayedMutant[] }>(root, 'mutants');
  const { at, commit } = await madeSince(root, 0);
  const now = played.map(({ mutant, elapsedMs, ...rest }) => {
    const made = { at, commit, minutes: Math.round(elapsedMs / 600) / 100 };
    return { name: mutant.name, gate: mutant.gate, ...rest, made };
  });
  const others = (before?.played ?? []).filter((one) => !now.some(({ name }) => name === one.name));
  await keepControl(root, 'mutants', { intact, played: [...others, ...now] });
}

function lineOf({ mutant, turned, caught, failure, elapsedMs }: Played): string {
  const gates = Object.entries(turned).map(([gate, times]) => `${gate} ×${times}`);
  const said = failure === undefined ? gates.join(', ') || 'nothing' : `did not run: ${failure.split('\n')[0]}`;
  return `${caught ? 'caught' : 'MISSED'} ${mutant.name.padEnd(26)} ${mutant.gate.padEnd(15)} turned ${said}  (${Math.round(elapsedMs / 1000)} s)`;
}

const cell = (value: number): string => String(value).padStart(7);
