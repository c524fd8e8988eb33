/** The credentials file replaced again and again by another process while calls and `/readyz` read it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CredentialsStore } from '../config/credentials.ts';
import { startProcess } from '../test/support/running-process.ts';
import { serving } from '../test/support/serving.ts';

const REPLACEMENTS = 1_000;
/** `#` is the number of the file, `~` as much more as makes the files differ in length. */
const TEMPLATE =
  'mgmt:\n  base_url: https://platform-#.test\n  client_id: id-#\n  client_secret: secret-#-~\n  workspace_id: sample\n';
const content = (n: number) => TEMPLATE.replaceAll('#', String(n)).replaceAll('~', 'x'.repeat(n % 97));

/** Puts whole new files in the old one's place, as fast as it can. */
const REPLACER = `
  const { renameSync, writeFileSync } = require('node:fs');
  const [path, count, template] = process.argv.slice(1);
  for (let n = 1; n <= Number(count); n++) {
    writeFileSync(path + '.new', template.replaceAll('#', n).replaceAll('~', 'x'.repeat(n % 97)));
    renameSync(path + '.new', path);
  }`;

test('no call ever sees half of one file and half of another, and readiness never flickers', async () => {
  await using testbed = await serving();
  const path = join(testbed.installation.root, 'config/credentials.yaml');
  writeFileSync(path, content(0));
  const store = new CredentialsStore(path, {});
  const [platform] = testbed.installation.config().platforms;
  if (platform === undefined) throw new Error('the sample has a platform');
  const replacer = startProcess(process.execPath, ['-e', REPLACER, path, String(REPLACEMENTS), TEMPLATE]);
  const seen = new Set<string>();
  const states = new Set<number>();
  while (replacer.isRunning()) {
    for (let read = 0; read < 20; read++) {
      const { baseUrl, clientId, clientSecret } = store.account(platform);
      const n = Number(clientId.slice(3));
      expect(`${baseUrl} ${clientSecret}`).toBe(`https://platform-${n}.test secret-${n}-${'x'.repeat(n % 97)}`);
      seen.add(clientId);
    }
    states.add((await fetch(new URL('/readyz', testbed.url))).status);
  }
  expect(await replacer.ended).toMatchObject({ code: 0, stderr: '' });
  expect([...states]).toEqual([200]);
  expect(store.account(platform).clientId).toBe(`id-${REPLACEMENTS}`);
  expect(seen.size).toBeGreaterThan(2);
});

test('readiness follows the file with the very next request, a hundred times', async () => {
  await using testbed = await serving();
  const path = join(testbed.installation.root, 'config/credentials.yaml');
  const readyz = async () => (await fetch(new URL('/readyz', testbed.url))).status;
  const changes: [() => void, number][] = [
    [() => rmSync(path), 503],
    [() => writeFileSync(path, content(1)), 200],
    [() => writeFileSync(path, 'mgmt: [not, a, section]\n'), 503],
    [
      () => {
        writeFileSync(`${path}.new`, content(2));
        renameSync(`${path}.new`, path);
      },
      200,
    ],
  ];
  for (let round = 0; round < 25; round++)
    for (const [change, expected] of changes) {
      change();
      expect(await readyz()).toBe(expected);
    }
});
