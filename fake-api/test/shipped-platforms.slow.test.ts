/** Fakes of one process share what they start from: nothing written to one shows in another, or changes what they share. */
import { expect, it } from 'vitest';
import { sha256 } from '../engine/state/json-value.ts';
import { startFakeApi } from '../fake.ts';
import { shippedPlatforms } from '../shipped-platforms.ts';
import { fixtureCall } from './fixture-call.ts';
import { shippedInstallation } from './full-installation.ts';
import { PlatformClient, servedOperations } from './platform-client.ts';

const IDS = ['nac', 'sensors'];

it('is read once: the same models give the same platforms, whichever are asked for beside them', async () => {
  const [one, more] = [await shippedPlatforms(['nac']), await shippedPlatforms(['legacy', 'nac'])];
  expect([...more.platforms.keys()]).toEqual(['legacy', 'nac']);
  expect(more.platforms.get('nac')).toBe(one.platforms.get('nac'));
  expect((await shippedPlatforms(['legacy', 'nac'])).prepare).toBe(more.prepare);
});

it('stays as it was read when every operation was called once', async () => {
  const installation = await shippedInstallation(IDS, 'tiny');
  const picture = () =>
    IDS.map((id) => {
      const { resources, operations } = installation.platforms.get(id)!;
      const rows = [...resources.keys()].map((name) => [...installation.fixture.rows.of(id, name).values()]);
      return sha256(JSON.stringify([[...installation.documents.get(id)!], rows, operations.map((one) => one.id)]));
    });
  const before = picture();
  let done = 0;
  for (const id of IDS) {
    const client = new PlatformClient(installation, id);
    for (const operation of servedOperations(client.platform)) {
      const call = fixtureCall(client.platform, client.state, operation, 0);
      if (call !== null && client.send(call).status < 300) done += 1;
    }
  }
  expect(done).toBeGreaterThan(50);
  expect(picture()).toEqual(before);
});

it('a second fake starts as the first did, while the first goes on with what was written to it', async () => {
  const start = () => startFakeApi({ platformIds: ['mgmt'], fixture: 'tiny' });
  const hashOf = async ({ control }: { control: string }) =>
    ((await (await fetch(`${control}/namespaces/default/state-hash`)).json()) as { hash: string }).hash;
  await using first = await start();
  const untouched = await hashOf(first);
  const started = await fetch(`${first.control}/namespaces/default/incidents`, { method: 'GET' });
  const { incidents } = (await started.json()) as { incidents: { name: string }[] };
  const statuses = [];
  for (const { name } of incidents) {
    const body = JSON.stringify({ name });
    statuses.push((await fetch(`${first.control}/namespaces/default/incidents`, { method: 'POST', body })).status);
  }
  expect(statuses).toContain(200);
  const changed = await hashOf(first);
  expect(changed).not.toBe(untouched);
  await using second = await start();
  expect([await hashOf(second), await hashOf(first)]).toEqual([untouched, changed]);
  expect(second.fixture).toEqual(first.fixture);
});
