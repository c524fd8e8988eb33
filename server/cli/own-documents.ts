/** `svc-mcp-catalog add` and `remove`: anybody's OpenAPI documents become a platform of this router. */
import { type Command, Option } from 'commander';
import { loadConfig, reservedNames } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import type { Finding } from '../intake/finding.ts';
import { takeIn } from '../intake/take-in.ts';
import {
  definePlatform,
  removeUserPlatform,
  STRATEGIES,
  type Strategy,
  writeUserPlatform,
} from '../intake/user-platform.ts';
import { openCatalog } from '../open-catalog.ts';

interface AddOptions {
  platform: string;
  baseUrl?: string;
  auth?: Strategy;
  header?: string;
  tokenUrl?: string;
  title?: string;
  json?: boolean;
}

const SHOWN_FINDINGS = 20;

export function addOwnDocuments(program: Command): void {
  program
    .command('add')
    .description('take in OpenAPI 3.0, 3.1 or Swagger 2.0 documents (JSON or YAML) as a platform of your own')
    .argument('<path>', 'a document, or a folder of documents and the files they refer to')
    .requiredOption('--platform <name>', 'name of the platform: small letters and digits')
    .option('--base-url <url>', 'where calls go (default: the server that the documents state)')
    .addOption(
      new Option('--auth <strategy>', 'how calls are authorised (default: as the documents state)').choices(STRATEGIES),
    )
    .option('--header <name>', 'header of the API key')
    .option('--token-url <url>', 'where tokens are given: a path below the base URL, or a whole URL')
    .option('--title <text>', 'what people call it')
    .option('--json', 'print one JSON object last')
    .action(add);
  program
    .command('remove')
    .description('remove a platform that was added, with its documents')
    .argument('<name>')
    .option('--json', 'print one JSON object last')
    .action((name: string, options: { json?: boolean }) => {
      const { configDir } = loadConfig({ env: process.env });
      removeUserPlatform(configDir, name);
      openCatalog(loadConfig({ env: process.env })).catalog.close();
      process.stdout.write(options.json ? `${JSON.stringify({ ok: true, removed: name })}\n` : `${name} is removed\n`);
    });
}

async function add(path: string, options: AddOptions): Promise<void> {
  const { platform: name, json, ...wishes } = options;
  const before = loadConfig({ env: process.env });
  checkName(name, before.known);
  checkUrl(wishes.baseUrl);
  const taken = await takeIn(path);
  const platform = definePlatform({ name, ...wishes }, taken);
  const file = writeUserPlatform(before.configDir, platform, taken);
  const { catalog } = openCatalog(loadConfig({ env: process.env }));
  const { platforms, quarantined, notes } = catalog.summary;
  const aside = quarantined.filter((entry) => entry.platform === name);
  const own = notes.filter((note) => note.startsWith(`${name}/`));
  catalog.close();
  const tools = platforms[name] ?? 0;
  if (tools === 0) {
    removeUserPlatform(before.configDir, name);
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${path}: no operation can be used${aside[0] ? `; ${aside[0].operation}: ${aside[0].reason}` : ''}`,
    );
  }
  const lines = [
    `${name}: ${tools} tools from ${taken.documents.length} document${taken.documents.length === 1 ? '' : 's'}, in ${file}`,
    ...aside.map(
      ({ document, pointer, operation, reason }) => `  set aside: ${document}#${pointer} ${operation}: ${reason}`,
    ),
    ...shown(taken.findings),
    ...own.map((note) => `  note: ${note}`),
    `  calls go to ${platform.base_url ?? `the URL in ${platform.auth.variables['base_url']}, which no document states`}`,
    `  credentials: ${credentialsNeeded(platform)}`,
    `  writes are off; ${platform.gate?.variable}=1 opens them`,
  ];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ok: true, platform: name, file, tools, documents: taken.documents.map(({ id }) => id), base_url: platform.base_url ?? null, auth: platform.auth.strategy, gate: platform.gate?.variable, quarantined: aside, findings: taken.findings, notes: own })}\n`,
    );
}

function shown(findings: readonly Finding[]): string[] {
  const lines = findings
    .slice(0, SHOWN_FINDINGS)
    .map(({ document, pointer, message, remedy }) => `  warning: ${document}#${pointer}: ${message} (${remedy})`);
  return findings.length > SHOWN_FINDINGS
    ? [...lines, `  … and ${findings.length - SHOWN_FINDINGS} more: add --json`]
    : lines;
}

function credentialsNeeded({ auth }: PlatformDefinition): string {
  const names = Object.entries(auth.variables)
    .filter(([field]) => field !== 'base_url')
    .map(([, variable]) => variable);
  return names.length === 0 ? 'none' : `${names.join(' and ')}, or section \`${auth.section}\` of the credentials file`;
}

function checkName(name: string, known: readonly PlatformDefinition[]): void {
  const usage = (what: string) => new RouterError('USAGE', `--platform should be ${what}, got ${JSON.stringify(name)}`);
  if (!/^[a-z][a-z0-9]{1,20}$/.test(name)) throw usage('2 to 21 small letters and digits, a letter first');
  const taken = reservedNames(known.filter(({ kind }) => kind !== 'user'));
  if (taken.has(name)) throw usage(`a name of your own, not one of ${[...taken].sort().join(', ')}`);
}

function checkUrl(url: string | undefined): void {
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed &&
    /^https?:$/.test(parsed.protocol) &&
    !parsed.username &&
    !parsed.password &&
    !parsed.search &&
    !parsed.hash
  )
    return;
  throw new RouterError('USAGE', '--base-url should be an http or https URL without user, query or fragment');
}
