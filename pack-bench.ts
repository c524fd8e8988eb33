/**
 * `npm run pack:bench`: the second package, `svc-mcp-bench`, with harness and fake as they stand, without tests. The server is
 * no part of it. Usage: node pack-bench.ts [FOLDER], which gets the tarball.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = import.meta.dirname;
const destination = resolve(process.argv[2] ?? '.');

/** Tests, benchmarks, and what only the commands about this repository use, such as the models of its platforms. */
const LEFT_OUT =
  /(^|\/)(test|testing|bench)(\/|$)|\.(test|bench)\.ts$|\.vitest\.config\.ts$|^harness\/(subjects|controls)\/|^harness\/agents\/llm|^fake-api\/platforms\/(?!shared)|node_modules/;
const SOURCES = ['harness', 'fake-api'];
/** What `try`, `conformance` and the fake import. */
const NEEDED = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
  '@scalar/openapi-upgrader',
  'ajv',
  'ajv-formats',
  'commander',
  'fastify',
  'gpt-tokenizer',
  'pure-rand',
  're2js',
  'simple-git',
  'simple-statistics',
  'typebox',
  'yaml',
];

interface Manifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  imports: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function manifestOf(root: Manifest): object {
  const versions = { ...root.devDependencies, ...root.dependencies };
  return {
    name: 'svc-mcp-bench',
    version: root.version,
    description:
      'Tries any MCP server on scenarios made from an OpenAPI document: tasks, safety, cost, robustness, conformance.',
    license: root.license,
    type: 'module',
    engines: root.engines,
    bin: { 'svc-mcp-bench': 'harness/cli/svc-mcp-bench.mjs' },
    imports: {
      '#bench/packages': root.imports['#bench/packages'],
      '#fake-api/ledger': root.imports['#fake-api/ledger'],
    },
    files: [...SOURCES, 'reports', 'scenarios'],
    dependencies: Object.fromEntries(NEEDED.map((name) => [name, versions[name]])),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-bench-'));
try {
  for (const source of SOURCES) {
    for (const name of readdirSync(join(root, source), { recursive: true, withFileTypes: true })) {
      const path = join(name.parentPath, name.name).slice(root.length + 1);
      if (!name.isFile() || LEFT_OUT.test(path)) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
  }
  for (const file of ['reports/comparison.json', 'scenarios/scenario.schema.json']) {
    mkdirSync(join(folder, dirname(file)));
    cpSync(join(root, file), join(folder, file));
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, 'docs/benchmark-your-server.md'), join(folder, 'README.md'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(manifest), null, 2)}\n`);
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as [{ filename: string }];
  process.stdout.write(`${join(destination, filename)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
