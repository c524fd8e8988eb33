/** `svc-mcp-catalog add` and `remove`: anybody's OpenAPI documents become a platform of this router. */
import { type Command, Option } from 'commander';
import type { BuiltCatalog } from '../catalog/build.ts';
import { loadConfig } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { changeLines } from '../import/document-changes.ts';
import { importDocument, type TakenIn } from '../import/import-document.ts';
import { IMPORT_STRATEGIES, type ImportStrategy } from '../import/import-options.ts';
import { missingText, type PartialDocument, partialDocuments } from '../import/partial-import.ts';
import { checkPlatformName } from '../import/platform-name.ts';
import { readOperationOverrides } from '../import/read-operations.ts';
import { definePlatform, removeUserPlatform, writeUserPlatform } from '../import/user-platform.ts';
import { openCatalog, takenNames, trialBuild } from '../open-catalog.ts';
import { agreedChanges } from './changed-classes.ts';
import { blockedOperations, credentialLines } from './declared-credentials.ts';
import { type Note, noteLines } from './grouped-notes.ts';

interface AddOptions {
  platform: string;
  baseUrl?: string;
  auth?: ImportStrategy;
  header?: string;
  parameter?: string;
  tokenUrl?: string;
  title?: string;
  server?: string;
  readOperation: string[];
  acceptPartial?: boolean;
  acceptClasses?: boolean;
  verbose?: boolean;
  json?: boolean;
}

export function addOwnDocuments(program: Command): void {
  program
    .command('add')
    .description('import OpenAPI 3.0, 3.1 or Swagger 2.0 documents (JSON or YAML) as a platform of your own')
    .argument('<path>', 'a document, or a folder of documents and the files they refer to')
    .requiredOption('--platform <name>', 'name of the platform: small letters and digits')
    .option(
      '--base-url <url>',
      'where calls and credentials go; the server that the documents state gets calls without credentials only',
      (url: string) => webUrl('--base-url', url),
    )
    .addOption(
      new Option('--auth <strategy>', 'how calls are authorised (default: as the documents state)').choices(
        IMPORT_STRATEGIES,
      ),
    )
    .option('--header <name>', 'header of the API key')
    .option('--parameter <name>', 'query parameter or cookie of the API key')
    .option('--token-url <url>', 'where tokens are given: a path below the base URL, or a whole URL', (url: string) =>
      url.startsWith('/') ? url : webUrl('--token-url', url),
    )
    .option('--server <url>', 'take only the operations that the document serves from this URL')
    .option('--title <text>', 'what people call it')
    .option(
      '--read-operation <id>',
      'an operation that only reads although it is a POST, PUT or PATCH or has a changing verb: operationId, tool name or METHOD /path of the document; holds while the operation stays as it is (repeatable, to be named again with every add)',
      (id: string, before: string[]) => [...before, id],
      [] as string[],
    )
    .option('--accept-partial', 'add it although more than 5 % of the operations of a document are set aside')
    .option('--accept-classes', 'replace it although the class of an operation rises or falls (default: ask)')
    .option('--verbose', 'print every note (default: ten lines, one for each kind)')
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
  const {
    platform: name,
    json,
    readOperation,
    acceptPartial = false,
    acceptClasses = false,
    verbose = false,
    server,
    ...wishes
  } = options;
  const before = loadConfig({ env: process.env });
  checkPlatformName(name, takenNames(before));
  const taken = await importDocument(path, wishes.baseUrl, server);
  const { platform, built } = withReads(path, definePlatform({ name, ...wishes }, taken), readOperation, taken);
  const { partial, missing } = checkedParts(path, taken, built, { acceptPartial, verbose });
  const changes = await agreedChanges(before, platform, built, acceptClasses);
  const file = writeUserPlatform(before.configDir, platform, taken);
  const { catalog } = openCatalog(loadConfig({ env: process.env }));
  const { platforms, quarantined, notes } = catalog.summary;
  catalog.close();
  const tools = platforms[name] ?? 0;
  const served = {
    quarantined: quarantined.filter((entry) => entry.platform === name),
    notes: notes.filter((note) => note.startsWith(`${name}/`)),
  };
  const lowered = Object.keys(platform.overrides);
  const earlier = Object.keys(before.known.find(({ id }) => id === name)?.overrides ?? {});
  const dropped = earlier.filter((operation) => !lowered.includes(operation));
  const lines = [
    `${name}: ${tools} tools from ${taken.documents.length} document${taken.documents.length === 1 ? '' : 's'}, in ${file}`,
    ...changeLines(changes).map((line) => `  ${line}`),
    ...noteLines(notesOf(taken, served), verbose),
    ...lowered.map((operation) => `  ${operation} is a read by your word, as long as the operation stays as it is`),
    ...dropped.map(
      (operation) => `  ${operation} was lowered before and is not any more: repeat --read-operation with every add`,
    ),
    `  ${whereCallsGo(platform)}`,
    ...credentialLines(platform, built),
    `  writes are off; ${platform.gate?.variable}=1 opens them`,
    ...(missing === '' ? [] : [`warning: ${missing}: no agent can call them`]),
  ];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ok: true, platform: name, file, tools, documents: taken.documents.map(({ id }) => id), base_url: platform.base_url ?? null, stated_base_url: platform.stated_base_url ?? null, stated_token_url: platform.auth.stated_token_url ?? null, auth: platform.auth.strategy, security_schemes: schemesOf(platform), not_sendable: blockedOperations(platform, built.tools), gate: platform.gate?.variable, quarantined: served.quarantined, partial, changes, documents_left_out: taken.leftOutDocuments, findings: taken.findings, notes: served.notes, read_operations: lowered, read_operations_dropped: dropped })}\n`,
    );
}

const schemesOf = ({ auth }: PlatformDefinition) =>
  (auth.schemes ?? []).map(({ name, about, unsendable, ways }) => ({
    name,
    about,
    ...(unsendable === undefined
      ? { variables: ways.map(({ variables }) => Object.values(variables)) }
      : { unsendable }),
  }));

/** What the platform would add, from a build in memory; a refusal leaves all that is on disk as it was. */
function tried(path: string, platform: PlatformDefinition, { documents, findings }: TakenIn): BuiltCatalog {
  const built = trialBuild(
    platform,
    documents.map(({ id, content }) => ({ id, file: id, content })),
  );
  const [aside] = built.quarantined;
  const finding = findings.find(({ pointer }) => pointer.startsWith('/paths'));
  const why = aside
    ? `${aside.document}#${aside.pointer} ${aside.operation}: ${aside.reason}`
    : finding
      ? `${finding.document}#${finding.pointer} ${finding.message}`
      : '`/paths` has none';
  if (built.tools.length === 0) throw new RouterError('DOCUMENT_INVALID', `${path}: no operation can be used; ${why}`);
  return built;
}

