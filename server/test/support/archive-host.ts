/** A host that serves an index archive over HTTPS, and folders in which a download of it is tried. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportedPointer, openLatest } from '../../catalog/store.ts';
import { CATALOG_FILE } from '../../catalog/tool-catalog.ts';
import { packageRoot } from '../../config/config.ts';
import { COMPANIONS, openCatalog } from '../../open-catalog.ts';
import { POINTER_MEMBER, writeArchive } from '../../setup/archive.ts';
import { type RunningProcess, startProcess } from './running-process.ts';
import { sampleDocument, sampleInstallation } from './sample-installation.ts';

export const MEMBERS = [CATALOG_FILE, ...COMPANIONS.map(({ file }) => file), POINTER_MEMBER];
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export type Answer = (path: string, response: ServerResponse) => void;

export interface ArchiveHost {
  /** Holds everything; removed at the end. */
  base: string;
  archive: Buffer;
  /** Of the catalog that serves before, and of the one in the archive. */
  oldDigest: string;
  newDigest: string;
  answer: Answer;
  address: (path?: string) => string;
  /** Path of a manifest that pins the archive, with changes. */
  manifest: (change?: object) => string;
  /** A fresh folder, by name, with the catalog of before. */
  serve: (name: string) => string;
  /** Starts `svc-mcp-index download` into such a folder. */
  start: (folder: string, words: readonly string[], env?: Record<string, string>) => RunningProcess;
  close: () => void;
}

export async function archiveHost(): Promise<ArchiveHost> {
  using installation = sampleInstallation();
  const base = mkdtempSync(join(tmpdir(), 'svc-mcp-archive-'));
  const catalogs = join(installation.root, 'var/catalog');
  const before = openCatalog(installation.config());
  before.catalog.close();
  cpSync(catalogs, join(base, 'before'), { recursive: true });
  installation.writeDocument('config-security.json', {
    ...sampleDocument,
    info: { ...sampleDocument.info, title: 'Newer' },
  });
  const { catalog } = openCatalog(installation.config());
  catalog.close();
  const folder = join(base, 'packed');
  cpSync(catalog.folder, folder, { recursive: true });
  writeFileSync(join(folder, POINTER_MEMBER), JSON.stringify(exportedPointer(catalogs)));
  await writeArchive(folder, MEMBERS, join(base, 'index.tgz'));
  const archive = readFileSync(join(base, 'index.tgz'));
  const server = createServer(certificate(base), (request, response) => host.answer(request.url ?? '', response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = (path = '/index.tgz') => `https://localhost:${(server.address() as AddressInfo).port}${path}`;
  const host: ArchiveHost = {
    base,
    archive,
    oldDigest: before.catalog.digest,
    newDigest: catalog.digest,
    answer: (_, response) => response.end(archive),
    address,
    manifest: (change = {}) => {
      const path = join(base, 'manifest.json');
      const pinned = { schema_version: 1, release: '1', archive: 'index.tgz', url: address(), sha256: sha256(archive) };
      writeFileSync(path, JSON.stringify({ ...pinned, ...change }));
      return path;
    },
    serve: (name) => {
      const served = join(base, name);
      rmSync(served, { recursive: true, force: true });
      cpSync(join(base, 'before'), served, { recursive: true });
      return served;
    },
    start: (served, words, env = {}) =>
      startProcess(process.execPath, [join(packageRoot, 'server/cli/index.mjs'), 'download', ...words], {
        cwd: base,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: base,
          SVC_MCP_CATALOG_DIR: served,
          NODE_EXTRA_CA_CERTS: join(base, 'cert.pem'),
          ...env,
        },
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
  return host;
}

/** What a router would open now. */
export function inService(served: string): string | undefined {
  const catalog = openLatest(served, COMPANIONS);
  catalog?.close();
  return catalog?.digest;
}

function certificate(base: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(base, name)) as [string, string];
  const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const words = ['req', ...made.split(' '), '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', words, { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
