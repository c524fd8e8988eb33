/** A small document of an item that does not exist is not found, whatever else the platform would answer. */
import { expect, test } from 'vitest';
import { fixtureCall } from './fixture-call.ts';
import { shippedInstallation } from './full-installation.ts';
import { PlatformClient, servedOperations } from './platform-client.ts';

const installation = await shippedInstallation();

/** Names that nothing has, in the forms that keys take. */
const UNKNOWN = [
  '999999',
  'nobody-has-this',
  '6f1c2b4e-9d3a-4c57-8e21-0b9a7d5f3c10',
  'ZZ9ZZ9ZZ9Z',
  '02:00:00:00:00:01',
];
const LEAST_DOCUMENTS = 200;

test('every document of one item', () => {
  let documents = 0;
  const answered: string[] = [];
  for (const id of installation.ids) {
    const client = new PlatformClient(installation, id);
    for (const operation of servedOperations(client.platform)) {
      const resource = client.platform.resources.get(operation.resource ?? '');
      if (operation.kind !== 'singleton-get' || resource?.isPart !== true) continue;
      const at = operation.template.split('/').findLastIndex((segment) => segment.startsWith('{'));
      const call = at < 0 ? null : fixtureCall(client.platform, client.state, operation, 0);
      if (call === null) continue;
      const statuses = UNKNOWN.map((name) => {
        const path = call.path.split('/').with(at, encodeURIComponent(name)).join('/');
        return client.send({ ...call, path, method: 'GET' }).status;
      });
      documents += 1;
      if (statuses.some((status) => status < 300)) answered.push(`${id} ${operation.id}`);
    }
  }
  expect(answered).toEqual([]);
  expect(documents).toBeGreaterThan(LEAST_DOCUMENTS);
});
