/** Moves switches to the new generation in eight stages, and goes on where an earlier run ended. Started by `run-pipeline.mjs`. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type Operator, openOperator } from '../workflows/operator.ts';
import { Journal, newRunId } from '../workflows/pipeline/journal.ts';
import { carryOut, type PipelineOptions, plannedCalls, resultsOf } from '../workflows/pipeline/pipeline.ts';
import { FORMATS, type Format, reportText } from '../workflows/pipeline/report.ts';
import { isWriting, STAGES, type Stage } from '../workflows/pipeline/stages.ts';
import { OPTIONAL, REQUIRED, readSwitches, type Switch } from '../workflows/pipeline/switch-rows.ts';
import { utf8Text } from '../workflows/text-file.ts';
import { runCommand } from './run-command.ts';

interface Options {
  input: string;
  creds?: string;
  resume?: string;
  dryRun?: boolean;
  devices?: string;
  stageFrom: string;
  stageTo: string;
  configureOnly?: boolean;
  serviceId?: string;
  serviceRegion?: string;
  pollSeconds: string;
  outputDir: string;
  reportFormats: string;
  yes?: boolean;
  json?: boolean;
  directory: string;
  logLevel: string;
}

const program = new Command('svc-mcp-run-pipeline')
  .description(`Move switches to the new generation: ${STAGES.join(', ')}.`)
  .version(version)
  .requiredOption('--input <file>', `a table with ${REQUIRED.join(', ')}; optional ${OPTIONAL.join(', ')}`)
  .option('--dry-run', 'discover and validate only; nothing is written')
  .option('--resume <run>', 'continue a run: steps that succeeded are not repeated')
  .option('--devices <serials>', 'only these, separated by commas')
  .option('--stage-from <stage>', 'by name or number', 'discover')
  .option('--stage-to <stage>', 'by name or number', 'verify')
  .option('--configure-only', 'stage 6 only, after discover and validate')
  .option('--service-id <id>', 'service that takes over a switch that none manages yet')
  .option('--service-region <region>', 'and its region')
  .option('--poll-seconds <seconds>', 'between two polls of a long task', '30')
  .option('--output-dir <folder>', 'where reports go', 'outputs')
  .option('--report-formats <list>', FORMATS.join(','), FORMATS.join(','))
  .option('--creds <file>', 'credentials file')
  .option('--directory <path>', 'the folder with .env and config', '.')
  .option('--yes', 'print each request and write without asking')
  .option('--json', 'print one JSON object')
  .option('--log-level <level>', 'debug, info, warn, error, silent', 'warn')
  .action(migrate);

await runCommand(program);

async function migrate(options: Options): Promise<void> {
  const formats = formatsOf(options.reportFormats);
  const devices = chosen(readSwitches(options.input), options.devices);
  const stages = stagesOf(options);
  const folder = outputFolder(options);
  const pollMs = 1_000 * wholeNumber(options.pollSeconds, '--poll-seconds', 0, 3_600);
  using operator = await openOperator({
    env: process.env,
    directory: resolve(options.directory),
    credentials: options.creds && resolve(options.creds),
    logLevel: options.logLevel,
    yes: options.yes === true,
  });
  const run = options.resume ?? newRunId();
  using journal = new Journal(join(operator.stateDir, 'pipeline-runs'), run, utf8Text(options.input, '--input'), {
    resume: options.resume !== undefined,
  });
  process.stderr.write(`${run}: ${devices.length} switches, ${stages.join(', ')}\n`);
  const pipeline: PipelineOptions = {
    journal,
    siteOf: siteOf(operator, options),
    pollMs,
    progress: (line) => process.stderr.write(`${line}\n`),
  };
  await carryOut(devices, stages.slice(0, 2), pipeline);
  const ready = devices.filter(({ serial }) => journal.status(serial, 'validate') === 'success');
  const later = stages.slice(2);
  const dryRun = options.dryRun === true;
  let declined = false;
  if (!dryRun && ready.length > 0 && later.length > 0) {
    const about = `Pipeline ${run}: ${ready.length} of ${devices.length} switches through ${later.join(', ')}`;
    const writes = await plannedCalls(ready, later.filter(isWriting), pipeline);
    declined = !(await operator.approve(writes, about));
    if (declined) process.stderr.write('nothing was sent\n');
    else await carryOut(ready, later, pipeline);
  }
  const results = resultsOf(devices, dryRun ? stages.slice(0, 2) : stages, journal);
  const report = { run, dry_run: dryRun, made_at: new Date().toISOString(), devices: results };
  const files = formats.map((format) => {
    const file = join(folder, `pipeline_${run}.${format}`);
    writeFileSync(file, reportText(report, format), { mode: 0o600 });
    return file;
  });
  const ok = !declined && results.every(({ status }) => status === 'done' || status === 'skipped');
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ ok, ...report, reports: files })}\n`
      : `${results.map(({ serial, status }) => `${serial.padEnd(16)} ${status}`).join('\n')}\n${files.join('\n')}\n`,
  );
  if (!ok) process.exitCode = 1;
}

/** Made before anything else: a report that cannot be written would be missed only after an hour of upgrades. */
function outputFolder({ directory, outputDir }: Options): string {
  const folder = resolve(directory, outputDir);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RouterError(
      'USAGE',
      `--output-dir should be a folder of yours, got ${JSON.stringify(folder)} (${code})`,
      {
        cause,
      },
    );
  }
}

