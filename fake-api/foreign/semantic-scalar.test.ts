/** Texts by the names that platforms give their fields. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed } from '../test/foreign-sample-document.ts';

const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i;
const IP = /^\d+\.\d+\.\d+\.\d+$/;
const STREET = /^\d+ [A-Z]/;

async function firstOf(path: string, names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const row = { type: 'object', properties: { id: { type: 'integer' }, ...properties } };
  const item = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: answering(row),
  };
  const paths = { [path]: { get: answering({ type: 'array', items: row }) }, [`${path}/{id}`]: item };
  await using testbed = await foreignTestbed(foreignDocument(paths));
  return testbed.call('GET', path).body[0];
}

test.each(['macAddress', 'mac_addr', 'macaddress', 'realMacAddress'])('%s is a MAC address', async (name) => {
  expect((await firstOf('/hosts', [name]))[name]).toMatch(MAC);
});

test.each(['ipaddress', 'address', 'dns', 'primary_dns'])('%s of a host is an IP address', async (name) => {
  expect((await firstOf('/hosts', [name]))[name]).toMatch(IP);
});

test.each([
  ['/api/sites', 'physical_address'],
  ['/venues', 'address'],
  ['/orders', 'shippingAddress'],
])('of %s, %s is in a street', async (path, name) => {
  expect((await firstOf(path, [name]))[name]).toMatch(STREET);
});

test('what is displayed is a name, no sentence', async () => {
  expect((await firstOf('/sites', ['display'])).display.split(' ').length).toBeLessThan(4);
});
