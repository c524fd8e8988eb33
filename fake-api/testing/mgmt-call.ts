/** Sample calls of the shipped mgmt documents: where no schema states what an argument means, it is said here. */
import type { Operation } from '../engine/operation.ts';
import type { Platform } from '../engine/platform.ts';
import type { State } from '../engine/state.ts';
import { type SampleCall, sampleCall } from './sample-call.ts';

/** Bodies by operation that name something which exists in small-campus. */
const MEANT: Record<string, (body: Record<string, unknown>) => unknown> = {
  createConfigAssignments: () => [
    { 'scope-id': 'depot', 'device-function': 'CAMPUS_AP', 'profile-type': 'wlan-ssids', 'profile-instance': 'lab' },
  ],
  startDeviceFirmwareUpgrade: (body) => ({ ...body, version: '10.7.1.1' }),
  createFirmwareUpgrade: (body) => ({ ...body, deviceType: 'ACCESS_POINT', version: '10.7.1.1' }),
  startApAaa: (body) => ({ ...body, serverName: 'radius-1' }),
  startSwitchAaa: (body) => ({ ...body, serverName: 'radius-1' }),
};

/** Rows tried before an operation counts as unanswered: a row that is in use cannot be deleted, an offline device not be tested. */
export const ROWS_TRIED = 40;

export function mgmtCall(platform: Platform, state: State, operation: Operation, at: number): SampleCall | null {
  const call = sampleCall(platform, state, operation, at);
  const meant = MEANT[operation.id];
  return call === null || meant === undefined
    ? call
    : { ...call, body: meant((call.body ?? {}) as Record<string, unknown>) };
}
