/** A thing that its path finds by its name as well as by its id is one thing, by whichever it is asked for. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const network: Part = { type: 'object', properties: { id: text, name: text, mtu: { type: 'integer' } } };
const made = { 201: { description: '', content: { 'application/json': { schema: network } } } };

function networks(parameter: string, description = ''): Part {
  const parameters = [{ name: parameter, in: 'path', required: true, description, schema: text }];
  const item = `/networks/{${parameter}}`;
  return foreignDocument({
    '/networks': {
      get: answering({ type: 'array', items: network }),
      post: { operationId: 'createNetwork', requestBody: jsonBody(network), responses: made },
    },
    [item]: {
      parameters,
      get: answering(network),
      patch: { requestBody: jsonBody(network), ...answering(network) },
      delete: { responses: { 204: { description: '' } } },
    },
    [`${item}/ports`]: { parameters, get: answering({ type: 'array', items: network }) },
  });
}

test.each([
  ['name_or_id', ''],
  ['id_or_name', ''],
  ['networkIdOrName', ''],
  ['network', 'ID or name of the network.'],
  ['network', 'The name or the ID of the network.'],
])('{%s}, "%s"', async (parameter, description) => {
  await using testbed = await foreignTestbed(networks(parameter, description));
  const { call } = testbed;
  const { id } = call('POST', '/networks', { name: 'quay-lab', mtu: 1500 }).body;
  const thing = { id, name: 'quay-lab', mtu: 1500 };
  expect(id).not.toBe('quay-lab');
  expect([call('GET', `/networks/${id}`).body, call('GET', '/networks/quay-lab').body]).toEqual([thing, thing]);
  call('PATCH', '/networks/quay-lab', { mtu: 9000 });
  expect(call('GET', `/networks/${id}`).body).toEqual({ ...thing, mtu: 9000 });
  expect(call('GET', '/networks/quay-lab/ports').body).toEqual(call('GET', `/networks/${id}/ports`).body);
  call('DELETE', '/networks/quay-lab');
  expect(call('GET', `/networks/${id}`).status).toBe(404);
  expect(call('GET', `/networks/${id}/ports`).status).toBe(404);
  expect([call('GET', '/networks/quay-lab').status, call('GET', '/networks/quay-lab/ports').status]).toEqual([
    404, 404,
  ]);
  const again = call('POST', '/networks', { name: 'quay-lab' }).body;
  expect(call('GET', '/networks/quay-lab').body).toEqual(again);
});

test('under the name that a thing had, nothing is found', async () => {
  await using testbed = await foreignTestbed(networks('name_or_id'));
  const { call } = testbed;
  call('POST', '/networks', { name: 'quay-lab' });
  call('PATCH', '/networks/quay-lab', { name: 'lobby' });
  expect([call('GET', '/networks/quay-lab').status, call('GET', '/networks/lobby').status]).toEqual([404, 200]);
  const [first] = call('GET', '/networks').body;
  call('DELETE', `/networks/${first.id}`);
  expect(call('GET', `/networks/${first.name}`).status).toBe(404);
});

test('what a path finds by its id alone is not found by its name', async () => {
  await using testbed = await foreignTestbed(networks('id', 'ID of the network'));
  const { id } = testbed.call('POST', '/networks', { name: 'quay-lab' }).body;
  expect(testbed.call('GET', '/networks/quay-lab').body.id).not.toBe(id);
});

test('a quote in a key that its path quotes is written twice', async () => {
  const site: Part = { type: 'object', properties: { name: text, floor: { type: 'integer' } } };
  const parameters = [{ name: 'name', in: 'path', required: true, schema: text }];
  await using testbed = await foreignTestbed(
    foreignDocument({
      '/sites': {
        get: answering({ type: 'array', items: site }),
        post: { operationId: 'createSite', requestBody: jsonBody(site), responses: made },
      },
      "/sites('{name}')": { parameters, get: answering(site), delete: { responses: { 204: { description: '' } } } },
    }),
  );
  const { call } = testbed;
  call('POST', '/sites', { name: "O'Hare", floor: 3 });
  expect(call('GET', "/sites('O''Hare')").body).toEqual({ name: "O'Hare", floor: 3 });
  expect(call('DELETE', "/sites('O''Hare')").status).toBe(204);
  expect(call('GET', "/sites('O''Hare')").status).toBe(404);
});
