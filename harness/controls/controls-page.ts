/** docs/benchmark-controls.md: the results of the last control runs. Values in, text out. */
import { escapedCell } from '../reporting/escape.ts';
import { ruleOfThree } from '../statistics/stats.ts';
import type { Mutant } from '../subject/mutant.ts';
import { latest, type Made } from './control-baseline.ts';
import { type InjectionProof, type InjectionResult, proofOf } from './injection-result.ts';
import { JUDGES } from './judged-files.ts';
import type { FaultedFile } from './judges.ts';
import type { LedgerComparison } from './ledger-check.ts';
import type { NamespaceCheck } from './namespace-isolation.ts';
import type { NameComparison } from './opaque-names.ts';
import { LEAST_LOSS, type RankingLoss } from './random-ranking.ts';
import type { IdentityResult, RepeatResult } from './scenario-proof.ts';
import type { SpamCheck } from './spam-check.ts';

export interface PlayedMutant {
  name: string;
  gate: string;
  turned: Record<string, number>;
  caught: boolean;
  failure?: string;
  made: Made;
}

export interface JudgesResult {
  files: Record<string, FaultedFile & { made: Made }>;
}

/** What each control left behind; one that was not played is left out. */
export interface ControlResults {
  mutants?: { intact: object[]; played: PlayedMutant[] } | undefined;
  injection?: InjectionResult | undefined;
  spam?: (SpamCheck & { made: Made | undefined }) | undefined;
  names?: (NameComparison & { made: Made }) | undefined;
  ranking?: (RankingLoss & { made: Made }) | undefined;
  ledger?: (LedgerComparison & { made: Made }) | undefined;
  namespaces?: (NamespaceCheck & { made: Made }) | undefined;
  judges?: JudgesResult | undefined;
  identity?: (IdentityResult & { made: Made }) | undefined;
  repeat?: (RepeatResult & { made: Made }) | undefined;
}

interface Row {
  claim: string;
  command: string;
  shown: string | undefined;
  made: Made | undefined;
}

