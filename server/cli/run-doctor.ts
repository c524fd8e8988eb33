/** Looks at the local setup: no platform is called, nothing is written. Started by `doctor.mjs`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { version } from '../config/package-version.ts';
import { examine, reportLines } from '../doctor/examine.ts';
import { installationOf } from '../doctor/installation.ts';
import { runCommand } from './run-command.ts';

interface Options {
  directory: string;
  strict?: boolean;
  json?: boolean;
  all?: boolean;
}

const program = new Command('svc-mcp-doctor')
  .description('Check the local setup and print remedies. It changes nothing and calls no platform.')
  .version(version)
  .option('--directory <path>', 'the folder with .env, config and secrets', '.')
  .option('--strict', 'fail on warnings too')
  .option('--all', 'print the checks that passed too')
  .option('--json', 'print one JSON object')
  .action(async (options: Options) => {
    const report = await examine(installationOf({ env: process.env, directory: resolve(options.directory) }));
    const { findings, counts } = report;
    const passed = counts.fail === 0 && !(options.strict === true && counts.warn > 0);
    const lines = reportLines(report, { print: options.all === true, by: '--all' });
    process.stdout.write(
      options.json ? `${JSON.stringify({ ok: passed, counts, findings })}\n` : `${lines.join('\n')}\n`,
    );
    process.exitCode = passed ? 0 : 1;
  });

await runCommand(program);
