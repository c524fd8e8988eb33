/** Switches through stages at a target that now and then does not answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ToolCall } from '../../migration/adapters/adapter.ts';
import type { ReadAnswer, TargetPort } from '../../migration/target-port.ts';
import { Journal, newRunId } from './journal.ts';
import { carryOut, plannedCalls } from './pipeline.ts';
import type { Stage } from './stages.ts';
import { readSwitches, type Switch } from './switch-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-pipeline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DEVICE: Switch = {
  serial: 'CN12345678',
  source: 'legacy',
  moves: false,
  site: 'mill',
  group: '',
  deviceFunction: 'ACCESS_SWITCH',
  firmware: '5.5.0',
  mac: '',
  notes: '',
  vlans: [{ id: 10, name: 'lab' }],
  interfaces: [],
  problems: [],
};
const UNREAD: ReadAnswer = { kind: 'unknown', message: 'HTTP 503' };
const running = (runningVersion: string): ReadAnswer => ({ kind: 'found', value: { runningVersion } });

function testbed(read: (call: ToolCall) => ReadAnswer, faultOf?: TargetPort['faultOf']) {
  const written: string[] = [];
  const said: string[] = [];
  const port: TargetPort = {
    read: async (call) => read(call),
    write: async ({ tool }) => {
      written.push(tool);
      return { kind: 'done' };
    },
    ...(faultOf ? { faultOf } : {}),
  };
  const journal = new Journal(folder, newRunId(), 'table', { resume: false });
  const options = {
    journal,
    siteOf: () => ({ source: port, target: port, targetWorkspace: '', isOpen: () => true }),
    pollMs: 0,
    progress: (line: string) => void said.push(line),
  };
  const stages = (...names: Stage[]) => carryOut([DEVICE], names, options);
  return { written, said, journal, stages, planned: (...names: Stage[]) => plannedCalls([DEVICE], names, options) };
}

test('a look that fails while an upgrade is waited for ends nothing', async () => {
  const answers = [running('5.4.0'), running('5.4.0'), UNREAD, UNREAD, running('5.5.0')];
  const bed = testbed(() => answers.shift() ?? running('5.5.0'));
  using _ = bed.journal;
  await bed.stages('firmware');
  expect([bed.written, bed.said]).toEqual([['mgmt_start_device_firmware_upgrade'], ['CN12345678 firmware: success']]);
});

test('an upgrade of which nobody could tell how it went is waited for by the next run, and not started again', async () => {
  let answer = running('5.4.0');
  const bed = testbed(() => answer);
  using _ = bed.journal;
  const started = bed.stages('firmware');
  // It is sent behind the first look.
  while (bed.written.length === 0) await new Promise((resolve) => setImmediate(resolve));
  answer = UNREAD;
  await started;
  expect(bed.said.at(-1)).toMatch(/firmware: failed: .*HTTP 503/);
  answer = running('5.4.0');
  const resumed = bed.stages('firmware');
  await new Promise((resolve) => setTimeout(resolve, 5));
  answer = running('5.5.0');
  await resumed;
  expect([bed.written.length, bed.said.at(-1)]).toEqual([1, 'CN12345678 firmware: success']);
});

test('where nobody can tell whether a VLAN is there, it is not written', async () => {
  const persona: ReadAnswer = { kind: 'found', value: { 'device-function': 'ACCESS_SWITCH' } };
  const bed = testbed(({ tool }) => (tool === 'mgmt_get_device_persona' ? persona : UNREAD));
  using _ = bed.journal;
  await bed.stages('configure');
  expect([bed.written, bed.said]).toEqual([[], ['CN12345678 configure: failed: VLAN 10: HTTP 503']]);
});

test('a resumed run asks about no write of a stage that was carried out', async () => {
  const bed = testbed(() => running('5.4.0'));
  using _ = bed.journal;
  const tools = async () => (await bed.planned('offboard', 'firmware')).map(({ call }) => call.tool);
  expect(await tools()).toEqual(['workspace_start_unassign_device_service', 'mgmt_start_device_firmware_upgrade']);
  bed.journal.record(DEVICE.serial, 'offboard', 'success');
  expect(await tools()).toEqual(['mgmt_start_device_firmware_upgrade']);
});

test('what the target does not take is found before a switch is moved', async () => {
  const found: ReadAnswer = { kind: 'found', value: { items: [{ version: '5.5.0' }] } };
  const bed = testbed(
    () => found,
    ({ tool }) => (tool.includes('vlan') ? 'the address should have a prefix length' : undefined),
  );
  using _ = bed.journal;
  bed.journal.learn(DEVICE.serial, { type: 'SWITCH', service: 's', region: 'r' });
  await bed.stages('validate');
  expect(bed.said).toEqual([expect.stringContaining('VLAN 10: the address should have a prefix length')]);
});

test('a VLAN that a table names twice fails its switch', () => {
  writeFileSync(join(folder, 'vlans.csv'), 'vlan_id,name\n10,lab\n010,office\n');
  const head =
    'serial_number,source_type,hardware_series,target_account,target_site,target_group,persona,firmware_target';
  writeFileSync(
    join(folder, 'switches.csv'),
    `${head},vlan_config_file\nCN12345678,legacy,cx,same,mill,,access,,vlans.csv\n`,
  );
  const [device] = readSwitches(join(folder, 'switches.csv'));
  expect(device?.problems).toEqual(['vlan_config_file: it has the VLAN 10 twice']);
});
