/** Families that have no adapter at a target: one rule each, which says why. */
import type { Adapter, Refusal } from './adapter.ts';

function refusedBy(id: string, refusal: Refusal, keeps: string, why: string): Adapter {
  return {
    rules: [{ id, refusal, keeps, broken: () => why }],
    inline: [],
    secretsOf: () => [],
    stepsOf: () => [],
  };
}

export const CLASSIC_COMPATIBILITY = refusedBy(
  'classic.compatibility',
  'compatibility',
  'Classic target: every object type other than wlan is rejected with a compatibility error saying the operation is not verified.',
  'the operation is not verified at a classic target; the candidate stays unapplied',
);

export const NO_TARGET = refusedBy(
  'new.no-mapping',
  'compatibility',
  'unsupported (no target API, or the adapter explicitly rejects it).',
  'no target object exists for it; the candidate stays unapplied',
);

export const POLICY = refusedBy(
  'new.policy-shown-only',
  'error',
  'Roles and policies: any custom ACL is an error and stays manual.',
  'access rules are not carried over: write them by hand',
);

export const VRRP = refusedBy(
  'new.vrrp-plan-only',
  'error',
  'VRRP, VRRPv6, tracking: conditional/unsupported.',
  'VRRP is planned only: create the instance by hand',
);

export const ROUTE = refusedBy(
  'new.route-read-only',
  'error',
  'Static route (read only here).',
  'static routes are read only here: create the route by hand',
);
