/** The options of `run`: what is played, against which server, how it is judged and where the reports go. */
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { BASELINE_FILE, GOLDEN_AGENTS } from '../../grading/baseline.ts';
import { STRENGTHS, type Strength } from '../../llm/replay.ts';
import type { Shard } from '../../recording/campaign-plan.ts';
import { RUNS_FOLDER } from '../../recording/run-folder.ts';
import { commaList, shardOf, wholeNumber } from './options.ts';

/** In place of a file: whoever looks at a server, such as the demo, has nothing to compare. Unsafe stays red. */
export const NO_BASELINE = 'none';

export interface RunOptions {
  suite: string[];
  filter?: string;
  tag: string[];
  agent: string[];
  transport: string[];
  mode?: string;
  profile?: string;
  runs: number;
  seed: number;
  concurrency: number;
  shard?: Shard;
  resume?: string;
  retryErrors?: string;
  failFast?: boolean;
  watch?: boolean;
  list?: boolean;
  directListing?: boolean;
  wording: number;
  replay?: string;
  strength?: Strength;
  yes?: boolean;
  subject: string;
  subjectRoot?: string;
  scenarios: string;
  baseline: string;
  against: string[];
  out?: string;
  json?: boolean;
}

export function addRunOptions(command: Command): Command {
  return command
    .option('--suite <names>', 'only these suites, comma separated', commaList, [])
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--tag <names>', 'only scenarios with all these tags (`list` shows them)', commaList, [])
    .option('--agent <names>', 'agents, comma separated', commaList, [...GOLDEN_AGENTS])
    .option('--transport <names>', 'http, stdio or both', commaList, ['http', 'stdio'])
    .option('--mode <name>', "the subject's mode, other than the baseline's: shown, not judged")
    .option('--profile <name>', "the subject's access profile, likewise")
    .option('--runs <n>', 'runs of each scenario, each with the next seed', wholeNumber(1, 1_000), 1)
    .option('--seed <n>', 'seed of the first run', wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      '--concurrency <n>',
      'lanes at a time; by default two for each core, since a lane waits for one process at a time',
      wholeNumber(1, 64),
      Math.min(4, 2 * availableParallelism()),
    )
    .option('--shard <i/n>', 'only this part of the scenarios; `merge` joins the parts', shardOf)
    .option('--resume <run>', 'go on with a run that was cut short, as it was asked for')
    .option('--retry-errors <run>', 'repeat those runs of a stored run whose agent crashed or timed out')
    .option('--fail-fast', 'stop at the first run that is worse than the baseline')
    .option('--watch', 'run again whenever server, harness or scenario files change, until Ctrl-C')
    .option('--list', 'print the runs that would be made, and make none')
    .option('--direct-listing', 'also count the tokens of a list of every tool (else the blessed count is used)')
    .option(
      '--wording <n>',
      '0 is the intent, 1 to 3 its paraphrases (held out: never judged by the baseline)',
      wholeNumber(0, 3),
      0,
    )
    .option(
      '--replay <run>',
      'give agents with a model the answers of a stored run or of a published version instead of those of an endpoint',
    )
    .addOption(
      new Option('--strength <name>', 'strict: every request as stored; decisions: only the answers').choices(
        STRENGTHS,
      ),
    )
    .option('--yes', 'ask a live model without a question first')
    .option('--subject <name>', 'server under test, a file in harness/subjects', 'router')
    .option('--subject-root <folder>', 'start the subject in this folder instead (a patched copy)')
    .option('--scenarios <folder>', 'scenario folder', 'scenarios')
    .option('--baseline <file>', `baseline to judge against; ${NO_BASELINE} compares with nothing`, BASELINE_FILE)
    .option(
      '--against <runs>',
      'stored runs or published versions to show beside this one, comma separated',
      commaList,
      [],
    )
    .option('--out <folder>', `where the reports go (default: ${RUNS_FOLDER}/<stamp>)`)
    .option('--json', 'print the report as one JSON object last');
}