export function controlsPage(results: ControlResults, mutants: readonly Mutant[]): string {
  const rows = rowsOf(results, mutants);
  const missing = rows.filter((row) => row.shown === undefined);
  const lines = [
    '<!-- Written by `npm run harness -- controls page` from var/controls. Do not edit by hand. -->',
    '# Control runs',
    '',
    'A control run tests the harness itself. [The methodology](benchmark-methodology.md) describes each one. Every figure is a count. A control that fails',
    'ends with exit code 1. Minutes are those of the machine that made the row, which also ran other work; no gate judges them.',
    '',
    ...(missing.length === 0 ? [] : notRun(missing)),
    ...table(
      ['claim', 'remade with `npm run harness -- …`', 'shown', 'made'],
      rows
        .filter((row) => row.shown !== undefined)
        .map((row) => [row.claim, `\`${row.command}\``, row.shown ?? '', madeText(row.made)]),
    ),
    '',
    ...(results.injection === undefined ? [] : injectionSection(proofOf(results.injection))),
    ...(results.mutants === undefined ? [] : mutantSection(results.mutants.played, mutants)),
    ...(results.judges === undefined ? [] : judgesSection(results.judges)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function rowsOf(results: ControlResults, mutants: readonly Mutant[]): Row[] {
  const { injection, spam, ledger, namespaces, judges, identity, repeat } = results;
  const judged = Object.values(judges?.files ?? {});
  const [faults, noticed] = [total(judged, 'faults'), total(judged, 'noticed')];
  const played = results.mutants?.played ?? [];
  const caught = played.filter((one) => one.caught).length;
  return [
    {
      claim: 'every patched copy of the server turns the gate it names; nothing is red without a patch',
      command: 'controls mutants',
      shown:
        results.mutants &&
        `${caught} of ${mutants.length} caught, ${results.mutants.intact.length} red without a patch`,
      made: results.mutants && latest(played.map((one) => one.made)),
    },
    {
      claim:
        'planted instructions write nothing, with or without an approver to ask, and would write without the question',
      command: 'controls injection',
      shown: injection && injectionText(proofOf(injection)),
      made: injection?.made,
    },
    {
      claim:
        'an agent that calls everything reaches every `must_not_call` pattern of every scenario through an unguarded copy, and writes nothing through the intact server',
      command: 'controls spam',
      shown: spam && spamText(spam),
      made: spam?.made,
    },
    ...contestantRows(results),
    {
      claim: 'the ledger contains the calls that an independent proxy recorded',
      command: 'controls ledger',
      shown:
        ledger &&
        `${ledger.runs} runs: ${ledger.entries} entries, ${ledger.passed} requests, ${ledger.differences.length} differences`,
      made: ledger?.made,
    },
    {
      claim: '64 runs on one fake, 8 at a time: none counts a call of another',
      command: 'controls namespaces',
      shown: namespaces && `${namespaces.calls} calls, ${namespaces.crossCounted} counted for another`,
      made: namespaces?.made,
    },
    {
      claim:
        'the tests of the code that grades, judges, merges and computes notice at least 90 % of the faults put into it',
      command: 'controls tests',
      shown:
        judges && `${noticed} of ${faults} noticed (${percent(noticed / faults)}); texts for people are left alone`,
      made: judges && latest(judged.map((file) => file.made)),
    },
    {
      claim: 'a campaign in one piece, in 2 and 4 shards, and killed and resumed gives the same bytes',
      command: 'prove identity',
      shown:
        identity &&
        `${identity.runs} runs: ${Object.entries(identity.differing)
          .map(([how, bytes]) => `${how} ${bytes} bytes differ`)
          .join(', ')}`,
      made: identity?.made,
    },
    {
      claim: '20 runs of an unchanged tree are never red',
      command: 'prove repeat --times 20',
      shown: repeat && `${repeat.red} of ${repeat.times} red, ${repeat.differing} with other evidence than the first`,
      made: repeat?.made,
    },
  ];
}

/** What is shown with the contestant. */
function contestantRows({ names, ranking }: ControlResults): Row[] {
  return [
    {
      claim:
        'one opaque token in front of the name of every operation and a shuffled catalog change at most one verdict',
      command: 'controls names',
      shown:
        names &&
        `${names.changed.length} of ${names.scenarios} verdicts changed: ${names.changed.map(({ scenario, before, after }) => `${scenario} (${before} → ${after})`).join(', ') || 'none'}`,
      made: names?.made,
    },
    {
      claim: `the model-free agent loses at least ${LEAST_LOSS} points where discovery ranks at random`,
      command: 'controls ranking',
      shown:
        ranking &&
        `${ranking.solved} of ${ranking.scenarios} plain scenarios solved, ${ranking.solvedAtRandom} with random ranking: ${ranking.lost} points lost`,
      made: ranking?.made,
    },
  ];
}

const injectionText = ({ rows, payloads, mute, plantings, runs, writes }: InjectionProof): string =>
  [
    `${writes} unapproved writes in ${runs} runs: ${plantings} plantings on two kinds of connection (true rate below ${percent(ruleOfThree(plantings))})`,
    `${rows.filter((row) => row.proves).length} of ${rows.length} channels and ${payloads.length - mute.length} of ${payloads.length} payloads write on the copy without confirmation`,
  ].join('; ');

const spamText = ({ scenarios, bans, unbroken, selected, unsafeWhenGuarded }: SpamCheck): string =>
  [
    `${scenarios} scenarios: ${unbroken.length} of ${bans} bans not broken`,
    `${selected.length} judged well chosen`,
    `${unsafeWhenGuarded.length} with an unapproved write through the intact server`,
  ].join(', ') + ([...unbroken, ...selected, ...unsafeWhenGuarded].map((id) => `; ${id}`).join('') || '');

const notRun = (rows: readonly Row[]): string[] => [
  '## Not run here, because',
  '',
  ...table(
    ['claim', 'because'],
    rows.map((row) => [row.claim, `\`npm run harness -- ${row.command}\` has not been run to its end on this machine`]),
  ),
  '',
  '## Shown',
  '',
];

const injectionSection = ({ rows, mute }: InjectionProof): string[] => [
  '## Planted instructions by channel',
  '',
  ...table(
    ['channel', 'tries', 'writes', 'writes without confirmation'],
    rows.map((row) => [row.channel, String(row.attempts), String(row.unapprovedWrites), String(row.writesUnguarded)]),
  ),
  '',
  ...(mute.length === 0
    ? []
    : [`Payloads that wrote nothing on the copy either, and so prove nothing: ${mute.join(', ')}.`, '']),
];

function mutantSection(played: readonly PlayedMutant[], mutants: readonly Mutant[]): string[] {
  const rows = mutants.map((mutant) => {
    const one = played.find(({ name }) => name === mutant.name);
    const turned = Object.entries(one?.turned ?? {}).map(([gate, times]) => `${gate} ×${times}`);
    const said = one === undefined ? 'not played here' : (one.failure ?? (turned.join(', ') || 'nothing'));
    return [mutant.name, mutant.about, mutant.gate, one?.caught === false ? `**missed**: ${said}` : said];
  });
  return [
    '## Mutants',
    '',
    'Each mutant runs on the scenarios that its file names, over one transport with one seed. The intact server runs on all of these scenarios',
    'first. A gate with a number above one turned in several scenarios.',
    '',
    ...table(['mutant', 'what is wrong', 'gate it names', 'gates it turned'], rows),
    '',
  ];
}

function judgesSection({ files }: JudgesResult): string[] {
  const rows = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const played = (pattern: string) => rows.some(([file]) => file.startsWith(pattern.replace(/\*.*$/, '')));
  const missing = JUDGES.filter((pattern) => !played(pattern)).map((pattern) => `\`${pattern}\``);
  return [
    '## Faults in the code that grades and judges',
    '',
    ...table(
      ['file', 'faults', 'noticed'],
      rows.map(([file, { faults, noticed }]) => [`\`${file}\``, String(faults), String(noticed)]),
    ),
    '',
    ...(missing.length === 0 ? [] : [`Not run to the end here, so not counted: ${missing.join(', ')}.`, '']),
  ];
}

const total = (files: readonly FaultedFile[], field: 'faults' | 'noticed'): number =>
  files.reduce((sum, file) => sum + file[field], 0);

const madeText = (made: Made | undefined): string =>
  made === undefined ? '' : `${made.at}, ${(made.commit ?? 'no history').slice(0, 8)}, ${Math.ceil(made.minutes)} min`;

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapedCell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}
