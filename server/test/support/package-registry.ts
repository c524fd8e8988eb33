/**
 * A registry of container images on this machine, for the while of a test: what an engine pushes lies in a folder, what does not
 * hash to its own name is refused. The part of the OCI distribution specification 1.1 that push, pull and renaming need.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

interface Manifest {
  bytes: Buffer;
  type: string;
}

export interface Registry extends AsyncDisposable {
  /** `127.0.0.1:PORT`, which engines speak to without TLS. */
  host: string;
  /** What lies under a name or a digest of a repository. */
  manifest: (repository: string, reference: string) => Manifest | undefined;
  /** What was refused, as it was asked. */
  refused: string[];
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export async function openRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-registry-'));
  const manifests = new Map<string, Manifest>();
  const refused: string[] = [];
  const blobFile = (digest: string) => join(folder, digest.replace(/[^a-z0-9]/g, '-'));
  let uploads = 0;

  const refuse = (request: IncomingMessage, response: ServerResponse, status: number, code: string) => {
    refused.push(`${request.method} ${request.url}: ${code}`);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code }] }));
  };
  const found = (response: ServerResponse, { bytes, type }: Manifest, isHead: boolean) => {
    const headers = { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digestOf(bytes) };
    response.writeHead(200, headers).end(isHead ? undefined : bytes);
  };

  async function takeManifest(request: IncomingMessage, response: ServerResponse, repository: string, name: string) {
    const bytes = Buffer.concat(await request.toArray());
    const digest = digestOf(bytes);
    if (name.startsWith('sha256:') && name !== digest) return refuse(request, response, 400, 'DIGEST_INVALID');
    const { config, layers = [], manifests: parts = [] } = JSON.parse(bytes.toString('utf8'));
    const blobs: string[] = [config, ...layers].flatMap((part) => part?.digest ?? []);
    const isUnknown = parts.some(({ digest: part }: { digest: string }) => !manifests.has(`${repository}@${part}`));
    if (isUnknown || blobs.some((blob) => !existsSync(blobFile(blob)))) {
      return refuse(request, response, 400, 'MANIFEST_BLOB_UNKNOWN');
    }
    const manifest = { bytes, type: String(request.headers['content-type']) };
    for (const key of [name, digest]) manifests.set(`${repository}@${key}`, manifest);
    response
      .writeHead(201, { 'docker-content-digest': digest, location: `/v2/${repository}/manifests/${digest}` })
      .end();
  }

  async function takeBlob(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL) {
    const part = join(folder, `upload-${pathname.split('/').at(-1)}`);
    await pipeline(request, createWriteStream(part, { flags: 'a' }));
    if (request.method === 'PATCH') {
      return response.writeHead(202, { location: pathname, range: `0-${statSync(part).size - 1}` }).end();
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(part), hash);
    const digest = `sha256:${hash.digest('hex')}`;
    if (searchParams.get('digest') !== digest) return refuse(request, response, 400, 'DIGEST_INVALID');
    renameSync(part, blobFile(digest));
    response.writeHead(201, { location: pathname, 'docker-content-digest': digest }).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://registry');
    const isHead = request.method === 'HEAD';
    if (/^\/v2\/?$/.test(url.pathname)) return response.writeHead(200).end('{}');
    const [, repository = '', kind, name = ''] =
      /^\/v2\/(.+)\/(manifests|blobs\/uploads|blobs)\/(.*)$/.exec(url.pathname) ?? [];
    if (kind === 'manifests' && request.method === 'PUT') return takeManifest(request, response, repository, name);
    if (kind === 'manifests') {
      const manifest = manifests.get(`${repository}@${name}`);
      return manifest === undefined ? response.writeHead(404).end() : found(response, manifest, isHead);
    }
    if (kind === 'blobs/uploads' && request.method === 'POST') {
      uploads += 1;
      return response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${uploads}`, range: '0-0' }).end();
    }
    if (kind === 'blobs/uploads') return takeBlob(request, response, url);
    if (kind === undefined || !existsSync(blobFile(name))) return response.writeHead(404).end();
    const length = { 'content-type': 'application/octet-stream', 'content-length': statSync(blobFile(name)).size };
    response.writeHead(200, { 'docker-content-digest': name, ...length });
    return isHead ? response.end() : pipeline(createReadStream(blobFile(name)), response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((cause) => {
      refused.push(`${request.method} ${request.url}: ${cause}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    manifest: (repository, reference) => manifests.get(`${repository}@${reference}`),
    refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
