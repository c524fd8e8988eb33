/** Device groups of the policy server: a device is in those that its address fits, until it is put into one or taken out by hand. */
import { isInNetwork } from '../address-in-network.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Row } from '../collection.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'nac';
const GROUPS = 'network-device-group';

/** Whether somebody put the device into the group (`true`) or took it out (`false`). */
const noteOf = (group: Row, device: string): string => `in device group ${group.id} ${device}`;

const addressesOf = (value: unknown): string[] => String(value).split(/[\s,;]+/);

function fits({ group_format: format, value }: Values, address: unknown): boolean {
  if (format === 'list') return addressesOf(value).includes(String(address));
  return format === 'subnet' && isInNetwork(address, value);
}

function isIn(of: TaskCall, group: Row, { id, values }: Subject): boolean {
  const byHand = of.state.notes.get(noteOf(group, id));
  return typeof byHand === 'boolean' ? byHand : fits(group.value, values['ip_address']);
}

function put(of: TaskCall, device: Subject | null, isJoining: boolean): Values {
  const group = of.state.rows(PLATFORM, GROUPS).get(String(of.input['group_id']));
  if (device === null || group === undefined) return {};
  if (isIn(of, group, device) !== isJoining) {
    of.state.notes.set(noteOf(group, device.id), isJoining);
    const count = Number(group.value['member_count'] ?? 0) + (isJoining ? 1 : -1);
    changeRow(of, GROUPS, group.id, {
      member_count: Math.max(0, count),
      updated_at: isoSeconds(of.state.clock.ms),
      ...listed(group, String(device.values['ip_address']), isJoining),
    });
  }
  const groups = [...of.state.rows(PLATFORM, GROUPS).all()].filter((each) => isIn(of, each, device));
  return { group_names: groups.map(({ value }) => value['name']) };
}

/** A group of addresses names its members; an empty one cannot be told, so the last address stays in the text. */
function listed({ value }: Row, address: string, isJoining: boolean): { value?: string } {
  if (value['group_format'] !== 'list') return {};
  const others = addressesOf(value['value']).filter((each) => each !== address);
  const now = isJoining ? [...others, address] : others;
  return now.length === 0 ? {} : { value: now.join(',') };
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall, device: Subject | null) => Values> = new Map([
  ['addNetworkDeviceToGroup', (of, device) => put(of, device, true)],
  ['removeNetworkDeviceFromGroup', (of, device) => put(of, device, false)],
]);

export function deedOnDeviceGroup(of: TaskCall, device: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, device) ?? {};
}
