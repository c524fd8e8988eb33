/** The string of an SNMP community that is replaced is configured afterwards, and the profile has a new revision. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { isoSeconds } from '../clock.ts';
import { type JsonObject, sha256 } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const communitiesOf = ({ communities }: Values): JsonObject[] => (communities ?? []) as JsonObject[];

function rotated(of: TaskCall, profile: Subject | null): Values {
  const row = profile === null ? undefined : of.state.rows('mgmt', profile.resource.name).get(profile.id);
  if (profile === null || row === undefined) return {};
  const at = communitiesOf(row.value).findIndex(({ label }) => label === of.input['label']);
  const communities = communitiesOf(row.value).map((each, place) =>
    place === at ? { ...each, 'name-configured': true } : each,
  );
  const metadata = (row.value['metadata'] ?? {}) as JsonObject;
  const stamped = {
    ...metadata,
    revision: Number(metadata['revision'] ?? 0) + 1,
    'updated-at': isoSeconds(of.state.clock.ms),
  };
  of.state.put(profile.resource, {
    ...row,
    value: { ...row.value, communities, metadata: stamped },
    secrets: { ...row.secrets, [`/communities/${at}/name`]: sha256(JSON.stringify(of.input['new-name'])) },
    revision: row.revision + 1,
  });
  return {};
}

function unknownCommunity({ body }: AcceptedRequest, profile: Subject | null): Answer | null {
  const label = (body as Values | undefined)?.['label'];
  const known = communitiesOf(profile?.values ?? {}).map((each) => each['label']);
  if (known.includes(label as never)) return null;
  const message = `field "label": expected a community of the profile (${known.join(', ') || 'it has none'}), got "${label}"`;
  return refuseAt('label', 400, 'REFERENCE_NOT_FOUND', message);
}

/** By operation id in small letters. */
export const COMMUNITY_DEEDS: ReadonlyMap<string, typeof rotated> = new Map([['rotatesnmpcommunity', rotated]]);
export const COMMUNITY_PROBLEMS: ReadonlyMap<string, typeof unknownCommunity> = new Map([
  ['rotatesnmpcommunity', unknownCommunity],
]);
