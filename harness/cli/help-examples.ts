/**
 * Examples at the end of each help. The key is the command without its program, which is typed in two ways: in a checkout
 * `npm run harness --`, and `svc-mcp-bench` of the package. A test runs every help, and holds the options of every example
 * against it.
 */
import type { Command } from 'commander';

const EXAMPLES = new Map<string, readonly string[]>([
  ['run', ['run --suite nac --agent oracle', 'run --runs 5 --out reports/runs/mine', 'run --resume 2026-11-24-080000']],
  [
    'try',
    [
      'try --command "node server.mjs" --openapi api.json',
      'try --url http://127.0.0.1:9000/mcp --openapi api.json --api-port 9100',
      'try --command "node server.mjs" --openapi api.json --min-success 0.8 --junit try.xml',
    ],
  ],
  [
    'conformance',
    ['conformance --command "node server.mjs"', 'conformance --url http://127.0.0.1:9000/mcp --revision 2025-11-25'],
  ],
  ['list', ['list', 'list --json', 'list --scenarios my-scenarios']],
  ['merge', ['merge 2026-11-24-080000 2026-11-24-090000', 'merge part1 part2 --out reports/runs/whole']],
  ['prove', ['prove identity', 'prove repeat --times 5 -- --suite nac']],
  ['prove identity', ['prove identity -- --suite nac']],
  ['prove repeat', ['prove repeat --times 5 -- --suite nac']],
  ['regrade', ['regrade', 'regrade 2026-11-24-080000 --against 0.1.0', 'regrade 0.1.0/golden --json']],
  ['reproduce', ['reproduce 0.1.0 --check', 'reproduce 0.2.0 --from 2026-11-24-080000']],
  ['measure-published', ['measure-published', 'measure-published --runs 1 --filter nac/']],
  ['diff', ['diff 2026-11-24-080000 latest', 'diff 0.1.0/golden latest --json']],
  [
    'bless',
    [
      'bless --reason "two scenarios more"',
      'bless latest --reason "agent removed" --accept-loss "agent spam=replaced"',
    ],
  ],
  ['compare', ['compare --subjects router --sizes one', 'compare --suite nac --runs 3', 'compare --merge']],
  ['view', ['view', 'view 2026-11-24-080000 --port 8090', 'view --json']],
  ['controls', ['controls injection', 'controls mutants --change', 'controls page']],
  ['controls injection', ['controls injection --channels name --seed 2']],
  ['controls mutants', ['controls mutants --change', 'controls mutants --only no-confirmation']],
  ['controls tests', ['controls tests --shard 1/4']],
  ['controls names', ['controls names --suite nac']],
  ['controls ledger', ['controls ledger --suite nac --json']],
  ['controls namespaces', ['controls namespaces --json']],
  ['controls rubbish', ['controls rubbish --texts 1000']],
  ['controls spam', ['controls spam --filter nac/ --json']],
  ['controls page', ['controls page']],
]);

/** Of every command below the program; `typed` is how the program is called. */
export function addExamples(program: Command, typed: string): void {
  program.addHelpText(
    'after',
    textOf(
      program.commands.slice(0, 3).flatMap((one) => examplesOf(one).slice(0, 1)),
      typed,
    ),
  );
  for (const one of program.commands) add(one, one.name(), typed);
}

function add(command: Command, name: string, typed: string): void {
  command.addHelpText('after', textOf(EXAMPLES.get(name) ?? [], typed));
  for (const one of command.commands) add(one, `${name} ${one.name()}`, typed);
}

const examplesOf = (command: Command): readonly string[] => EXAMPLES.get(command.name()) ?? [];

const textOf = (lines: readonly string[], typed: string): string =>
  lines.length === 0 ? '' : `\nExamples:\n${lines.map((line) => `  ${typed} ${line}`).join('\n')}`;
