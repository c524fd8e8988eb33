/** Builds networks from options or a table. A passphrase comes from a prompt, a file or stdin, never from an argument. Started by `run-ssid.mjs`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { escapeInvisible, shownName } from '../telemetry/invisible.ts';
import { readTable } from '../workflows/csv.ts';
import { openOperator } from '../workflows/operator.ts';
import {
  BANDS,
  type Built,
  build,
  checkPassphrase,
  isPersonal,
  type Network,
  OPMODES,
  opmodeOf,
  plannedCallsOf,
  runsOf,
  type Target,
  vlansOf,
} from '../workflows/ssid.ts';
import { secretsFor } from '../workflows/terminal-approver.ts';
import { utf8Text } from '../workflows/text-file.ts';
import { runCommand } from './run-command.ts';

interface Options {
  input?: string;
  ssid?: string;
  vlans?: string;
  scopeId?: string;
  opmode: string;
  rfBand: string;
  maxClients: string;
  hideSsid?: boolean;
  persona: string;
  clusterName?: string;
  clusterScopeId?: string;
  passphraseFile?: string;
  passphraseStdin?: boolean;
  creds?: string;
  directory: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
  logLevel: string;
}

const program = new Command('svc-mcp-run-ssid')
  .description('Build wireless networks: bridged (underlay), or tunnelled to a gateway cluster (overlay).')
  .version(version)
  .option('--ssid <name>', 'the network')
  .option('--vlans <list>', 'its VLANs: 10 or 10,20-22')
  .option('--scope-id <id>', 'scope that gets it')
  .option('--input <file>', 'a table instead: ssid_name,vlans,scope_id,opmode')
  .option('--opmode <mode>', Object.keys(OPMODES).join(', '), 'ENHANCED_OPEN')
  .option('--rf-band <band>', BANDS.join(', '), '24GHZ_5GHZ')
  .option('--max-clients <count>', 'per radio, 1 to 1024', '1024')
  .option('--hide-ssid', 'do not send the name')
  .option('--persona <function>', 'device function', 'CAMPUS_AP')
  .option('--cluster-name <name>', 'overlay: the gateway cluster')
  .option('--cluster-scope-id <id>', 'overlay: scope of the gateway cluster')
  .option('--passphrase-file <file>', 'one line per network that needs one; without it they are asked for')
  .option('--passphrase-stdin', 'the same from stdin')
  .option('--creds <file>', 'credentials file')
  .option('--directory <path>', 'the folder with .env and config', '.')
  .option('--dry-run', 'read the target and print what would be written')
  .option('--yes', 'print each request and write without asking')
  .option('--json', 'print one JSON object')
  .option('--log-level <level>', 'debug, info, warn, error, silent', 'warn')
  .action(buildAll);

// Whatever stands behind it would be in the list of processes and in the shell's history already: it is never echoed.
if (process.argv.some((word) => /^--?passphrase(=|$)/.test(word))) refusePassphrase();
else await runCommand(program);

function refusePassphrase(): void {
  process.stderr.write(
    'USAGE: a passphrase is not taken as an argument, where every process can read it\n  remedy: use the prompt, --passphrase-file or --passphrase-stdin, and change the passphrase\n',
  );
  process.exitCode = 2;
}

async function buildAll(options: Options): Promise<void> {
  const networks = networksOf(options);
  const place = placeOf(options);
  using operator = await openOperator({
    env: process.env,
    directory: resolve(options.directory),
    credentials: options.creds && resolve(options.creds),
    logLevel: options.logLevel,
    yes: options.yes === true,
  });
  const passphrases = await passphrasesFor(networks, options);
  const dryRun = options.dryRun === true;
  const secrets = [...passphrases.values()];
  const port = operator.port(secrets);
  const runs = runsOf(networks, place);
  const built: Built[] = [];
  for (const run of runs) built.push(...(await build(run, port, passphrases, { dryRun: true })));
  if (!dryRun) {
    const calls = (await Promise.all(runs.map((run) => plannedCallsOf(run, port, passphrases)))).flat();
    const about = `${networks.length} networks for ${runs.length} scopes`;
    if (
      !(await operator.approve(
        calls.map((call) => ({ port, ...call })),
        about,
      ))
    ) {
      process.stderr.write('nothing was sent\n');
      process.exitCode = 1;
      return;
    }
    built.length = 0;
    for (const run of runs) built.push(...(await build(run, port, passphrases, { dryRun: false })));
  }
  const ok = built.every(
    ({ outcome }) => outcome === 'created' || outcome === 'exists' || outcome.startsWith('would be'),
  );
  process.stdout.write(
    options.json ? `${escapeInvisible(JSON.stringify({ ok, dry_run: dryRun, networks: built }))}\n` : tableOf(built),
  );
  if (!ok) process.exitCode = 1;
}

/** By network; a dry run asks for none that is not given. */
async function passphrasesFor(
  networks: readonly Network[],
  { dryRun, passphraseFile, passphraseStdin }: Options,
): Promise<Map<string, string>> {
  if (dryRun === true && passphraseFile === undefined && passphraseStdin !== true) return new Map();
  const names = networks.filter(isPersonal).map(({ ssid }) => ssid);
  const passphrases = await secretsFor(names, {
    ...(passphraseFile === undefined ? {} : { file: passphraseFile }),
    ...(passphraseStdin ? { stdin: true } : {}),
  });
  for (const [ssid, passphrase] of passphrases) checkPassphrase(passphrase, ssid);
  return passphrases;
}

