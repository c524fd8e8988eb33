/** Sample calls of the shipped documents: where no schema states what an argument means, it is said here. */
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { type SampleCall, sampleCall } from './sample-call.ts';

type Meant = (body: Record<string, unknown>) => unknown;

/** Bodies by platform and operation that name something which exists in small-campus. */
const MEANT: Record<string, Record<string, Meant>> = {
  mgmt: {
    createConfigAssignments: () => [
      { 'scope-id': 'depot', 'device-function': 'CAMPUS_AP', 'profile-type': 'wlan-ssids', 'profile-instance': 'lab' },
    ],
    startDeviceFirmwareUpgrade: (body) => ({ ...body, version: '10.7.1.1' }),
    createFirmwareUpgrade: (body) => ({ ...body, deviceType: 'ACCESS_POINT', version: '10.7.1.1' }),
    startApAaa: (body) => ({ ...body, serverName: 'radius-1' }),
    startSwitchAaa: (body) => ({ ...body, serverName: 'radius-1' }),
    claimOnboardingDevice: () => ({ mac: '02:5e:10:00:00:07' }),
    shutdownBgpNeighbour: () => ({ neighbour: '203.0.113.9' }),
    electApClusterConductor: () => ({ serialNumber: 'PHYCZKMBKT' }),
    rotateSnmpCommunity: (body) => ({ ...body, label: 'read-only' }),
  },
  cloudwlan: {
    moveOrgLicenses: (body) => ({ ...body, subscription_id: 'EVYB7UE8NAWSEJ', quantity: 1 }),
    moveMspLicenses: (body) => ({ ...body, subscription_id: 'EVYB7UE8NAWSEJ', quantity: 1 }),
  },
  workspace: {
    startMergeSubscription: () => ({ otherIds: ['0465ff33-8aa6-4e10-8c9e-464f2d92ff03'] }),
    startLocationMerge: () => ({ duplicateIds: ['af87218e-07f1-484c-806e-8b2cdbf54950'] }),
  },
  // Nothing was committed yet, so there is only the state before the first commit to go back to.
  legacy: { rollbackConfiguration: () => ({ version: 0 }) },
  fabric: { rollbackBlueprint: () => ({ revision_id: 0 }) },
};

/** Segments before a key that names a row of another resource, by platform: the schema of the key does not state it. */
const KEPT_IN: Record<string, Record<string, string>> = { mgmt: { 'legacy-switches': 'switches' } };

/** Rows tried before an operation counts as unanswered: a row that is in use cannot be deleted, an offline device not be tested. */
export const ROWS_TRIED = 40;

export interface FixtureCall extends SampleCall {
  /** Media type of the body; undefined where the operation takes none. */
  media: string | undefined;
  /** Which of the rows it was drawn for. */
  at: number;
}

/** Null when the fixture holds no row that the path could name. */
export function fixtureCall(platform: Platform, state: State, operation: Operation, at: number): FixtureCall | null {
  const call = sampleCall(platform, state, operation, at);
  if (call === null) return null;
  const meant = MEANT[platform.id]?.[operation.id];
  const body = meant === undefined ? call.body : meant(isObject(call.body) ? call.body : {});
  const query = operation.scope === 'local' ? placedQuery(state, operation, call) : call.query;
  const path = existingPath(platform, state, call.path, at);
  return { ...call, path, query, body, media: Object.keys(operation.body?.content ?? {})[0], at };
}

function existingPath(platform: Platform, state: State, path: string, at: number): string {
  const segments = path.split('/');
  for (const [segment, resource] of Object.entries(KEPT_IN[platform.id] ?? {})) {
    const place = segments.indexOf(segment);
    const keys = [...state.rows(platform.id, resource).all()].map(({ id }) => id);
    if (place !== -1) segments[place + 1] = keys[at % keys.length] as string;
  }
  return segments.join('/');
}

/** A LOCAL object is written where it lives; one that lives nowhere yet, at the top. */
function placedQuery(state: State, operation: Operation, { path, query }: SampleCall): string {
  if (!query.includes('scope-id=')) return query;
  const name = decodeURIComponent(path.split('/').at(-1) ?? '');
  const place = state.notes.get(`place ${operation.platform} ${operation.resource} ${name}`) as
    | { scopeId: string; deviceFunction: string }
    | undefined;
  const parameters = new URLSearchParams(query);
  parameters.set('scope-id', place?.scopeId ?? 'global');
  parameters.set('device-function', place?.deviceFunction ?? 'ALL');
  return parameters.toString();
}
