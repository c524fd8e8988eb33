/** The conductor of an access point cluster: another access point of the same site leads it when that is asked for. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'mgmt';

function elected(of: TaskCall, cluster: Subject | null): Values {
  if (cluster === null) return {};
  const conductorSerial = String(of.input['serialNumber']);
  if (cluster.values['conductorSerial'] !== conductorSerial)
    changeRow(of, cluster.resource.name, cluster.id, {
      conductorSerial,
      conductorSince: isoSeconds(of.state.clock.ms),
    });
  return { conductorSerial };
}

function cannotLead({ body, state }: AcceptedRequest, cluster: Subject | null): Answer | null {
  const serial = String((body as Values | undefined)?.['serialNumber']);
  const device = state.rows(PLATFORM, 'devices').get(serial)?.value;
  if (device?.['deviceType'] !== 'ACCESS_POINT' || device['siteId'] !== cluster?.values['siteId']) {
    const message = `field "serialNumber": expected an access point of the cluster, got "${serial}"`;
    return refuseAt('serialNumber', 400, 'REFERENCE_NOT_FOUND', message);
  }
  if (device['status'] !== 'OFFLINE') return null;
  const message = `field "serialNumber": expected an access point that is ONLINE, got "${serial}", which is OFFLINE`;
  return refuseAt('serialNumber', 409, 'DEVICE_OFFLINE', message);
}

/** By operation id in small letters. */
export const CLUSTER_DEEDS: ReadonlyMap<string, typeof elected> = new Map([['electapclusterconductor', elected]]);
export const CLUSTER_PROBLEMS: ReadonlyMap<string, typeof cannotLead> = new Map([
  ['electapclusterconductor', cannotLead],
]);
