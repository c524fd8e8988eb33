/** svc-mcp-run-ssid as a person starts it, over the fake management cloud. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CommandTestbed, commandTestbed } from '../test/support/command-testbed.ts';
import { noTerminal, openTerminal } from '../test/support/pseudo-terminal.ts';
import type { Ended } from '../test/support/running-process.ts';
import { Canaries, filesBelow } from '../test/support/secret-canary.ts';

const PASSPHRASE = 'Gannet-Quay-3391-Fern';
const NET = ['--ssid', 'Lab', '--vlans', '10,20-22', '--scope-id', 'mill'];
const FILE = join(import.meta.dirname, 'run-ssid.mjs');
let testbed: CommandTestbed;
const said: Ended[] = [];

beforeAll(async () => {
  testbed = await commandTestbed(FILE, ['mgmt'], 'legacy-migration');
});
afterAll(async () => testbed?.[Symbol.asyncDispose]());
beforeEach(() => testbed.control('POST', '/reset', { fixture: 'legacy-migration' }));

async function run(words: readonly string[], options: Parameters<CommandTestbed['run']>[1] = {}) {
  const ended = await testbed.run([...words, '--json'], options);
  said.push(ended);
  const answer = ended.stdout === '' ? undefined : (JSON.parse(ended.stdout) as Record<string, unknown>);
  const networks = (answer?.['networks'] ?? []) as { ssid: string; outcome: string; message: string }[];
  return { ...ended, answer, outcomes: networks.map(({ ssid, outcome }) => `${ssid}: ${outcome}`), networks };
}
/** What every process of this machine was started with: anybody may read it. */
const commandLines = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
const audited = () =>
  [...filesBelow(testbed.folder)]
    .filter(({ path }) => path.endsWith('audit.jsonl'))
    .flatMap(({ text }) => text.trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const wlan = async (name: string) => (await testbed.rows('mgmt', 'wlan-ssids')).find(({ ssid }) => ssid === name);

test('a dry run reads and writes nothing; then the network is made, assigned, and left alone the second time', async () => {
  expect(await run([...NET, '--dry-run'])).toMatchObject({ code: 0, outcomes: ['Lab: would be created'] });
  expect(await testbed.writes()).toEqual([]);
  expect(await run([...NET, '--yes', '--hide-ssid', '--rf-band', '5GHZ'])).toMatchObject({
    code: 0,
    outcomes: ['Lab: created'],
  });
  expect(await wlan('Lab')).toMatchObject({
    opmode: 'ENHANCED_OPEN',
    'forward-mode': 'FORWARD_MODE_BRIDGE',
    'vlan-id-range': ['10', '20-22'],
    'hide-ssid': true,
    'rf-band': '5GHZ',
  });
  const assigned = (await testbed.rows('mgmt', 'config-assignments')).filter(
    (row) => row['profile-instance'] === 'Lab',
  );
  expect(assigned).toEqual([expect.objectContaining({ 'scope-id': 'mill', 'device-function': 'CAMPUS_AP' })]);
  const { length } = await testbed.writes();
  expect(await run([...NET, '--yes', '--hide-ssid', '--rf-band', '5GHZ'])).toMatchObject({
    code: 0,
    outcomes: ['Lab: exists'],
  });
  expect(await testbed.writes()).toHaveLength(length);
});

test('a table, with the older name of a mode, a passphrase from stdin, and one network that exists otherwise', async () => {
  const table = join(testbed.folder, 'networks.csv');
  writeFileSync(table, 'ssid_name,vlans,scope_id,opmode\r\nHome,"30,31",mill,WPA2_PSK\r\nOpen,40,mill,OPEN\r\n');
  const first = await run(['--input', table, '--yes', '--passphrase-stdin'], { stdin: `${PASSPHRASE}\n` });
  expect(first).toMatchObject({ code: 0, outcomes: ['Home: created', 'Open: created'] });
  expect(first.stderr.match(/deprecated/g)).toHaveLength(1);
  expect(await wlan('Home')).toMatchObject({ opmode: 'WPA2_PERSONAL', 'vlan-id-range': ['30', '31'] });
  const other = await run(['--ssid', 'Open', '--vlans', '41', '--scope-id', 'mill', '--opmode', 'OPEN', '--yes']);
  expect(other).toMatchObject({ code: 1, outcomes: ['Open: blocked'] });
});

test('a network at two scopes is one object with one passphrase; a line for each scope is refused before anything is sent', async () => {
  const table = join(testbed.folder, 'scopes.csv');
  writeFileSync(table, 'ssid_name,vlans,scope_id,opmode\nCorp,10,mill,WPA2_PERSONAL\nCorp,10,global,WPA2_PERSONAL\n');
  const words = ['--input', table, '--yes', '--passphrase-stdin'];
  const two = await run(words, { stdin: `${PASSPHRASE}\n${PASSPHRASE}2\n` });
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('in this order: Corp; got 2 lines') });
  expect(await testbed.writes()).toEqual([]);
  const one = await run(words, { stdin: `${PASSPHRASE}\n` });
  expect(one).toMatchObject({ code: 0, outcomes: ['Corp: created', 'Corp: created'] });
  expect((await testbed.rows('mgmt', 'wlan-ssids')).filter(({ ssid }) => ssid === 'Corp')).toHaveLength(1);
});

