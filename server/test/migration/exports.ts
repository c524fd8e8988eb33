/** Small exports for tests: one object of a family, with what it refers to. */
import type { Candidate } from '../../migration/candidate.ts';
import { type Plan, planOf } from '../../migration/plan.ts';
import { type Export, readExport } from '../../migration/read-export.ts';

export type Fields = Record<string, unknown>;

export interface Parts {
  vlans?: unknown[];
  ssid_profiles?: unknown[];
  virtual_aps?: unknown[];
  ap_groups?: unknown[];
  roles?: unknown[];
  policies?: unknown[];
  controllers?: unknown[];
  aaa?: Record<string, unknown[]>;
  routing?: Record<string, unknown[]>;
}

export function exportOf({ ssid_profiles, virtual_aps, ...parts }: Parts): Export {
  return readExport({ ...parts, wlans: { ssid_profiles: ssid_profiles ?? [], virtual_aps: virtual_aps ?? [] } });
}

export const planFor = (parts: Parts): Plan => planOf(exportOf(parts));

/** The network `net`, bridged into VLAN 10, over an SSID profile and, if one is given, an AAA profile. */
export function network(ssid: Fields, vap: Fields = {}, aaa?: Fields, others: Record<string, unknown[]> = {}): Parts {
  return {
    vlans: [{ id: 10 }],
    ssid_profiles: [{ profile_name: 'net', essid: 'net', ...ssid }],
    virtual_aps: [
      {
        profile_name: 'net',
        ssid_prof: 'net',
        vlan: '10',
        forward_mode: 'bridge',
        ...(aaa ? { aaa_prof: 'login' } : {}),
        ...vap,
      },
    ],
    aaa: { ...(aaa ? { aaa_profiles: [{ profile_name: 'login', ...aaa }] } : {}), ...others },
  };
}

export function only(plan: Plan, ref: string): Candidate {
  const found = plan.candidates.new.find((each) => `${each.object_type}:${each.identifier}` === ref);
  if (!found) throw new Error(`expected ${ref} in the plan`);
  return found;
}

export const wlanIn = (parts: Parts): Candidate => only(planFor(parts), 'wlan:net');
