/** `node fake-api/main.ts`: serves the fake platforms until it is told to stop. */
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_FIXTURE, startFakeApi } from './app.ts';
import type { FakeReady } from './control/ledger.ts';
import { FakeApiError } from './errors.ts';

const USAGE = `usage: node fake-api/main.ts [options]

  --platforms a,b       platforms to serve (default mgmt)
  --host ADDRESS        address to listen on (default 127.0.0.1)
  --port N              API port, 0 picks a free one (default 8020)
  --control-port N      control port, 0 picks a free one (default 8021)
  --fixture NAME        starting state of the default namespace (default ${DEFAULT_FIXTURE})
  --seed N              seed of generated values (default the bundle's own)
  --json                print one JSON line when ready, nothing else on stdout
  --help                show this text`;

interface Flags {
  platforms: string[];
  host: string;
  port: number;
  controlPort: number;
  fixture: string;
  seed: number | null;
  json: boolean;
  help: boolean;
}

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  if (flags.help) {
    console.log(USAGE);
    return;
  }
  await requirePlatforms(flags.platforms);
  const fake = await startFakeApi({
    platformIds: flags.platforms,
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
  };
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
  console.log(
    `token              POST ${Object.values(fake.platforms)[0]}/as/token (client_id demo-client, client_secret demo-secret)`,
  );
  console.log('Ctrl-C stops it.');
}

function readFlags(args: string[]): Flags {
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        platforms: { type: 'string', default: 'mgmt' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '8020' },
        'control-port': { type: 'string', default: '8021' },
        fixture: { type: 'string', default: DEFAULT_FIXTURE },
        seed: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (cause) {
    throw new FakeApiError('FAKE_USAGE', { problem: (cause as Error).message }, { cause });
  }
  return {
    platforms: String(values['platforms'])
      .split(',')
      .filter((id) => id !== ''),
    host: String(values['host']),
    port: wholeNumber('--port', values['port'], 65_535),
    controlPort: wholeNumber('--control-port', values['control-port'], 65_535),
    fixture: String(values['fixture']),
    seed: values['seed'] === undefined ? null : wholeNumber('--seed', values['seed'], Number.MAX_SAFE_INTEGER),
    json: values['json'] === true,
    help: values['help'] === true,
  };
}

function wholeNumber(flag: string, value: unknown, most: number): number {
  const text = String(value);
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw new FakeApiError('FAKE_USAGE', {
    problem: `${flag} should be a whole number from 0 to ${most}, got "${text}"`,
  });
}

async function requirePlatforms(wanted: readonly string[]): Promise<void> {
  const entries = await readdir(new URL('platforms/', import.meta.url), { withFileTypes: true });
  const known = entries.filter((entry) => entry.isDirectory() && entry.name !== 'shared').map((entry) => entry.name);
  for (const platform of wanted.length === 0 ? [''] : wanted) {
    if (!known.includes(platform))
      throw new FakeApiError('FAKE_UNKNOWN_PLATFORM', { platform, known: known.join(', ') });
  }
}

main().catch((error: unknown) => {
  // Only what the fake knows how to explain is shown without a stack; anything else is a defect worth one.
  if (error instanceof FakeApiError) console.error(error.message);
  else if (error instanceof Error && 'code' in error && 'remedy' in error) console.error(error.message);
  else console.error(error);
  process.exit(error instanceof FakeApiError ? error.exitCode : 3);
});
