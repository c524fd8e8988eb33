/**
 * A registry of container images on this machine for one test. A pushed blob is a file in a folder; a blob with
 * another hash than its name is refused. It implements the part of the OCI distribution specification 1.1 that push,
 * pull and renaming need.
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
  /** The refused requests. */
  refused: string[];
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export async function openRegistry(): Promise<Registry> {
  const contents = new Contents();
  const server = createServer((request, response) => {
    contents.answer(request, response).catch((cause) => {
      contents.refused.push(`${request.method} ${request.url}: ${cause}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    manifest: (repository, reference) => contents.manifest(repository, reference),
    refused: contents.refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      contents.remove();
    },
  };
}

/** The pushed images, and their references. */
class Contents {
  readonly refused: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-mcp-registry-'));
  readonly #manifests = new Map<string, Manifest>();
  #uploads = 0;

  manifest(repository: string, reference: string): Manifest | undefined {
    return this.#manifests.get(`${repository}@${reference}`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://registry');
    if (/^\/v2\/?$/.test(url.pathname)) return response.writeHead(200).end('{}');
    const [, repository = '', kind, name = ''] =
      /^\/v2\/(.+)\/(manifests|blobs\/uploads|blobs)\/(.*)$/.exec(url.pathname) ?? [];
    if (kind === 'manifests' && request.method === 'PUT')
      return this.#takeManifest(request, response, repository, name);
    if (kind === 'manifests') return this.#giveManifest(request, response, repository, name);
    if (kind === 'blobs/uploads' && request.method === 'POST') {
      this.#uploads += 1;
      const location = `/v2/${repository}/blobs/uploads/${this.#uploads}`;
      return response.writeHead(202, { location, range: '0-0' }).end();
    }
    if (kind === 'blobs/uploads') return this.#takeBlob(request, response, url);
    return kind === undefined ? response.writeHead(404).end() : this.#giveBlob(request, response, name);
  }

  #giveManifest(request: IncomingMessage, response: ServerResponse, repository: string, name: string) {
    const manifest = this.manifest(repository, name);
    if (manifest === undefined) return response.writeHead(404).end();
    const { bytes, type } = manifest;
    const headers = { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digestOf(bytes) };
    return response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
  }

  #giveBlob(request: IncomingMessage, response: ServerResponse, digest: string) {
    const file = this.#blobFile(digest);
    if (!existsSync(file)) return response.writeHead(404).end();
    const length = { 'content-type': 'application/octet-stream', 'content-length': statSync(file).size };
    response.writeHead(200, { 'docker-content-digest': digest, ...length });
    return request.method === 'HEAD' ? response.end() : pipeline(createReadStream(file), response);
  }

  async #takeManifest(request: IncomingMessage, response: ServerResponse, repository: string, name: string) {
    const bytes = Buffer.concat(await request.toArray());
    const digest = digestOf(bytes);
    if (name.startsWith('sha256:') && name !== digest) return this.#refuse(request, response, 'DIGEST_INVALID');
    const { config, layers = [], manifests: parts = [] } = JSON.parse(bytes.toString('utf8'));
    const blobs: string[] = [config, ...layers].flatMap((part) => part?.digest ?? []);
    const isUnknown = parts.some(
      ({ digest: part }: { digest: string }) => this.manifest(repository, part) === undefined,
    );
    if (isUnknown || blobs.some((blob) => !existsSync(this.#blobFile(blob)))) {
      return this.#refuse(request, response, 'MANIFEST_BLOB_UNKNOWN');
    }
    const manifest = { bytes, type: String(request.headers['content-type']) };
    for (const key of [name, digest]) this.#manifests.set(`${repository}@${key}`, manifest);
    return response
      .writeHead(201, { 'docker-content-digest': digest, location: `/v2/${repository}/manifests/${digest}` })
      .end();
  }

  async #takeBlob(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL) {
    const part = join(this.#folder, `upload-${pathname.split('/').at(-1)}`);
    await pipeline(request, createWriteStream(part, { flags: 'a' }));
    if (request.method === 'PATCH') {
      return response.writeHead(202, { location: pathname, range: `0-${statSync(part).size - 1}` }).end();
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(part), hash);
    const digest = `sha256:${hash.digest('hex')}`;
    if (searchParams.get('digest') !== digest) return this.#refuse(request, response, 'DIGEST_INVALID');
    renameSync(part, this.#blobFile(digest));
    return response.writeHead(201, { location: pathname, 'docker-content-digest': digest }).end();
  }

  #blobFile(digest: string): string {
    return join(this.#folder, digest.replace(/[^a-z0-9]/g, '-'));
  }

  #refuse(request: IncomingMessage, response: ServerResponse, code: string): void {
    this.refused.push(`${request.method} ${request.url}: ${code}`);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code }] }));
  }
}
