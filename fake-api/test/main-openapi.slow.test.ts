/** `--openapi` as a shell sees it: what is served, what is refused, and what of it is told. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeReady, LedgerAnswer } from '../control/ledger.ts';
import { killFakeProcesses, startFakeProcess } from './fake-process.ts';
import { pets } from './foreign-sample-document.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const odd = { '/loose/{nobody}': { get: { responses: { 200: { description: '' } } } } };
  await writeFile(join(folder, 'pets.json'), JSON.stringify(pets(odd)));
  await writeFile(join(folder, 'cut.json'), JSON.stringify(pets()).slice(0, 200));
});
afterEach(async () => {
  killFakeProcesses();
  await rm(folder, { recursive: true });
});

const start = (...args: string[]) =>
  startFakeProcess('--port', '0', '--control-port', '0', '--fixture', 'tiny', '--json', ...args);

describe('node fake-api/main.ts --openapi', () => {
  it('serves a document beside a shipped platform, with ledger, state and namespaces, and refuses a broken one alone', async () => {
    const run = start(
      '--platforms',
      'mgmt',
      '--openapi',
      join(folder, 'pets.json'),
      '--name',
      'zoo',
      '--openapi',
      join(folder, 'cut.json'),
      '--name',
      'cut',
    );
    const ready = JSON.parse(await run.firstLine) as FakeReady;
    expect(Object.keys(ready.platforms)).toEqual(['mgmt', 'zoo']);
    expect(ready.documents).toEqual([
      { file: 'pets.json', platform: 'zoo', operations: 7, things: 3, warnings: 1, refused: null },
      {
        file: 'cut.json',
        platform: null,
        operations: 0,
        things: 0,
        warnings: 0,
        refused: expect.stringMatching(/^FOREIGN_DOCUMENT_UNREADABLE: document cut\.json .* Remedy: /),
      },
    ]);
    expect(run.stderr()).toMatch(
      /^warning: pets\.json at \/paths\/~1loose~1\{nobody\}\/get\/parameters: path parameter "nobody" is not declared.* Remedy: declare the parameter$/m,
    );

    const control = async (method: string, path: string) =>
      (await fetch(`${ready.control}/namespaces/${path}`, { method })).json() as Promise<
        LedgerAnswer & { hash: string; items: unknown[]; id: string }
      >;
    await control('POST', 'own/reset');
    const before = await control('GET', 'own/state-hash');
    const made = await fetch(`${ready.api}/ns/own/zoo/pets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex"}',
    });
    expect(made.status).toBe(201);
    expect((await control('GET', 'own/ledger')).entries).toEqual([
      expect.objectContaining({
        seq: 1,
        platform: 'zoo',
        method: 'POST',
        path: '/pets',
        template: '/pets',
        operationId: 'createPet',
        capability: 'write',
        status: 201,
        bodyHash: expect.stringMatching(/^sha256:/),
      }),
    ]);
    expect(
      (await control('GET', `own/state?platform=zoo&resource=${encodeURIComponent('pets/{petId}')}`)).items,
    ).toEqual([await made.json()]);
    expect((await control('GET', 'own/state-hash')).hash).not.toBe(before.hash);
    expect((await control('GET', 'default/ledger')).entries).toEqual([]);
    await control('POST', 'own/reset');
    expect((await control('GET', 'own/state-hash')).hash).toBe(before.hash);
    expect((await fetch(`${ready.platforms['mgmt']}/network-monitoring/v1/aps`)).status).toBe(401);
  });

  it('serves a document alone, named after its file', async () => {
    const ready = JSON.parse(
      await start('--platforms', 'none', '--openapi', join(folder, 'pets.json')).firstLine,
    ) as FakeReady;
    expect(Object.keys(ready.platforms)).toEqual(['pets']);
    expect((await fetch(`${ready.platforms['pets']}/pets`)).status).toBe(200);
  });

  it.each([
    [['--platforms', 'none', '--openapi', 'cut.json'], 2, /FOREIGN_DOCUMENT_UNREADABLE/],
    [
      ['--platforms', 'none', '--openapi', 'nothing.json'],
      2,
      /FOREIGN_DOCUMENT_UNREADABLE: document nothing\.json .* got ENOENT/,
    ],
    [['--platforms', 'none'], 2, /FAKE_USAGE: expected at least one platform or document to serve, got none/],
    [
      ['--openapi', 'pets.json', '--name', 'a', '--name', 'b'],
      2,
      /FAKE_USAGE: --name should stand once per --openapi, got 2 for 1/,
    ],
  ])('refuses %o', async (args, exit, says) => {
    const run = start(...args.map((entry) => (entry.endsWith('.json') ? join(folder, entry) : entry)));
    const { code, stderr } = await run.ended;
    expect(code).toBe(exit);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
