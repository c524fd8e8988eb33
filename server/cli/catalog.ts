#!/usr/bin/env node
/** svc-mcp-catalog: builds the catalog from OpenAPI documents, and says what is in it. */
import { Command } from 'commander';
import { version } from '../app.ts';
import { ensureCatalog } from '../catalog/ensure.ts';
import { type Catalog, openLatest } from '../catalog/store.ts';
import { loadConfig } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import { openIndex } from '../search/inverted-index.ts';
import { runCommand } from './run-command.ts';

interface BuildOptions {
  products?: string;
  completeCatalog?: boolean;
  json?: boolean;
}

interface ValidateOptions {
  minTools?: string;
  json?: boolean;
}

const program = new Command('svc-mcp-catalog')
  .description('Build and check the catalog of backend tools.')
  .version(version);

program
  .command('build')
  .description('read the OpenAPI documents of every selected platform and write the catalog and its search index')
  .option('--products <list>', 'optional products to include: all, or a comma list')
  .option(
    '--complete-catalog',
    'include guarded write tools (they are always in the catalog; gates decide at run time)',
  )
  .option('--json', 'print one JSON object last')
  .action((options: BuildOptions) => {
    const started = performance.now();
    const env = { ...process.env, ...(options.products === undefined ? {} : { SVC_MCP_PRODUCTS: options.products }) };
    const config = loadConfig({ env });
    const { catalog, built } = ensureCatalog(config);
    openIndex(catalog);
    report(catalog, { built, ms: Math.round(performance.now() - started) }, options.json === true);
  });

program
  .command('validate')
  .description('check the catalog that was built last')
  .option('--min-tools <n>', 'fail when it has fewer tools')
  .option('--json', 'print one JSON object last')
  .action((options: ValidateOptions) => {
    const config = loadConfig({ env: process.env });
    const catalog = openLatest(config.catalogDir);
    if (!catalog) throw new RouterError('CATALOG_INVALID', `no catalog at ${config.catalogDir}`);
    const least = Number(options.minTools ?? 1);
    if (!Number.isInteger(least) || least < 0)
      throw new RouterError('USAGE', `--min-tools should be a whole number, got ${JSON.stringify(options.minTools)}`);
    if (catalog.summary.tools < least) {
      throw new RouterError(
        'CATALOG_TOO_SMALL',
        `${catalog.folder} should have at least ${least} tools, got ${catalog.summary.tools}`,
      );
    }
    for (const name of catalog.names())
      if (catalog.schema(name)['type'] !== 'object')
        throw new RouterError('CATALOG_INVALID', `the schema of ${name} should be of type object`);
    openIndex(catalog);
    report(catalog, {}, options.json === true);
  });

function report(catalog: Catalog, extra: Record<string, unknown>, json: boolean): void {
  const { digest, tools, platforms, capabilities, documents, quarantined, notes } = catalog.summary;
  const count = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ');
  const lines = [
    `catalog ${catalog.folder}`,
    `  ${tools} tools from ${documents} documents (${count(platforms)})`,
    `  ${count(capabilities)}`,
    ...quarantined.map(({ document, operation, reason }) => `  set aside: ${document} ${operation}: ${reason}`),
    ...notes.map((note) => `  note: ${note}`),
  ];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ok: true, catalog: catalog.folder, digest, platform_tools: tools, tools, documents, platforms, capabilities, quarantined: quarantined.length, notes: notes.length, ...extra })}\n`,
    );
  catalog.close();
}

await runCommand(program);
