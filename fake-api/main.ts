/** `node fake-api/main.ts`: serves the fake platforms until it is told to stop. */
import { enableCompileCache } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { DEFAULT_FIXTURE } from './control/default-namespace.ts';
import { addIncidentCommand } from './control/incident-command.ts';
import type { FakeReady, ReadyDocument } from './control/ledger.ts';
import { ACCOUNTS } from './engine/http/account.ts';
import { ExpandError } from './expand/model/expand-errors.ts';
import { listPlatforms } from './expand/model/platforms-folder.ts';
import { ensureDocuments } from './expand/platform-documents.ts';
import type { ForeignOutcome } from './fake.ts';
import { FakeApiError } from './fake-errors.ts';
import { showWarning } from './foreign/document-warning.ts';
import type { ForeignSource } from './foreign/foreign-platform.ts';

// A fake is started often and has much to load: what was compiled once is kept, where there is a place to keep it.
enableCompileCache(join(import.meta.dirname, '..', 'var', 'compile-cache'));

/** Instead of names: every platform in the box. */
const ALL = 'all';

interface Flags {
  platforms: string[];
  foreign: ForeignSource[];
  host: string;
  port: number;
  controlPort: number;
  fixture: string;
  seed: number | null;
  json: boolean;
}

async function main(): Promise<void> {
  const flags = await readFlags(process.argv.slice(2));
  if (flags === undefined) return;
  const platformIds = await chosenPlatforms(flags.platforms);
  // Whoever builds a catalog beside this process finds the documents of every platform, whichever of them are served.
  const others = (await listPlatforms()).filter((id) => !platformIds.includes(id));
  // Loaded when there is something to serve: help and a refusal need none of its thousand files.
  const [{ startFakeApi }] = await Promise.all([import('./fake.ts'), ensureDocuments(others)]);
  const fake = await startFakeApi({
    platformIds,
    foreign: flags.foreign,
    host: flags.host,
    port: flags.port,
    controlPort: flags.controlPort,
    fixture: flags.fixture,
    ...(flags.seed === null ? {} : { seed: flags.seed }),
  });
  const ready: FakeReady = {
    ready: true,
    api: fake.api,
    control: fake.control,
    platforms: fake.platforms,
    fixture: fake.fixture,
    ...(fake.foreign.length === 0 ? {} : { documents: fake.foreign.map(readyDocument) }),
  };
  for (const { platform, refusal } of fake.foreign) {
    for (const warning of platform?.warnings.list ?? []) console.error(showWarning(warning));
    if (refusal !== null) console.error(refusal.message);
  }
  const stop = (): void => {
    void fake.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  if (flags.json) {
    console.log(JSON.stringify(ready));
    return;
  }
  console.log(`fake platform API  ${fake.api}`);
  for (const [id, url] of Object.entries(fake.platforms)) console.log(`  ${id.padEnd(10)} ${url}`);
  console.log(`control            ${fake.control}`);
  console.log(`fixture            ${fake.fixture.bundle} version ${fake.fixture.version}`);
  for (const { file, platform } of fake.foreign) {
    if (platform === null) continue;
    const { operations, entities, warnings } = platform;
    console.log(
      `  ${platform.id}: ${operations.length} operations of ${basename(file)}, ${entities.length} kinds of things remembered, ${warnings.count} warnings`,
    );
  }
  if (flags.platforms.length > 0) console.log(`accounts           ${ACCOUNTS}`);
  console.log('Ctrl-C stops it.');
}

function readyDocument({ file, platform, refusal }: ForeignOutcome): ReadyDocument {
  return {
    file: basename(file),
    platform: platform?.id ?? null,
    operations: platform?.operations.length ?? 0,
    things: platform?.entities.length ?? 0,
    warnings: platform?.warnings.count ?? 0,
    refused: refusal?.message ?? null,
  };
}

type Options = Record<'platforms' | 'host' | 'port' | 'controlPort' | 'fixture', string> & {
  openapi?: string[];
  name?: string[];
  seed?: string;
  json?: boolean;
};

const repeated = (value: string, before: string[] = []): string[] => [...before, value];

const command = new Command('node fake-api/main.ts')
  .description('Serve the fake platforms until told to stop.')
  .option('--platforms <a,b>', 'platforms to serve, none for none', ALL)
  .option('--openapi <file>', 'also serve this OpenAPI 3.0, 3.1 or Swagger 2.0 document; may be repeated', repeated)
  .option('--name <name>', 'platform name of the document, one per --openapi (default: the file name)', repeated)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <n>', 'API port, 0 picks a free one', '8020')
  .option('--control-port <n>', 'control port, 0 picks a free one', '8021')
  .option('--fixture <name>', 'starting state of the default namespace', DEFAULT_FIXTURE)
  .option('--seed <n>', "seed of generated values (default: the bundle's own)")
  .option('--json', 'print one JSON line when ready, nothing else on stdout')
  .exitOverride()
  // What is wrong is told with the code and the remedy of our own table.
  .configureOutput({ writeErr: () => {} });

let serves = false;
command.action(() => {
  serves = true;
});
addIncidentCommand(command);

/** Undefined when help or another command was asked for, which is then done. */
async function readFlags(args: string[]): Promise<Flags | undefined> {
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (cause) {
    if (cause instanceof FakeApiError) throw cause;
    if (cause instanceof CommanderError && cause.exitCode === 0) return undefined;
    throw new FakeApiError('FAKE_USAGE', { problem: (cause as Error).message.replace(/^error: /, '') }, { cause });
  }
  if (!serves) return undefined;
  const options = command.opts<Options>();
  return {
    platforms: options.platforms.split(',').filter((id) => id !== '' && id !== 'none'),
    foreign: foreignSources(options.openapi ?? [], options.name ?? []),
    host: options.host,
    port: wholeNumber('--port', options.port, 65_535),
    controlPort: wholeNumber('--control-port', options.controlPort, 65_535),
    fixture: options.fixture,
    seed: options.seed === undefined ? null : wholeNumber('--seed', options.seed, Number.MAX_SAFE_INTEGER),
    json: options.json === true,
  };
}

function foreignSources(files: string[], names: string[]): ForeignSource[] {
  if (names.length > 0 && names.length !== files.length) {
    throw new FakeApiError('FAKE_USAGE', {
      problem: `--name should stand once per --openapi, got ${names.length} for ${files.length}`,
    });
  }
  return files.map((file, at) => ({ file: resolve(file), ...(names[at] === undefined ? {} : { name: names[at] }) }));
}

function wholeNumber(flag: string, text: string, most: number): number {
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw new FakeApiError('FAKE_USAGE', {
    problem: `${flag} should be a whole number from 0 to ${most}, got "${text}"`,
  });
}

/** The platforms asked for; a name that is none of ours is refused with the list of those there are. */
async function chosenPlatforms(wanted: readonly string[]): Promise<string[]> {
  const known = await listPlatforms();
  for (const platform of wanted) {
    if (platform !== ALL && !known.includes(platform))
      throw new FakeApiError('FAKE_UNKNOWN_PLATFORM', {
        platform,
        known: known.join(', '),
        near: nearestOf(platform, known),
      });
  }
  return wanted.includes(ALL) ? known : [...wanted];
}

/** The known name that a misspelt one comes closest to, where a third of its letters is wrong at most. */
function nearestOf(name: string, known: readonly string[]): string {
  const [best] = known.map((id) => ({ id, edits: editsBetween(name, id) })).sort((a, b) => a.edits - b.edits);
  const most = Math.max(1, Math.floor(name.length / 3));
  return best === undefined || best.edits > most ? '' : `; did you mean "${best.id}"?`;
}

/** Letters to add, drop, change, or swap with their neighbour (optimal string alignment), row by row. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const [left = 0, above = 0, corner = 0] = [next[column - 1], row[column], row[column - 1]];
      const change = corner + (from[at - 1] === to[column - 1] ? 0 : 1);
      const swapped = at > 1 && from[at - 1] === to[column - 2] && from[at - 2] === to[column - 1];
      next.push(Math.min(left + 1, above + 1, change, swapped ? (before[column - 2] ?? 0) + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}

// A reader may leave, as `head` does, and what is said may go to a full disk: neither ends a fake that others call.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().catch((error: unknown) => {
  // Only what the fake knows how to explain is shown without a stack; anything else is a defect worth one.
  if (error instanceof FakeApiError) console.error(error.message);
  else if (error instanceof ExpandError) console.error(`${error.code}: ${error.message}. Remedy: ${error.remedy}`);
  else console.error(error);
  process.exit(error instanceof FakeApiError || error instanceof ExpandError ? error.exitCode : 3);
});