function networksOf(options: Options): Network[] {
  const { input, rfBand, hideSsid = false } = options;
  const maxClients = Number(options.maxClients);
  if (!Number.isInteger(maxClients) || maxClients < 1 || maxClients > 1024)
    throw new RouterError(
      'USAGE',
      `--max-clients should be a whole number from 1 to 1024, got ${JSON.stringify(options.maxClients)}`,
    );
  const band = BANDS.find((known) => known === rfBand);
  if (band === undefined)
    throw new RouterError('USAGE', `--rf-band should be ${BANDS.join(', ')}, got ${JSON.stringify(rfBand)}`);
  const shared = { band, hidden: hideSsid, maxClients };
  const warned = new Set<string>();
  const warn = (text: string) => {
    if (!warned.has(text)) process.stderr.write(`warning: ${text}\n`);
    warned.add(text);
  };
  if (input !== undefined && (options.ssid ?? options.vlans ?? options.scopeId) !== undefined)
    throw new RouterError('USAGE', '--input names the networks, so --ssid, --vlans and --scope-id should be left out');
  const rows = input === undefined ? [rowOf(options)] : tableRows(input);
  const networks = rows.map(
    (row): Network => ({
      ...shared,
      ssid: checkedName(row.ssid_name),
      vlans: vlansOf(row.vlans),
      scopeId: row.scope_id,
      opmode: opmodeOf(row.opmode || options.opmode, warn),
    }),
  );
  const names = networks.map(({ ssid, scopeId }) => `${ssid} ${scopeId}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new RouterError('USAGE', `the network ${JSON.stringify(twice)} is asked for twice`);
  refuseDiffering(networks);
  return networks;
}

/** A network at several scopes is one object, so all its rows ask for the same one. */
function refuseDiffering(networks: readonly Network[]): void {
  for (const [ssid, rows] of Map.groupBy(networks, (network) => network.ssid))
    for (const [column, values] of [
      ['vlans', rows.map(({ vlans }) => vlans.join())],
      ['opmode', rows.map(({ opmode }) => opmode)],
    ] as const)
      if (new Set(values).size > 1)
        throw new RouterError(
          'USAGE',
          `the rows of ${JSON.stringify(ssid)} should have the same ${column}, because a network is one object for all scopes; got ${[...new Set(values)].join(' and ').slice(0, 80)}`,
        );
}

type SsidRow = Record<'ssid_name' | 'vlans' | 'scope_id' | 'opmode', string>;

function rowOf({ ssid, vlans, scopeId }: Options): SsidRow {
  if (ssid === undefined || vlans === undefined || scopeId === undefined)
    throw new RouterError('USAGE', 'either --input or all of --ssid, --vlans and --scope-id should be given');
  return { ssid_name: ssid, vlans, scope_id: scopeId, opmode: '' };
}

function tableRows(file: string): SsidRow[] {
  const rows = readTable(
    utf8Text(file, '--input'),
    '--input',
    ['ssid_name', 'vlans', 'scope_id'],
    ['opmode'],
    ['ssid_name'],
  );
  if (rows.length === 0) throw new RouterError('USAGE', '--input has no row');
  return rows.map((row) => ({ opmode: '', ...row }) as SsidRow);
}

function checkedName(ssid: string): string {
  const bytes = Buffer.byteLength(ssid);
  if (bytes >= 1 && bytes <= 32) return ssid;
  throw new RouterError('USAGE', `a network name should have 1 to 32 bytes, got ${bytes}`);
}

function placeOf({ persona, clusterName, clusterScopeId }: Options): Target {
  if ((clusterName === undefined) !== (clusterScopeId === undefined))
    throw new RouterError('USAGE', 'an overlay network needs both --cluster-name and --cluster-scope-id');
  if (clusterName === undefined || clusterScopeId === undefined) return { persona };
  return { persona, cluster: { name: clusterName, scopeId: clusterScopeId } };
}

function tableOf(built: readonly Built[]): string {
  const rows = [
    ['network', 'scope', 'outcome', ''],
    ...built.map((one) => [shownName(one.ssid), one.scope, one.outcome, escapeInvisible(one.message)]),
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => (row[at] as string).length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