function siteOf(operator: Operator, { serviceId, serviceRegion }: Options): PipelineOptions['siteOf'] {
  if ((serviceId === undefined) !== (serviceRegion === undefined))
    throw new RouterError('USAGE', '--service-id and --service-region belong together');
  const source = operator.port();
  const service = serviceId && serviceRegion ? { service: { id: serviceId, region: serviceRegion } } : {};
  return ({ moves }) => ({
    source,
    target: moves ? operator.targetPort() : source,
    targetWorkspace: moves ? operator.targetWorkspace() : '',
    ...service,
    isOpen: operator.isOpen,
  });
}

/** Discover and validate always come first: a later stage stands on what they found. */
function stagesOf({ stageFrom, stageTo, configureOnly, dryRun }: Options): Stage[] {
  const [first, last] = configureOnly
    ? [5, 5]
    : [stageNumber(stageFrom, '--stage-from'), stageNumber(stageTo, '--stage-to')];
  if (first > last) throw new RouterError('USAGE', `--stage-from ${stageFrom} comes after --stage-to ${stageTo}`);
  return STAGES.filter((_, at) => at < 2 || (!dryRun && at >= first && at <= last));
}

function stageNumber(text: string, option: string): number {
  const at = /^s?[1-8]$/.test(text) ? Number(text.replace('s', '')) - 1 : (STAGES as readonly string[]).indexOf(text);
  if (at >= 0) return at;
  throw new RouterError(
    'USAGE',
    `${option} should be ${STAGES.join(', ')} or 1 to 8, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}

function chosen(devices: readonly Switch[], only: string | undefined): readonly Switch[] {
  if (only === undefined) return devices;
  const wanted = only.split(',').map((serial) => serial.trim());
  const unknown = wanted.find((serial) => !devices.some((device) => device.serial === serial));
  if (unknown !== undefined)
    throw new RouterError('USAGE', `--devices: --input has no ${JSON.stringify(unknown.slice(0, 40))}`);
  return devices.filter(({ serial }) => wanted.includes(serial));
}

function formatsOf(text: string): Format[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !(FORMATS as readonly string[]).includes(name));
  if (wrong === undefined) return names as Format[];
  throw new RouterError(
    'USAGE',
    `--report-formats should be some of ${FORMATS.join(',')}, got ${JSON.stringify(wrong.slice(0, 40))}`,
  );
}

function wholeNumber(text: string, option: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new RouterError(
    'USAGE',
    `${option} should be a whole number from ${least} to ${most}, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}
