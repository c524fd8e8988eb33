/** `svc-mcp-migrate profile` as a person starts it, over the fake management cloud. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CommandTestbed, commandTestbed } from '../test/support/command-testbed.ts';
import { startProcess } from '../test/support/running-process.ts';

const FILE = join(import.meta.dirname, 'migrate.mjs');
const FIXTURE = 'small-campus';
let testbed: CommandTestbed;
beforeAll(async () => {
  testbed = await commandTestbed(FILE, ['mgmt'], FIXTURE);
});
afterAll(async () => testbed?.[Symbol.asyncDispose]());
beforeEach(() => testbed.control('POST', '/reset', { fixture: FIXTURE }));

const profile = (words: readonly string[], env: Record<string, string> = {}) =>
  startProcess(process.execPath, [FILE, 'profile', ...words], {
    cwd: testbed.folder,
    env: { ...testbed.env, ...env },
    stdin: '',
  }).ended;

const fields = (body: object) => {
  const file = join(testbed.folder, 'fields.json');
  writeFileSync(file, JSON.stringify(body));
  return file;
};

test.each([
  ['static-route', 'static-route', 'destination'],
  ['vrrp-interface', 'vrrp', 'router-id'],
])('%s is read; set and delete refuse it and send nothing', async (type, resource, field) => {
  const [row] = await testbed.rows('mgmt', resource);
  const name = String(row?.['name']);
  const { code, stdout } = await profile(['get', type, name]);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ name, [field]: row?.[field] })]);
  for (const words of [
    ['set', type, name, '--input', fields({ enable: false }), '--yes'],
    ['delete', type, name, '--yes'],
  ]) {
    const refused = await profile(words);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(`${type} can be read only: no way to write it is verified`);
  }
  expect(await testbed.writes()).toEqual([]);
});

test('a role is created, updated, read and deleted, each with one request', async () => {
  const role = async () => (await testbed.rows('mgmt', 'roles')).find(({ name }) => name === 'Lab');
  const set = (body: object) => profile(['set', 'roles', 'Lab', '--input', fields(body), '--yes']);
  expect(await set({ 'allow-all': true })).toMatchObject({ code: 0, stdout: 'mgmt_create_role roles Lab: done\n' });
  expect(await role()).toMatchObject({ 'allow-all': true });
  expect(await set({ 'allow-all': false })).toMatchObject({ code: 0, stdout: 'mgmt_update_role roles Lab: done\n' });
  expect(JSON.parse((await profile(['get', 'roles', 'Lab'])).stdout)).toMatchObject({ 'allow-all': false });
  expect(await profile(['delete', 'roles', 'Lab', '--yes'])).toMatchObject({ code: 0 });
  expect(await role()).toBeUndefined();
  expect((await testbed.writes()).map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']);
  expect(await profile(['get', 'roles', 'Lab'])).toMatchObject({ code: 1, stderr: 'roles "Lab" does not exist\n' });
});

test.each<[string, () => string[], Record<string, string>, number, string]>([
  ['nobody to say yes', () => ['delete', 'roles', 'guest'], {}, 2, 'There is no terminal to ask for approval'],
  [
    'a closed gate',
    () => ['delete', 'roles', 'guest', '--yes'],
    { SVC_MCP_MGMT_WRITES: '0' },
    1,
    'SVC_MCP_MGMT_WRITES',
  ],
  ['a type that is none', () => ['get', 'printers', 'x'], {}, 2, 'the type should be aaa-profile'],
  ['a file that is no object', () => ['set', 'roles', 'x', '--input', fields([1])], {}, 2, 'should hold one object'],
])('%s is refused, and nothing is sent', async (_, words, env, code, why) => {
  const ended = await profile(words(), env);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(why)]);
  expect(await testbed.writes()).toEqual([]);
});
