/** Plans a migration from an exported file, for people. Started by `migrate.mjs`. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { faultsBy } from '../migration/call-faults.ts';
import { TARGETS, type Target } from '../migration/classification.ts';
import { type Plan, planOf, planText } from '../migration/plan.ts';
import { refusalsIn } from '../migration/plan-counts.ts';
import { planLines } from '../migration/plan-lines.ts';
import { planPage } from '../migration/plan-page.ts';
import { openCatalog } from '../open-catalog.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';
import { readExportFile } from './export-file.ts';
import { addProfileCommands } from './network-profiles.ts';
import { runCommand } from './run-command.ts';

interface Options {
  html?: string;
  json?: boolean;
  target: string;
}

const program = new Command('svc-mcp-migrate')
  .description(
    'Plan the move of a legacy controller’s configuration, and read or change single profiles at the target.',
  )
  .version(version);

program
  .command('plan')
  .description('lists what migrates exactly, what is manual and why, and the order; calls no platform')
  .argument('<export>', 'the exported configuration, a JSON file')
  .option('--html <file>', 'write an HTML page')
  .option('--target <generation>', TARGETS.join(' or '), 'new')
  .option('--json', 'print the whole plan as one JSON object')
  .action((file: string, options: Options) => {
    const target = TARGETS.find((known) => known === options.target);
    if (target === undefined)
      throw new RouterError(
        'USAGE',
        `--target should be ${TARGETS.join(' or ')}, got ${JSON.stringify(options.target)}`,
      );
    const plan = planOf(readExportFile(file));
    if (options.html !== undefined || options.json !== true) showAtTarget(plan, target, options);
    if (options.json) process.stdout.write(`${escapeInvisible(planText(plan))}\n`);
  });

addProfileCommands(program);

await runCommand(program);

/** Page and summary say what the documents of the target take; the plan itself needs none. */
function showAtTarget(plan: Plan, target: Target, { html, json }: Options): void {
  const { catalog } = openCatalog(loadConfig({ env: process.env }));
  try {
    const refused = refusalsIn(plan, target, faultsBy(catalog));
    if (html !== undefined) writePage(html, planPage(plan, target, refused));
    if (json !== true) process.stdout.write(`${planLines(plan, target, refused).join('\n')}\n`);
  } finally {
    catalog.close();
  }
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RouterError('USAGE', `--html: ${JSON.stringify(file)} cannot be written (${code})`, {
      remedy: 'name a file in a folder where there is space and where you may write',
      cause,
    });
  }
}
