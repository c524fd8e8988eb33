/** `conformance`: the official MCP suite against any server, with what does not apply to it and why. */
import { type Command, Option } from 'commander';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { REVISIONS, type Revision } from '../../sandbox/revision.ts';
import { type ConformanceCheck, checkConformance } from '../../try/conformance-suite.ts';
import { connectServer } from '../../try/server-connection.ts';
import { lookAt } from '../../try/spoken-revisions.ts';
import type { CommandContext } from './context.ts';
import { addServerOptions, type ServerOptions, serverFrom } from './server-options.ts';

interface ConformanceOptions extends ServerOptions {
  revision?: Revision;
  json?: boolean;
}

export function addConformanceCommand(program: Command, context: CommandContext): void {
  addServerOptions(
    program.command('conformance').description('runs the official MCP conformance suite against any server'),
  )
    .addOption(new Option('--revision <date>', 'only this protocol revision').choices([...REVISIONS]))
    .option('--json', 'print the result as JSON')
    .action(async (options: ConformanceOptions) => {
      context.exitWith(await conformance(options, context));
    });
}

async function conformance(options: ConformanceOptions, context: CommandContext): Promise<ExitCode> {
  const server = serverFrom(options, context);
  const spoken = await lookAt(server, options.revision === undefined ? REVISIONS : [options.revision]);
  // A server over HTTP that has a command runs as long as somebody is connected.
  await using _running =
    server.url !== undefined && server.command !== undefined
      ? await connectServer({ ...server, revision: spoken.looked[0].revision })
      : undefined;
  const result = await checkConformance({
    server,
    spoken,
    onScenario: (check) => {
      if (options.json !== true) context.stdout.write(`${lineOf(check)}\n`);
    },
  });
  const failed = result.scenarios.filter(({ status }) => status === 'failed');
  if (options.json === true) context.stdout.write(`${JSON.stringify(result)}\n`);
  else
    context.stdout.write(
      `${failed.length === 0 ? 'pass' : `fail: ${failed.length} of ${result.scenarios.length} scenarios`}\n`,
    );
  return failed.length === 0 ? EXIT.pass : EXIT.verdict;
}

const lineOf = ({ revision, scenario, status, checks, reasons }: ConformanceCheck): string =>
  `${status.padEnd(14)}  ${revision}  ${scenario.padEnd(34)}  ${reasons.length === 0 ? `${checks} checks` : reasons.join('; ')}`;
