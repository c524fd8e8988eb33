/** Plans a migration from an exported file, for people. Started by `migrate.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { faultsBy } from '../migration/call-faults.ts';
import { TARGETS, type Target } from '../migration/classification.ts';
import { type Plan, planDigest, planOf, planText } from '../migration/plan.ts';
import { countsOf, type Refusals, refusalsIn } from '../migration/plan-counts.ts';
import { planPage } from '../migration/plan-page.ts';
import { readExportText } from '../migration/read-export.ts';
import { openCatalog } from '../open-catalog.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';
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
    const plan = readPlan(file);
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
    if (json !== true) process.stdout.write(summaryOf(plan, target, refused));
  } finally {
    catalog.close();
  }
}

function readPlan(file: string): Plan {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new RouterError('MIGRATION_EXPORT_INVALID', `${JSON.stringify(file)} cannot be read`, { cause });
  }
  const source = readExportText(text);
  const broken = source.warnings.find(({ code }) => code === 'export_unreadable');
  if (broken) throw new RouterError('MIGRATION_EXPORT_INVALID', broken.message);
  return planOf(source);
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (cause) {
    throw new RouterError('USAGE', `--html: ${JSON.stringify(file)} cannot be written`, { cause });
  }
}

function summaryOf(plan: Plan, target: Target, refused: Refusals): string {
  const counts = countsOf(plan, target, refused);
  const lines = Object.entries(counts).map(([name, count]) => `${String(count).padStart(6)} ${name}`);
  return [
    `plan ${planDigest(plan).slice(0, 16)} for the ${target} generation, ${plan.warnings.length} warnings`,
    ...lines,
    '',
  ].join('\n');
}
