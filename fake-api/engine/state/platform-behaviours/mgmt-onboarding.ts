/** Devices between purchase and first contact: claimed by what is printed on the box, and prepared for their site. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { unknownReference } from '../action-references.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

/** A device that was claimed before has been ours since then. */
function claimed(of: TaskCall, device: Subject | null): Values {
  if (device === null) return {};
  const now = isoSeconds(of.state.clock.ms);
  if (device.values['state'] !== 'ordered') return { 'claimed-at': device.values['state-since'] };
  changeRow(of, device.resource.name, device.id, { state: 'claimed', 'state-since': now });
  return { 'claimed-at': now };
}

/** What is not ours yet keeps what it is prepared for, and still has to be claimed. */
function prepared(of: TaskCall, device: Subject | null): Values {
  if (device === null) return {};
  const { 'site-id': site, 'group-id': group = null } = of.input as JsonObject;
  const { state } = device.values;
  const isReady = state !== 'ordered';
  changeRow(of, device.resource.name, device.id, {
    'site-id': site ?? null,
    'group-id': group,
    ...(state === 'claimed' ? { state: 'provisioned', 'state-since': isoSeconds(of.state.clock.ms) } : {}),
  });
  return { ready: isReady, missing: isReady ? [] : ['claim of the device'] };
}

/** The MAC address on the box proves that the caller has it. */
function otherBox({ body }: AcceptedRequest, device: Subject | null): Answer | null {
  const given = String((body as Values | undefined)?.['mac']);
  if (device === null || given.toLowerCase() === device.values['mac']) return null;
  const message = `field "mac": expected the MAC address on the box of ${device.id}, got "${given}"`;
  return refuseAt('mac', 409, 'MAC_MISMATCH', message);
}

/** By operation id in small letters. */
export const ONBOARDING_DEEDS: ReadonlyMap<string, typeof claimed> = new Map([
  ['claimonboardingdevice', claimed],
  ['preprovisiononboardingdevice', prepared],
]);
export const ONBOARDING_PROBLEMS: ReadonlyMap<string, typeof otherBox> = new Map([
  ['claimonboardingdevice', otherBox],
  ['preprovisiononboardingdevice', unknownReference],
]);
