/** `svc-mcp-index package` and `download`: the catalog with its indexes leaves one host and comes to another. Started by `index.mjs`. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { adoptCatalog, exportedPointer } from '../catalog/store.ts';
import { CATALOG_FILE, Catalog } from '../catalog/tool-catalog.ts';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { COMPANIONS, openCatalog } from '../open-catalog.ts';
import { openIndex } from '../search/index-file.ts';
import {
  digestOfFile,
  LIMITS,
  POINTER_MEMBER,
  readArchive,
  readManifest,
  refused,
  writeArchive,
} from '../setup/archive.ts';
import { fetchFile, httpsUrl } from '../setup/https-file.ts';
import { SpecIndex } from '../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../spec-index/spec-index-file.ts';
import { runCommand } from './run-command.ts';

const INDEX_FILES = [CATALOG_FILE, ...COMPANIONS.map(({ file }) => file)];
const MEMBERS = [...INDEX_FILES, POINTER_MEMBER];
const MOST_DOWNLOADED = 1024 ** 3;
const SHA256 = /^[0-9a-f]{64}$/i;

interface PackageOptions {
  out: string;
  url?: string;
  release?: string;
  json?: boolean;
}

interface DownloadOptions {
  manifest?: string;
  url?: string;
  sha256?: string;
  checksumUrl?: string;
  json?: boolean;
}

const program = new Command('svc-mcp-index')
  .description('Move the built catalog with its indexes to hosts that are not to build it.')
  .version(version);

program
  .command('package')
  .description('write the archive, its digest beside it, and with --url the manifest that download pins')
  .requiredOption('--out <path>', 'the archive to write, as index.tgz')
  .option('--url <https>', 'where the archive will be found')
  .option('--release <name>', 'name of the release', version)
  .option('--json', 'print one JSON object')
  .action(async (options: PackageOptions) => {
    const url = options.url === undefined ? undefined : httpsUrl(options.url, '--url');
    const out = archiveAt(options.out);
    const config = loadConfig({ env: process.env });
    const { catalog } = openCatalog(config);
    const { folder, summary } = catalog;
    catalog.close();
    const draft = mkdtempSync(join(tmpdir(), 'svc-mcp-index-'));
    try {
      for (const file of INDEX_FILES) cpSync(join(folder, file), join(draft, file));
      writeFileSync(join(draft, POINTER_MEMBER), `${JSON.stringify(exportedPointer(config.catalogDir))}\n`);
      await writeArchive(draft, MEMBERS, out);
      const sha256 = await digestOfFile(out);
      writeFileSync(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
      const manifest = { schema_version: 1, release: options.release, archive: basename(out), url: url?.href, sha256 };
      if (url !== undefined) writeFileSync(`${out}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
      say(
        options.json,
        { ok: true, archive: out, sha256, tools: summary.tools },
        `${out}: ${summary.tools} tools, sha256 ${sha256}`,
      );
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });

program
  .command('download')
  .description(
    'download an archive over HTTPS, check its digest, and put it into service; on failure the previous index stays in use',
  )
  .option('--manifest <path>', 'a manifest that you keep: it pins address and digest')
  .option('--url <https>', 'the archive itself; needs --sha256')
  .option('--sha256 <hex>', 'the digest that the archive must have')
  .option('--checksum-url <https>', 'a digest published beside it, which must agree as well')
  .option('--json', 'print one JSON object')
  .action(async (options: DownloadOptions) => {
    const { url, sha256, checksumUrl } = await wanted(options);
    const { catalogDir } = loadConfig({ env: process.env });
    makeFolder(catalogDir);
    const fetched = mkdtempSync(join(catalogDir, '.download-'));
    try {
      const archive = join(fetched, 'archive');
      if (checksumUrl !== undefined) await checkSidecar(checksumUrl, join(fetched, 'checksum'), sha256);
      await fetchFile(url, archive, MOST_DOWNLOADED);
      const got = await digestOfFile(archive);
      if (got !== sha256) throw refused(url.pathname, `should have the digest ${sha256}, got ${got}`);
      const folder = await restore(archive, catalogDir);
      say(
        options.json,
        { ok: true, catalog: folder, sha256 },
        `${folder} is in service; routers take it at their next start`,
      );
    } finally {
      rmSync(fetched, { recursive: true, force: true });
    }
  });

async function wanted({ manifest, url, sha256, checksumUrl }: DownloadOptions) {
  if ((manifest === undefined) === (url === undefined))
    throw new RouterError(
      'USAGE',
      'download should have one of --manifest and --url: there is no address it goes to by itself',
    );
  const pinned = manifest === undefined ? undefined : await readManifest(manifest);
  const digest = (sha256 ?? pinned?.sha256 ?? '').toLowerCase();
  if (!SHA256.test(digest))
    throw new RouterError(
      'USAGE',
      '--sha256 should be 64 hex digits from a trusted source, beside --url or in the manifest',
    );
  if (pinned && sha256 && pinned.sha256.toLowerCase() !== digest)
    throw new RouterError('USAGE', '--sha256 should equal the digest of the manifest');
  const sidecar = checksumUrl ?? pinned?.checksum_url;
  return {
    url: httpsUrl(pinned?.url ?? url ?? '', pinned ? 'url of the manifest' : '--url'),
    sha256: digest,
    checksumUrl: sidecar === undefined ? undefined : httpsUrl(sidecar, '--checksum-url'),
  };
}

/** It comes from where the archive comes from, so it can only add a doubt, never take one away. */
async function checkSidecar(url: URL, path: string, sha256: string): Promise<void> {
  await fetchFile(url, path, 4096);
  const said = /^[0-9a-f]{64}/i.exec(readFileSync(path, 'utf8').trim())?.[0]?.toLowerCase();
  if (said !== sha256) throw refused(url.pathname, `should say ${sha256}, got ${said ?? 'no digest'}`);
}

async function restore(archive: string, catalogDir: string): Promise<string> {
  const draft = await readArchive(archive, catalogDir, MEMBERS, LIMITS);
  try {
    tryOut(draft);
    const pointer: unknown = JSON.parse(readFileSync(join(draft, POINTER_MEMBER), 'utf8'));
    rmSync(join(draft, POINTER_MEMBER));
    return adoptCatalog(catalogDir, draft, pointer, COMPANIONS);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error instanceof RouterError ? error : refused(archive, 'holds files that cannot be opened', error);
  }
}

/** Every index is opened once before anything serves it. */
function tryOut(folder: string): void {
  const catalog = new Catalog(folder);
  try {
    const { size } = openIndex(catalog);
    if (size !== catalog.summary.tools)
      throw new RouterError('CATALOG_INVALID', `its search index knows ${size} tools of ${catalog.summary.tools}`);
    using spec = new SpecIndex(join(folder, SPEC_INDEX_FILE));
    spec.counts();
  } finally {
    catalog.close();
  }
}

function say(json: boolean | undefined, value: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text}\n`);
}

/** Before the catalog is built and packed. Throws `USAGE` where no file can be. */
function archiveAt(path: string): string {
  const out = resolve(path);
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder(dirname(out)) && !isFolder(out)) return out;
  throw new RouterError('USAGE', `--out should be a file in a folder that exists, got ${JSON.stringify(path)}`, {
    remedy: 'make the folder, or name another one',
  });
}

await runCommand(program);
