/** svc-mcp-run-pipeline as a person starts it, over the fake workspace and management cloud. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CommandTestbed, commandTestbed, type RunOptions } from '../test/support/command-testbed.ts';
import { Canaries, filesBelow } from '../test/support/secret-canary.ts';

const HEAD =
  'serial_number,source_type,hardware_series,target_account,target_site,target_group,persona,firmware_target,vlan_config_file,vlan_interface_config_file';
let testbed: CommandTestbed;
let first: string;
let second: string;
let release: string;
let table: string;

beforeAll(async () => {
  testbed = await commandTestbed(join(import.meta.dirname, 'run-pipeline.mjs'), ['mgmt', 'workspace'], 'small-campus');
  const devices = await testbed.rows('workspace', 'devices');
  const switches = devices.filter(({ deviceType, name }) => deviceType === 'SWITCH' && String(name).startsWith('hq-'));
  const online = new Set(
    (await testbed.rows('mgmt', 'devices'))
      .filter(({ status }) => status === 'ONLINE')
      .map((row) => row['serialNumber']),
  );
  [first, second] = switches
    .map(({ serialNumber }) => String(serialNumber))
    .filter((serial) => online.has(serial))
    .sort() as [string, string];
  const releases = (await testbed.rows('mgmt', 'firmware-versions')).filter(
    ({ deviceType }) => deviceType === 'SWITCH',
  );
  release = String(releases.find(({ version }) => version !== '5.4.2')?.['version']);
  table = join(testbed.folder, 'switches.csv');
  writeFileSync(join(testbed.folder, 'vlans.csv'), 'vlan_id,name\n901,lab one\n902,lab two\n');
  writeFileSync(join(testbed.folder, 'interfaces.csv'), 'vlan_id,ipv4_address\n901,10.90.1.1/24\n');
});
afterAll(async () => testbed?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await testbed.control('POST', '/reset', { fixture: 'small-campus' });
  writeFileSync(table, [HEAD, rowOf(first, 'same'), ''].join('\n'));
});

const rowOf = (serial: string, account: 'same' | 'new', more = {}) => {
  const { site = 'clinic', firmware = release } = more as { site?: string; firmware?: string };
  return [serial, 'legacy', 'cx', account, site, 'spare-group', 'core', firmware, 'vlans.csv', 'interfaces.csv'].join(
    ',',
  );
};

interface Result {
  serial: string;
  status: string;
  steps: Record<string, { status: string; message: string }>;
}
interface CommandOutput {
  ok: boolean;
  run: string;
  devices: Result[];
  reports: string[];
}

async function run(...words: string[]) {
  return runWith(words);
}

async function runWith(words: readonly string[], options: RunOptions = {}) {
  const ended = await testbed.run(['--input', table, '--poll-seconds', '0', '--json', ...words], options);
  const said = (ended.stdout === '' ? {} : JSON.parse(ended.stdout)) as CommandOutput;
  return { ...said, ...ended };
}
const stepsOf = (result: Result | undefined) =>
  Object.fromEntries(Object.entries(result?.steps ?? {}).map(([stage, { status }]) => [stage, status]));
const row = async (platform: string, resource: string, key: string, value: unknown) =>
  (await testbed.rows(platform, resource)).find((each) => each[key] === value);

test('a dry run discovers and validates, and writes nothing', async () => {
  const { code, devices, stderr } = await run('--dry-run');
  expect([code, devices[0]?.steps['validate']]).toMatchObject([0, { status: 'success' }]);
  expect(stepsOf(devices[0])).toMatchObject({ discover: 'success', validate: 'success', offboard: 'pending' });
  expect(stderr).toContain(`${first} validate: success`);
  expect(await testbed.writes()).toEqual([]);
});

test('a switch goes through all stages, and resuming the run writes nothing more', async () => {
  const { code, run: id, devices, reports } = await run('--yes');
  expect([code, devices[0]?.steps]).toMatchObject([0, { verify: { status: 'success' } }]);
  expect(stepsOf(devices[0])).toEqual({
    discover: 'success',
    validate: 'success',
    offboard: 'success',
    transfer: 'skipped',
    onboard: 'success',
    configure: 'success',
    firmware: 'success',
    verify: 'success',
  });
  expect(await row('mgmt', 'devices', 'serialNumber', first)).toMatchObject({
    siteId: 'clinic',
    deviceFunction: 'CORE_SWITCH',
    softwareVersion: release,
  });
  expect(await row('workspace', 'devices', 'serialNumber', first)).toMatchObject({ assignedState: 'ASSIGNED' });
  expect(await row('mgmt', 'layer2-vlan-v1', 'vlan_id', 902)).toMatchObject({ name: 'lab two' });
  expect(await row('mgmt', 'vlan-interfaces', 'name', 'vlan901')).toMatchObject({ 'ipv4-address': '10.90.1.1/24' });
  expect(reports.map((file) => file.split('.').at(-1))).toEqual(['csv', 'json', 'html']);
  expect(readFileSync(reports[0] as string, 'utf8')).toContain(`${first},done,success,success,success,skipped`);
  expect(readFileSync(reports[2] as string, 'utf8')).toContain('<h1>Switch migration</h1>');
  const { length } = await testbed.writes();
  expect(await run('--yes', '--resume', id)).toMatchObject({ code: 0, ok: true, run: id });
  expect(await testbed.writes()).toHaveLength(length);
  writeFileSync(table, [HEAD, rowOf(second, 'same'), ''].join('\n'));
  expect(await run('--yes', '--resume', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('another --input'),
  });
});

test('a run that ended at a stage is resumed behind it', async () => {
  writeFileSync(table, [HEAD, rowOf(first, 'same'), rowOf(second, 'same'), ''].join('\n'));
  const one = await run('--yes', '--stage-to', 'configure');
  expect(one.devices.map(stepsOf)).toEqual([
    expect.objectContaining({ configure: 'success', firmware: 'pending' }),
    expect.objectContaining({ configure: 'success', firmware: 'pending' }),
  ]);
  const { length } = await testbed.writes();
  const two = await run('--yes', '--resume', one.run);
  expect([two.code, two.devices.map(({ status }) => status)]).toEqual([0, ['done', 'done']]);
  // The upgrades of both, and nothing that was done before.
  expect(await testbed.writes()).toHaveLength(length + 2);
});

describe('killed in the middle and resumed: no stage is done twice', () => {
  let calm: string[];
  const accepted = async () =>
    (await testbed.writes()).filter(({ status }) => status < 300).map(({ method, path }) => `${method} ${path}`);
  const faults = (rules: object[]) => testbed.control('PUT', '/faults', { rules });
  const struck = async () =>
    ((await testbed.control('GET', '/faults')) as { rules: { struck: number }[] }).rules[0]?.struck === 1;

  beforeAll(async () => {
    await testbed.control('POST', '/reset', { fixture: 'small-campus' });
    writeFileSync(table, [HEAD, rowOf(first, 'same'), ''].join('\n'));
    expect(await run('--yes')).toMatchObject({ ok: true });
    calm = await accepted();
  });

  async function killedAt(rule: object): Promise<string> {
    await faults([rule]);
    const cut = await runWith(['--yes'], { killWhen: struck });
    await faults([]);
    const id = /^run_\w+/m.exec(cut.stderr)?.[0] as string;
    expect([cut.code, id]).toEqual([null, expect.any(String)]);
    return id;
  }

  const VLAN = 'POST /network-config/v1/layer2-vlan/{vlan_id}';
  const UPGRADE = 'POST /network-services/v1/firmware-details/{serialNumber}/upgrade';
  test.each([
    [
      'an object was written and nobody was told',
      { operation: VLAN, from: 2, fault: { kind: 'hang', effect: 'after' } },
    ],
    ['an upgrade was under way', { platform: 'mgmt', capability: 'poll', fault: { kind: 'hang' } }],
  ])('while %s', async (_, rule) => {
    const id = await killedAt(rule);
    expect(await run('--yes', '--resume', id)).toMatchObject({ code: 0, ok: true });
    expect(await accepted()).toEqual(calm);
  });

  test('while an upgrade was started and not named: it is waited for before it is started again', async () => {
    const id = await killedAt({ operation: UPGRADE, fault: { kind: 'hang', effect: 'after' } });
    const { steps } = (await run('--yes', '--resume', id)).devices[0] as Result;
    expect(steps['firmware']).toMatchObject({ status: 'failed', message: expect.stringContaining('after 90 looks') });
    expect(await accepted()).toEqual(calm);
    expect(await run('--yes', '--resume', id)).toMatchObject({ code: 0, ok: true });
  });
});

test('only the stage and the switch that were asked for; from a stage on, what comes before is left out', async () => {
  writeFileSync(table, [HEAD, rowOf(first, 'same'), rowOf(second, 'same'), ''].join('\n'));
  const configured = await run('--yes', '--configure-only', '--devices', second);
  expect([configured.code, configured.devices.map(({ serial }) => serial)]).toEqual([0, [second]]);
  expect(stepsOf(configured.devices[0])).toMatchObject({
    validate: 'success',
    offboard: 'pending',
    onboard: 'pending',
    configure: 'success',
    firmware: 'pending',
  });
  const later = await run('--yes', '--stage-from', 's7', '--devices', second, '--report-formats', 'json');
  expect(stepsOf(later.devices[0])).toMatchObject({ offboard: 'pending', configure: 'pending', firmware: 'success' });
  const [report, ...others] = later.reports;
  const { run: id, devices } = JSON.parse(readFileSync(report as string, 'utf8')) as CommandOutput;
  expect([id, devices, others]).toEqual([later.run, later.devices, []]);
  const paths = (await testbed.writes()).map(({ path }) => path);
  expect(paths.filter((path) => /assign-service|add-devices|unassign/.test(path))).toEqual([]);
  expect(paths.filter((path) => path.includes(first))).toEqual([]);
});

test('a switch goes to the second account: offered by one, accepted by the other', async () => {
  writeFileSync(table, [HEAD, rowOf(first, 'new'), ''].join('\n'));
  const { code, devices } = await run('--yes');
  expect([code, devices[0]?.steps]).toMatchObject([
    0,
    { transfer: { status: 'success' }, verify: { status: 'success' } },
  ]);
  const moved = (await testbed.rows('workspace', 'transfers')).find(({ serials }) =>
    (serials as string[]).includes(first),
  );
  expect(moved).toMatchObject({ status: 'ACCEPTED', targetWorkspaceId: '7a1d0f52-8a7e-4a57-9d2a-0c5f3f2e9b11' });
});

test('what is wrong with a row fails that row before anything is written', async () => {
  const unknown = 'NOTHERE123';
  writeFileSync(
    table,
    [
      HEAD,
      rowOf(unknown, 'same'),
      rowOf(first, 'same', { site: 'nowhere' }),
      rowOf(second, 'same', { firmware: '9.9.9' }),
      '',
    ].join('\n'),
  );
  const { code, devices } = await run('--yes');
  expect(code).toBe(1);
  expect(devices.map(({ steps }) => steps['discover']?.message + (steps['validate']?.message ?? ''))).toEqual([
    expect.stringContaining('does not hold it'),
    expect.stringContaining('there is no site nowhere'),
    expect.stringContaining('there is no release 9.9.9'),
  ]);
  expect(await testbed.writes()).toEqual([]);
});

test.each([
  [['--stage-from', 'verify', '--stage-to', 'discover'], 'comes after'],
  [['--stage-from', '9'], '--stage-from should be'],
  [['--report-formats', 'pdf'], '--report-formats should be'],
  [['--devices', 'OTHER1'], '--input has no "OTHER1"'],
  [['--resume', 'run_20260101T000000Z_000000'], 'there is no run'],
  [[], 'There is no terminal to ask for approval'],
])('%j is refused, and nothing is sent', async (words, why) => {
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  expect(await testbed.writes()).toEqual([]);
});

test('a closed gate is found while validating', async () => {
  const ended = await testbed.run(['--input', table, '--json', '--yes'], { env: { SVC_MCP_WORKSPACE_WRITES: '0' } });
  expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('closed: SVC_MCP_WORKSPACE_WRITES')]);
  expect(await testbed.writes()).toEqual([]);
});

test('each write is on record, and no secret of the accounts is in a report, journal or log', () => {
  const audit = readFileSync(join(testbed.folder, 'audit.jsonl'), 'utf8');
  for (const tool of ['workspace_start_unassign_device_service', 'mgmt_start_device_firmware_upgrade'])
    expect(audit).toContain(`"tool":"${tool}"`);
  const canaries = new Canaries(['demo-secret']);
  const files = [...filesBelow(testbed.folder)].filter(({ path }) => !/credentials|tokens/.test(path));
  expect(files.filter(({ text }) => canaries.in(text) !== undefined).map(({ path }) => path)).toEqual([]);
  expect(existsSync(join(testbed.folder, 'outputs'))).toBe(true);
});
