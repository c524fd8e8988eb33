/** The commands of svc-mcp-catalog. Started by `catalog.mjs`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { openLatest } from '../catalog/store.ts';
import type { CatalogScope } from '../catalog/summary.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { ACCEPT_COMMAND, LOCK_FILE, lockChanges, lockLines, writeLock } from '../catalog/tools-lock.ts';
import { type Config, loadConfig, productList } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { corpusFile } from '../knowledge/corpus.ts';
import { openCatalog } from '../open-catalog.ts';
import { addOwnDocuments } from './own-documents.ts';
import { runCommand } from './run-command.ts';
import { COMPATIBILITY_FLOOR, TOOL_FLOOR, validateCatalog } from './validate-catalog.ts';

interface Place {
  directory: string;
}
interface BuildOptions extends Place {
  products?: string;
  completeCatalog?: boolean;
  json?: boolean;
}

interface ValidateOptions extends Place {
  strictToolIndex?: boolean;
  strictRag?: boolean;
  minTools?: string;
  json?: boolean;
}

const DIRECTORY = ['--directory <path>', 'the folder with the .env of the router', '.'] as const;
const configOf = ({ directory }: Place): Config => loadConfig({ env: process.env, cwd: resolve(directory) });

const program = new Command('svc-mcp-catalog')
  .description('Build and check the catalog of backend tools.')
  .version(version);

program
  .command('build')
  .description('read the OpenAPI documents of every selected platform and write the catalog with its indexes')
  .option(
    '--products <list>',
    'optional products to hold: all, or a comma list (default: SVC_MCP_PRODUCTS; with --complete-catalog: all)',
  )
  .option(
    '--complete-catalog',
    'hold every tool of every product, or of those of --products, their write tools too; gates still decide at run time',
  )
  .option(...DIRECTORY)
  .option('--json', 'print one JSON object last')
  .action((options: BuildOptions) => {
    const started = performance.now();
    const config = configOf(options);
    const { catalog, built } = openCatalog(config, scopeOf(config, options));
    report(catalog, { built, ms: Math.round(performance.now() - started) }, options.json === true);
  });

program
  .command('validate')
  .description('check the catalog that was built last')
  .option(
    '--strict-tool-index',
    `check every schema, name, search entry and the spec index again; nothing of a shipped platform may be set aside, and without --min-tools it has at least ${COMPATIBILITY_FLOOR} platform tools, ${TOOL_FLOOR} with those of the router`,
  )
  .option('--strict-rag', 'if documents were ingested: their corpus must exist, be complete and be of this version')
  .option('--min-tools <n>', 'fail when it has fewer platform tools; for a catalog of fewer platforms')
  .option(...DIRECTORY)
  .option('--json', 'print one JSON object last')
  .action((options: ValidateOptions) => {
    const config = configOf(options);
    const catalog = openLatest(config.catalogDir);
    if (!catalog) throw new RouterError('CATALOG_INVALID', `no catalog at ${config.catalogDir}`);
    const least = options.minTools === undefined ? undefined : Number(options.minTools);
    if (least !== undefined && (!Number.isInteger(least) || least < 0))
      throw new RouterError('USAGE', `--min-tools should be a whole number, got ${JSON.stringify(options.minTools)}`);
    const counts = validateCatalog(catalog, {
      strictToolIndex: options.strictToolIndex === true,
      corpus: options.strictRag ? corpusFile(config.stateDir) : undefined,
      own: new Set(config.known.flatMap(({ id, kind }) => (kind === 'user' ? [id] : []))),
      minTools: least,
    });
    report(catalog, counts, options.json === true);
  });

addOwnDocuments(program);

program
  .command('lock')
  .description(`accept the tools as they are now: names, capabilities and descriptions go into ${LOCK_FILE}`)
  .option('--json', 'print one JSON object last')
  .action((options: { json?: boolean }) => {
    const config = loadConfig({ env: process.env });
    const { catalog } = openCatalog(config, { products: 'all', complete: true });
    const shipped = new Set(config.known.filter(({ kind }) => kind !== 'user').map(({ id }) => id));
    const lines = lockLines(catalog, shipped);
    const changes = lockChanges(lines);
    writeLock(lines);
    catalog.close();
    const shown = changes.map(({ tool, change }) => `  ${tool} ${change}`);
    const text = `${lines.length} tools in ${LOCK_FILE}, ${changes.length} changed\n${shown.map((line) => `${line}\n`).join('')}`;
    (options.json ? process.stderr : process.stdout).write(text);
    if (options.json)
      process.stdout.write(`${JSON.stringify({ ok: true, file: LOCK_FILE, tools: lines.length, changes })}\n`);
  })
  .addHelpText('after', `\nIn a checkout: ${ACCEPT_COMMAND}`);

/** `--complete-catalog` alone holds every product, whatever SVC_MCP_PRODUCTS serves; a list given with it narrows it. */
function scopeOf(config: Config, { products, completeCatalog }: BuildOptions): CatalogScope {
  const complete = completeCatalog === true;
  const unasked = complete ? 'all' : config.products;
  return { products: products === undefined ? unasked : productList('--products', products.split(',')), complete };
}

function report(catalog: Catalog, extra: object, json: boolean): void {
  const { digest, scope, tools, platformTools, platforms, capabilities, documents, quarantined, notes } =
    catalog.summary;
  const count = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ');
  const products = scope.products === 'all' ? 'all' : scope.products.join(', ') || 'none';
  const lines = [
    `catalog ${catalog.folder}`,
    `  ${tools} tools from ${documents} documents (${count(platforms)})`,
    `  products: ${products}${scope.complete ? '' : ', without their write tools'}`,
    `  ${count(capabilities)}`,
    ...quarantined.map(
      ({ platform, document, operation, pointer, reason }) =>
        `  set aside: ${platform}/${document}${pointer ? `#${pointer}` : ''} ${operation}: ${reason}`,
    ),
    ...notes.map((note) => `  note: ${note}`),
  ];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ok: true, catalog: catalog.folder, digest, products: scope.products, complete: scope.complete, platform_tools: platformTools, tools, documents, platforms, capabilities, quarantined: quarantined.length, notes: notes.length, ...extra })}\n`,
    );
  catalog.close();
}

await runCommand(program);