test('rows of one network that differ are refused before anything is sent, and so is one written twice', async () => {
  const table = join(testbed.folder, 'differing.csv');
  const refused = async (...rows: string[]) => {
    writeFileSync(table, ['ssid_name,vlans,scope_id,opmode', ...rows, ''].join('\n'));
    for (const words of [['--dry-run'], ['--yes']]) {
      const { code, stderr } = await run(['--input', table, ...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('the rows of "Corp" should')]);
    }
    expect(await testbed.writes()).toEqual([]);
  };
  await refused('Corp,10,mill,OPEN', 'Corp,20,global,OPEN');
  await refused('Corp,10,mill,OPEN', 'Other,10,mill,OPEN', 'Corp,10,global,ENHANCED_OPEN');
  writeFileSync(table, 'ssid_name,vlans,scope_id,opmode\nCorp,010,mill,OPEN\nCorp,10,global,OPEN\n');
  expect(await run(['--input', table, '--yes'])).toMatchObject({
    code: 0,
    outcomes: ['Corp: created', 'Corp: created'],
  });
  expect(await wlan('Corp')).toMatchObject({ 'vlan-id-range': ['10'] });
});

test.skipIf(noTerminal())(
  'a passphrase is typed at the prompt, and neither shown nor told to other users of the machine',
  async () => {
    using terminal = openTerminal(testbed.folder, { ...testbed.env });
    terminal.type(`'${process.execPath}' '${FILE}' --directory . ${NET.join(' ')} --opmode WPA3_SAE`);
    terminal.press('Enter');
    await terminal.until(/Passphrase of Lab/);
    terminal.type(PASSPHRASE);
    terminal.press('Enter');
    await terminal.until(/Yes \/|No/);
    const started = commandLines();
    expect(started.filter((words) => words.includes(FILE)).length).toBeGreaterThan(0);
    expect(started.filter((words) => new Canaries([PASSPHRASE]).in(words) !== undefined)).toEqual([]);
    terminal.type('y');
    await terminal.until(/created/);
    expect(new Canaries([PASSPHRASE]).in(terminal.history())).toBeUndefined();
    expect(await wlan('Lab')).toMatchObject({ opmode: 'WPA3_SAE' });
  },
);

test.skipIf(noTerminal())('a question at the terminal is on record, and so is the no to it', async () => {
  using terminal = openTerminal(testbed.folder, { ...testbed.env });
  const lines = () => audited().filter(({ kind }) => kind === 'approval');
  const before = lines().length;
  terminal.type(`'${process.execPath}' '${FILE}' --directory . ${NET.join(' ')}`);
  terminal.press('Enter');
  await terminal.until(/Yes \/|No/);
  const tool = 'mgmt_create_wlan_ssid, mgmt_create_config_assignments';
  expect(lines().slice(before)).toMatchObject([{ event: 'asked', tool, principal: 'local' }]);
  terminal.type('n');
  await terminal.until(/nothing was sent/);
  const [asked, answered] = lines().slice(before);
  expect(answered).toMatchObject({
    event: 'declined',
    id: asked?.['id'],
    digest: asked?.['digest'],
    where: 'terminal',
  });
  expect(await testbed.writes()).toEqual([]);
});

