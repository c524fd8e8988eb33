/** A BGP neighbour that is closed stays closed in the configuration, and a DHCP lease that is ended has ended at its gateway. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { isInNetwork } from '../address-in-network.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'mgmt';
const LEASES = 'gateway-dhcp-clients';

const neighboursOf = (process: Subject | null): JsonObject[] => (process?.values['neighbours'] ?? []) as JsonObject[];

function closed(of: TaskCall, process: Subject | null): Values {
  if (process === null) return {};
  const { neighbour } = of.input;
  const isOpen = neighboursOf(process).some((each) => each['address'] === neighbour && each['shutdown'] !== true);
  const neighbours = neighboursOf(process).map((each) =>
    each['address'] === neighbour ? { ...each, shutdown: true } : each,
  );
  changeRow(of, process.resource.name, process.id, { neighbours });
  // A session that was closed before had no routes to lose.
  return isOpen ? {} : { 'withdrawn-routes': 0 };
}

function unknownNeighbour({ body }: AcceptedRequest, process: Subject | null): Answer | null {
  const neighbour = (body as Values | undefined)?.['neighbour'];
  const known = neighboursOf(process).map(({ address }) => address);
  if (known.includes(neighbour as never)) return null;
  const message = `field "neighbour": expected a neighbour of the process (${known.join(', ')}), got "${neighbour}"`;
  return refuseAt('neighbour', 400, 'REFERENCE_NOT_FOUND', message);
}

/** An address that nobody holds was leased to nobody. */
function released(of: TaskCall, pool: Subject | null): Values {
  const { address } = of.input;
  const lease = [...of.state.rows(PLATFORM, LEASES).all()].find(
    ({ value }) => value['address'] === address && value['leaseState'] === 'BOUND',
  );
  if (lease === undefined || !isInNetwork(address, pool?.values['network'])) return { 'was-leased-to': null };
  changeRow(of, LEASES, lease.id, { leaseState: 'EXPIRED', leaseEndsAt: isoSeconds(of.state.clock.ms) });
  return { 'was-leased-to': lease.value['mac'] };
}

/** By operation id in small letters. */
export const NEIGHBOUR_DEEDS: ReadonlyMap<string, typeof closed> = new Map([
  ['shutdownbgpneighbour', closed],
  ['releasedhcplease', released],
]);
export const NEIGHBOUR_PROBLEMS: ReadonlyMap<string, typeof unknownNeighbour> = new Map([
  ['shutdownbgpneighbour', unknownNeighbour],
]);
