/**
 * The official MCP conformance suite against any server: the scenarios that a server with tools alone can meet, in both
 * revisions. A stdio server is reached through a bridge; what is about HTTP itself is then not applicable.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HarnessError } from '../harness-errors.ts';
import { runProcess } from '../running-process.ts';
import type { Revision } from '../sandbox/revision.ts';
import type { Spoken } from './spoken-revisions.ts';
import { openStdioBridge } from './stdio-bridge.ts';
import { type TriedServer, untilEither } from './tried-server.ts';

export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** Scenarios that ask for no tool, resource or prompt of the suite's own. */
const APPLICABLE: Record<Revision, readonly string[]> = {
  '2025-11-25': [
    'server-initialize',
    'logging-set-level',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'sep-2164-resource-not-found',
  ],
};
/** They are about HTTP itself: through the bridge they would judge the bridge. */
const ABOUT_HTTP = [
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'server-session-lifecycle',
  'http-header-validation',
];
/** They are about a capability that a server may leave out. */
const ABOUT_CAPABILITY: Readonly<Record<string, string>> = {
  'logging-set-level': 'logging',
  'sep-2164-resource-not-found': 'resources',
};

export interface ConformanceCheck {
  revision: Revision;
  scenario: string;
  status: 'passed' | 'failed' | 'not-applicable';
  checks: number;
  reasons: string[];
}

export interface ConformanceResult {
  suite: string;
  scenarios: ConformanceCheck[];
}

export interface ConformanceOptions {
  server: TriedServer;
  spoken: Spoken;
  onScenario?: (check: ConformanceCheck) => void;
}

export async function checkConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  const { server, spoken } = options;
  const command = suiteCommand();
  await using bridge = server.url === undefined ? await openStdioBridge(server) : undefined;
  const url = bridge?.url ?? (server.url as string);
  const scenarios: ConformanceCheck[] = [];
  for (const { revision, unspoken, capabilities = {} } of revisionsOf(spoken)) {
    for (const scenario of APPLICABLE[revision]) {
      const why = unspoken ?? notApplicable(scenario, bridge !== undefined, capabilities);
      const check: ConformanceCheck =
        why === undefined
          ? { revision, scenario, ...(await runScenario(command, url, revision, scenario, server)) }
          : { revision, scenario, status: 'not-applicable', checks: 0, reasons: [why] };
      scenarios.push(check);
      options.onScenario?.(check);
    }
  }
  return { suite: SUITE, scenarios };
}

/** All that were looked for: of one that is not spoken nothing applies. */
const revisionsOf = ({ looked, unspoken }: Spoken): AskedRevision[] => [
  ...looked.map(({ revision, capabilities }) => ({ revision, capabilities })),
  ...unspoken.map(({ revision }) => ({ revision, unspoken: 'the server does not speak this revision' })),
];

interface AskedRevision {
  revision: Revision;
  capabilities?: Record<string, unknown>;
  /** Why it is not. */
  unspoken?: string;
}

function notApplicable(
  scenario: string,
  isBridged: boolean,
  capabilities: Record<string, unknown>,
): string | undefined {
  if (isBridged && ABOUT_HTTP.includes(scenario)) return 'it is about HTTP, and the server speaks stdio';
  const needed = ABOUT_CAPABILITY[scenario];
  return needed !== undefined && capabilities[needed] === undefined ? `the server declares no ${needed}` : undefined;
}

/** Installed beside the harness, or fetched by npx. */
function suiteCommand(): string[] {
  const root = join(import.meta.dirname, '..', '..');
  const places = [
    join(root, 'server/test/e2e/clients/node_modules/.bin/conformance'),
    join(root, 'node_modules/.bin/conformance'),
    join(root, '../.bin/conformance'),
  ];
  const installed = places.find((path) => existsSync(path));
  return installed === undefined ? ['npx', '--yes', SUITE] : [process.execPath, installed];
}

async function runScenario(
  [file = '', ...args]: readonly string[],
  url: string,
  revision: Revision,
  scenario: string,
  { limits, signal }: Pick<TriedServer, 'limits' | 'signal'>,
): Promise<Pick<ConformanceCheck, 'status' | 'checks' | 'reasons'>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const words = [...args, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', folder];
    const { code, stderr, error } = await runProcess(file, words, {
      signal: untilEither(AbortSignal.timeout(Math.max(60_000, limits.startMs)), signal),
      kept: 1 << 16,
    });
    const checks = checksIn(folder);
    if (checks.length === 0) {
      const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
      if (code === 127 || error !== undefined || /npm error|not found/i.test(stderr))
        throw new HarnessError('PROCESS_START_FAILED', `${SUITE} should run, got ${why || `exit ${code}`}`);
      return { status: 'failed', checks: 0, reasons: [why || `no check was made (exit ${code})`] };
    }
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    return {
      status: failed.length === 0 ? 'passed' : 'failed',
      checks: checks.length,
      reasons: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`.slice(0, 300)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SuiteCheck {
  id: string;
  status: string;
  errorMessage?: string;
}

/** The suite writes a folder per scenario. */
function checksIn(folder: string): SuiteCheck[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('checks.json'),
  );
  return files.flatMap(
    (name) => JSON.parse(readFileSync(join(folder, dirname(name), 'checks.json'), 'utf8')) as SuiteCheck[],
  );
}