test('an overlay network needs its tunnels', async () => {
  const words = [
    '--opmode',
    'WPA3_SAE',
    '--cluster-name',
    'mill-gw',
    '--cluster-scope-id',
    'mill',
    '--passphrase-file',
    'pass',
    '--yes',
  ];
  writeFileSync(join(testbed.folder, 'pass'), `${PASSPHRASE}\n`, { mode: 0o600 });
  expect(await run([...NET, ...words])).toMatchObject({ code: 0, outcomes: ['Lab: created'] });
  expect(await wlan('Lab')).toMatchObject({
    opmode: 'WPA3_SAE',
    'forward-mode': 'FORWARD_MODE_L2',
    'out-of-service': 'TUNNEL_DOWN',
  });
  expect((await testbed.rows('mgmt', 'overlay-wlan')).some(({ 'essid-name': name }) => name === 'Lab')).toBe(true);
});

test.each([
  ['a passphrase as an argument', [...NET, '--passphrase', PASSPHRASE], 2, 'not taken as an argument'],
  ['the same in one word', [...NET, `--passphrase=${PASSPHRASE}`], 2, 'not taken as an argument'],
  ['nobody to say yes', NET, 2, 'There is no terminal to ask for approval'],
  ['an unknown mode', [...NET, '--opmode', 'WEP'], 2, 'opmode should be'],
  ['a VLAN that is none', ['--ssid', 'x', '--vlans', '5000', '--scope-id', 'mill'], 2, 'vlans should be'],
  ['half a cluster', [...NET, '--cluster-name', 'x', '--yes'], 2, 'both --cluster-name and --cluster-scope-id'],
  ['no passphrase', [...NET, '--opmode', 'WPA3_SAE', '--yes'], 2, 'there is no terminal to ask for them'],
  ['too many passphrases', [...NET, '--opmode', 'WPA3_SAE', '--yes', '--passphrase-stdin'], 2, 'got 2 lines'],
])('%s is refused, and nothing is sent', async (_, words, code, why) => {
  const ended = await run(words, { stdin: `${PASSPHRASE}\n${PASSPHRASE}` });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(why)]);
  expect(await testbed.writes()).toEqual([]);
});

test('a question that nobody was there for has no answer on record', async () => {
  const lines = () => audited().filter(({ kind }) => kind === 'approval');
  const before = lines().length;
  expect(await run(NET)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no terminal') });
  expect(
    lines()
      .slice(before)
      .map(({ event }) => event),
  ).toEqual(['asked']);
});

test('a closed gate holds for the command too', async () => {
  const ended = await run([...NET, '--yes'], { env: { SVC_MCP_MGMT_WRITES: '0' } });
  expect(ended).toMatchObject({ code: 1, outcomes: ['Lab: failed'] });
  expect(ended.networks[0]?.message).toContain('SVC_MCP_MGMT_WRITES');
  expect(await testbed.writes()).toEqual([]);
});

test('each write is on record, and no passphrase is anywhere', () => {
  const canaries = new Canaries([PASSPHRASE]);
  const files = [...filesBelow(testbed.folder)].filter(
    ({ path }) => !path.endsWith('/pass') && !path.includes('/tokens'),
  );
  expect(files.filter(({ text }) => canaries.in(text) !== undefined).map(({ path }) => path)).toEqual([]);
  expect(said.map(({ stdout, stderr }) => canaries.in(stdout + stderr))).toEqual(said.map(() => undefined));
  const audit = files.find(({ path }) => path.endsWith('audit.jsonl'))?.text ?? '';
  expect(audit).toContain('"tool":"mgmt_create_wlan_ssid"');
});
