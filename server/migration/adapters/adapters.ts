/** The adapter of a candidate: one file per target and object family. */
import type { Target } from '../classification.ts';
import type { ObjectType } from '../object-family.ts';
import type { PlannedCandidate } from '../plan.ts';
import type { Adapter } from './adapter.ts';
import classicWlan from './classic/wlan.ts';
import aaaProfile from './new/aaa-profile.ts';
import authServer from './new/auth-server.ts';
import dot1xAuthProfile from './new/dot1x-auth-profile.ts';
import macAuthProfile from './new/mac-auth-profile.ts';
import role from './new/role.ts';
import serverGroup from './new/server-group.ts';
import vlan from './new/vlan.ts';
import wlanOverlay from './new/wlan-overlay.ts';
import wlanUnderlay from './new/wlan-underlay.ts';
import { CLASSIC_COMPATIBILITY, NO_TARGET, POLICY, ROUTE, VRRP } from './refused.ts';

const NEW: Partial<Record<ObjectType, Adapter>> = {
  vlan,
  role,
  aaa_profile: aaaProfile,
  dot1x_auth_profile: dot1xAuthProfile,
  mac_auth_profile: macAuthProfile,
  auth_server: authServer,
  server_group: serverGroup,
  policy: POLICY,
  vrrp: VRRP,
  route: ROUTE,
};

export function adapterOf({ object_type, payload }: PlannedCandidate, target: Target): Adapter {
  if (target === 'classic') return object_type === 'wlan' ? classicWlan : CLASSIC_COMPATIBILITY;
  if (object_type === 'wlan') return payload['forward_mode'] === 'tunnel' ? wlanOverlay : wlanUnderlay;
  return NEW[object_type] ?? NO_TARGET;
}
