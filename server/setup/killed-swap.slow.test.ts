/** `svc-mcp-index download` killed before each change it makes to the disk: a router always finds a whole index, the old one or the new one. */
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';
import { type ArchiveHost, archiveHost, inService } from '../test/support/archive-host.ts';
import { reportFigures } from '../test/support/measured-figures.ts';

const AT_ONCE = 4;
const MOST_CHANGES = 400;

let host: ArchiveHost;
beforeAll(async () => {
  host = await archiveHost();
});
afterAll(() => host?.close());

async function download(served: string, killed?: { KILL_AT: string } | { KILL_AFTER: string }) {
  const preload = `--import=${pathToFileURL(join(packageRoot, 'server/test/support/kill-at-change.ts')).href}`;
  const env = killed === undefined ? {} : { NODE_OPTIONS: preload, ...killed };
  const { code, signal } = await host.start(served, ['--manifest', host.manifest()], env).ended;
  return { code, signal };
}

test('the swap is whole or not at all, wherever it is cut, and another download finishes it', async (context) => {
  const found: (string | undefined)[] = [];
  for (let next = 1, ended = false; !ended && next < MOST_CHANGES; next += AT_ONCE) {
    const points = Array.from({ length: AT_ONCE }, (_, at) => next + at);
    const batch = await Promise.all(
      points.map(async (point) => {
        const served = host.serve(`cut-${point}`);
        return { ...(await download(served, { KILL_AT: String(point) })), digest: inService(served) };
      }),
    );
    for (const { code, signal, digest } of batch) {
      if (signal === 'SIGKILL') found.push(digest);
      else expect({ code, digest }).toEqual({ code: 0, digest: host.newDigest });
    }
    ended = batch.some(({ signal }) => signal === null);
  }
  // How many changes there are depends on the pieces in which the archive arrives, so the swap itself is met by its name.
  const swapped = host.serve('swapped');
  expect(await download(swapped, { KILL_AFTER: 'current.json' })).toEqual({ code: null, signal: 'SIGKILL' });
  expect(inService(swapped)).toBe(host.newDigest);
  found.push(inService(swapped));
  const olds = found.filter((digest) => digest === host.oldDigest).length;
  const neither = found.filter((digest) => digest !== host.oldDigest && digest !== host.newDigest).length;
  reportFigures(context, { kills: found.length, neither });
  process.stderr.write(`cut before each of ${found.length} changes: ${olds} times the old index, else the new one\n`);
  expect(neither).toBe(0);
  expect(olds).toBeGreaterThan(10);
  const cut = join(host.base, 'cut-8');
  expect(await download(cut)).toEqual({ code: 0, signal: null });
  expect(inService(cut)).toBe(host.newDigest);
});

test('what killed downloads left is gone a day later, and only the index before the current one is kept', async () => {
  const served = host.serve('old');
  await download(served, { KILL_AT: '8' });
  const yesterday = Date.now() / 1000 - 25 * 3600;
  for (const name of readdirSync(served)) utimesSync(join(served, name), yesterday, yesterday);
  expect(readdirSync(served).some((name) => name.startsWith('.d'))).toBe(true);
  await download(served);
  expect(readdirSync(served).sort()).toEqual([host.newDigest, host.oldDigest, 'current.json'].sort());
});
