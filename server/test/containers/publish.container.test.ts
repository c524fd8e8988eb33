/** The image is published to a registry on this machine, as `.github/workflows/image.yml` does it to the public one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../config/config.ts';
import { IMAGE } from '../support/container-engine.ts';
import { openRegistry, type Registry } from '../support/package-registry.ts';
import { type ProcessOptions, runProcess } from '../support/running-process.ts';

const REPOSITORY = 'owner/svc-mcp-router';
/** Not the synchronous one: the registry answers from this very process. */
async function run(command: string, words: readonly string[], options: ProcessOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runProcess(command, words, options);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`);
  return stdout.trim();
}
const docker = (...words: string[]): Promise<string> => run('docker', words);

interface Step {
  run?: string;
}

/** What the workflow runs to give the scanned digest its names. */
function promotion(): string {
  const { jobs } = parse(readFileSync(join(packageRoot, '.github/workflows/image.yml'), 'utf8'));
  const step = (jobs.promote.steps as Step[]).find(({ run }) => run?.includes('imagetools create'));
  return step?.run ?? expect.fail('image.yml should promote with docker buildx imagetools create');
}

const INDEX = 'application/vnd.oci.image.index.v1+json';

/** Puts what was pushed into an index of one platform; its digest. */
async function pushIndex(registry: Registry, digest: string): Promise<string> {
  const { bytes, type } = registry.manifest(REPOSITORY, digest) ?? expect.fail(`the registry should hold ${digest}`);
  const platform = { os: 'linux', architecture: await docker('version', '--format', '{{.Server.Arch}}') };
  const manifests = [{ mediaType: type, digest, size: bytes.length, platform }];
  const index = await fetch(`http://${registry.host}/v2/${REPOSITORY}/manifests/sha-0000000`, {
    method: 'PUT',
    headers: { 'content-type': INDEX },
    body: JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }),
  });
  return (
    index.headers.get('docker-content-digest') ?? expect.fail(`the registry should take the index: ${index.status}`)
  );
}

describe.skipIf(inject('noEngine') !== '')('the image is published', () => {
  let registry: Registry;
  let image: string;
  /** Of the index, which is what the workflow scans and names: a build with a proof of its origin is pushed as one. */
  let digest: string;
  let manifest: string;
  beforeAll(async () => {
    registry = await openRegistry();
    image = `${registry.host}/${REPOSITORY}`;
    await docker('tag', IMAGE, `${image}:sha-0000000`);
    const pushed = await docker('push', `${image}:sha-0000000`);
    manifest = /digest: (sha256:[0-9a-f]{64})/.exec(pushed)?.[1] ?? expect.fail(`no digest in ${pushed}`);
    digest = await pushIndex(registry, manifest);
  });
  afterAll(() => registry?.[Symbol.asyncDispose]());

  test('every layer and the manifest hash to what they are called', () => {
    const { bytes } = registry.manifest(REPOSITORY, manifest) ?? expect.fail(`the registry should hold ${manifest}`);
    expect(JSON.parse(bytes.toString('utf8')).layers.length).toBeGreaterThan(1);
    expect(registry.refused).toEqual([]);
  });

  test.for([
    ['branch', 'main', ['latest']],
    ['tag', 'v0.1.0', ['0.1.0', '0.1', '0']],
    ['tag', 'v0.2.0-rc.1', ['0.2.0-rc.1']],
  ] as const)('a %s %s gives the very same digest its names', async ([type, name, names]) => {
    const env = { ...process.env, IMAGE: image, DIGEST: digest, GITHUB_REF_TYPE: type, GITHUB_REF_NAME: name };
    await run('bash', ['-eo', 'pipefail', '-c', promotion()], { env });
    const scanned = registry.manifest(REPOSITORY, digest)?.bytes;
    for (const given of names) expect(registry.manifest(REPOSITORY, given)?.bytes).toEqual(scanned);
  });

  test('what is pulled by digest is what was built, and runs', async () => {
    const built = await docker('image', 'inspect', '--format', '{{.Id}}', IMAGE);
    const byDigest = `${image}@${digest}`;
    await docker('pull', '--quiet', byDigest);
    expect(await docker('image', 'inspect', '--format', '{{.Id}}', byDigest)).toBe(built);
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    expect(await docker('run', '--rm', '--network', 'none', '--read-only', byDigest, 'router', '--version')).toBe(
      version,
    );
    await docker('rmi', `${image}:sha-0000000`);
  });
});