/** The platform with the operator's word about operations that only read, and what it would add with it. */
function withReads(
  path: string,
  defined: PlatformDefinition,
  ids: readonly string[],
  taken: TakenIn,
): { platform: PlatformDefinition; built: BuiltCatalog } {
  const unlowered = tried(path, defined, taken);
  const platform = { ...defined, overrides: readOperationOverrides(ids, defined.id, unlowered) };
  if (Object.keys(platform.overrides).length === 0) return { platform, built: unlowered };
  const built = tried(path, platform, taken);
  // Of one request there can be one class only, so a class that differs may set another operation of the address aside.
  const before = new Set(unlowered.quarantined.map(({ document, pointer }) => `${document}#${pointer}`));
  const aside = built.quarantined.find(({ document, pointer }) => !before.has(`${document}#${pointer}`));
  if (aside === undefined) return { platform, built };
  throw new RouterError('USAGE', `--read-operation would set ${aside.operation} aside: it ${aside.reason}`, {
    remedy: 'name each operation of this address that only reads, or none of them',
  });
}

/** What was set aside, then what the import changed or left out, then what the build says of single operations. */
function notesOf({ findings }: TakenIn, { quarantined, notes }: Pick<BuiltCatalog, 'quarantined' | 'notes'>): Note[] {
  return [
    ...quarantined.map(({ document, pointer, operation, reason }) => ({
      label: 'set aside',
      where: `${document}#${pointer} ${operation}: `,
      text: reason,
    })),
    ...findings.map(({ document, pointer, message, remedy }) => ({
      label: 'warning',
      where: `${document}#${pointer}: `,
      text: `${message} (${remedy})`,
    })),
    ...notes.map((note) => {
      const at = note.indexOf(': ') + 2;
      return { label: 'note', where: note.slice(0, at), text: note.slice(at) };
    }),
  ];
}

/** Refuses what an agent could largely not call. The notes go to stderr: without them the operator cannot tell whether to accept. */
function checkedParts(
  path: string,
  taken: TakenIn,
  built: BuiltCatalog,
  { acceptPartial, verbose }: { acceptPartial: boolean; verbose: boolean },
): { partial: PartialDocument[]; missing: string } {
  const partial = partialDocuments(taken, built);
  const missing = missingText(partial, taken.leftOutDocuments);
  if (missing === '' || acceptPartial) return { partial, missing };
  process.stderr.write(
    noteLines(notesOf(taken, built), verbose)
      .map((line) => `${line}\n`)
      .join(''),
  );
  throw new RouterError(
    'DOCUMENT_INVALID',
    `${path}: ${missing}${partial.length > 0 ? ', which is more than 5 %' : ''}`,
    { remedy: 'correct the document, or add it with --accept-partial; --verbose lists all that is set aside' },
  );
}

/** Credentials go only where the operator says, so what a document states is not enough where there are any. */
function whereCallsGo({ base_url, stated_base_url, auth }: PlatformDefinition): string {
  const variable = auth.variables['base_url'];
  const name = `put base_url into section \`${auth.section}\` of the credentials file, set ${variable}, or add again with --base-url`;
  if (base_url !== undefined) return `calls go to ${base_url}`;
  if (stated_base_url === undefined) return `calls go nowhere yet, for no document states a server: ${name}`;
  return auth.strategy === 'none'
    ? `calls go to ${stated_base_url}, as the documents state`
    : `calls go nowhere yet: the documents state ${stated_base_url}, but only you decide where credentials go: ${name}`;
}

/** The URL with its scheme in small letters, as platform files have it. */
function webUrl(option: string, url: string): string {
  const [, scheme = '', rest = ''] = /^(https?):\/\/([^?#\\\s]+)$/i.exec(url) ?? [];
  const whole = `${scheme.toLowerCase()}://${rest}`;
  const parsed = URL.canParse(whole) ? new URL(whole) : undefined;
  if (parsed && !parsed.username && !parsed.password) return whole;
  throw new RouterError('USAGE', `${option} should be an http or https URL without user, query or fragment`);
}
